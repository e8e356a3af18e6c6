// One format for what is wrong with a file that a user wrote, and for where a decision came from.
//
//   error[P012]: unknown keyword `maxByte`
//     --> policies/report-triage/skill.yaml:29:34
//      |
//   29 |       body:    {type: string, maxByte: 20000}
//      |                               ^^^^^^^ did you mean `maxBytes`?
//      = in permission `note-to-reviewer`
//      = help: tipstaff check --explain P012
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tipstaff::source {

// A file's content as read, with the path by which the user knows it.
struct File {
  std::string path;
  std::string text;
};

// A place in a File. Lines and columns count from 1; columns and length are in code points.
// line 0: the file as a whole.
struct Span {
  int line = 0;
  int column = 0;
  int length = 1;
};

enum class Severity { kError, kWarning, kNote };
absl::string_view SeverityName(Severity severity);  // "error", "warning", "note"

struct Diagnostic {
  std::string code;  // "Y001": YAML; "P...": skills; "S...": stubs; "C...": configuration
  Severity severity = Severity::kError;
  std::string message;               // one line, lower case, no full stop, input in backticks
  std::shared_ptr<const File> file;  // null: about no file
  Span span;
  std::string label;               // beside the caret: "did you mean `maxBytes`?"
  std::vector<std::string> notes;  // "in permission `note-to-reviewer`"
};

using Diagnostics = std::vector<Diagnostic>;

bool HasErrors(absl::Span<const Diagnostic> diagnostics);

// As above, for a terminal. `color` adds ANSI colours. Everything is escaped on the way out (only
// backslashes stand as they are), so a message may quote the file as it is.
std::string RenderText(const Diagnostic& diagnostic, bool color = false);
std::string RenderText(absl::Span<const Diagnostic> diagnostics, bool color = false);
// A JSON array of {code, severity, message, file, line, column, length, label, notes}.
std::string RenderJson(absl::Span<const Diagnostic> diagnostics);

// InvalidArgument whose message is the first error on one line: "skill.yaml:29:34: unknown ...".
absl::Status ToStatus(absl::Span<const Diagnostic> diagnostics);

// The candidate nearest to `text` by edit distance, or the only one that begins with it; "" when
// none is near enough to be meant.
std::string NearestName(absl::string_view text, absl::Span<const std::string> candidates);

}  // namespace tipstaff::source
