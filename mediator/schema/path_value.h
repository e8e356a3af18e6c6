// Relative paths that mean one place on every system, for the keyword `path`.
//
//   TIPSTAFF_ASSIGN_OR_RETURN(PathRule rule, NormalPathRule({.under = {"out"}}));
//   if (std::optional<std::string> problem = PathProblem(rule, text)) ...  // refused: says why
//
// Parts are what stands between slashes. Nothing is decoded, resolved or looked up. Refused:
//   - an empty path, one over 4096 bytes or of a part over 255; invalid UTF-8
//   - an absolute path; an empty part (`a//b`, `a/`), `.` or `..`
//   - `\`, `:` (drives, streams), `%` and `$` and a back-quote (decoded or expanded by some
//   reader),
//     `*` `?` `"` `<` `>` `|` (no file name on Windows, patterns and redirections elsewhere)
//   - control characters, NUL among them; characters that draw nothing or turn the text around
//     (base::ActsOrHides()); full stops, slashes and colons of other widths, and other forms of
//     the characters above (characters.h)
//   - a part that begins or ends with a space or ends with a dot (Windows drops them), one with `~`
//     before a digit (a short name: `GIT~1`), a Windows device (`con`, `aux.txt`, `com1`)
//   - a path that begins with `-` (an option) or `~` (a home folder)
//   - a part that tools obey (obeyed_names.h), compared without regard to case
//   - a part that begins with a dot, unless `hidden`
// Not judged: links on the disk, letters of other scripts that look alike, Unicode normal forms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// What a permission lists. Make it with NormalPathRule().
struct PathRule {
  // The path lies below one of these folders, compared by whole parts and exactly; the folder
  // itself does not. Empty: anywhere.
  std::vector<std::string> under;
  // The last part ends with a dot and one of these, compared without regard to case, and has
  // something before it. `tar.gz` may be one. Empty: any, or none.
  std::vector<std::string> extensions;
  bool hidden = false;  // parts that begin with a dot may stand
};

// The rule in the form that is compared: `under` without a final slash, extensions in lower case
// without their dot. InvalidArgument names the first entry that no path could match.
absl::StatusOr<PathRule> NormalPathRule(PathRule rule);

// Nothing when `path` passes; else what is wrong, in words: always the same for the same path. It
// names parts by their number and never quotes the path.
std::optional<std::string> PathProblem(const PathRule& rule, absl::string_view path);

}  // namespace tipstaff::schema
