// The files of a source tree, in memory, so that a rule is a pure function and can be fed bad
// trees.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::repo {

// Path relative to the tree's root -> content.
using Tree = std::map<std::string, std::string>;

// What a rule found: one line each, "path[:line]: what is wrong: the fix".
using Findings = std::vector<std::string>;

// Reads what belongs to the repository below `root`: everything but `build` at the top, `.git` and
// `node_modules`. Symbolic links are not followed.
absl::StatusOr<Tree> ReadTree(const std::string& root);

// The folder of a path, "" at the top.
std::string FolderOf(absl::string_view path);

// Whether the path is test code: a *_test.cc, or below a `testing` folder or tests/.
bool IsTest(absl::string_view path);

// Whether the path is C++: .cc or .h.
bool IsCpp(absl::string_view path);

}  // namespace tipstaff::repo
