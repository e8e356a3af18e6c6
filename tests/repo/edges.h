// The table of allowed edges between libraries, as docs/architecture.md shows it to people.
#pragma once

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::repo {

// Library -> those it may use directly.
using Edges = std::map<std::string, std::set<std::string>>;

// Reads the fenced block that opens with "```edges". Each line is "library: used used...", or
// "library:" for one that uses none. InvalidArgument, naming the line, for: no such block or two,
// a line of another shape, a library listed twice, a use that is not listed, a cycle.
absl::StatusOr<Edges> ParseEdges(absl::string_view page);

// The listed library whose folder holds `path`, the deepest one; "" for none. Folders:
// mediator/NAME, stubs/engine for `engine`, guest-agent, schemas/proto/tipstaff/NAME for
// `proto/NAME`.
std::string LibraryOf(const Edges& edges, absl::string_view path);

// The folder of a library.
std::string FolderOfLibrary(absl::string_view library);

}  // namespace tipstaff::repo
