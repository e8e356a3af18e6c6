#include "mediator/source/diagnostic.h"

#include "absl/strings/str_cat.h"
#include "mediator/source/printable.h"

namespace tipstaff::source {

absl::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

bool HasErrors(absl::Span<const Diagnostic> diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::kError) return true;
  }
  return false;
}

absl::Status ToStatus(absl::Span<const Diagnostic> diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    std::string where;
    if (diagnostic.file) absl::StrAppend(&where, diagnostic.file->path, ":");
    if (diagnostic.file && diagnostic.span.line > 0) {
      absl::StrAppend(&where, diagnostic.span.line, ":", diagnostic.span.column, ":");
    }
    if (!where.empty()) where += ' ';
    const char* const colon = diagnostic.label.empty() ? "" : ": ";
    return absl::InvalidArgumentError(
        Printable(absl::StrCat(where, diagnostic.message, colon, diagnostic.label)));
  }
  return absl::OkStatus();
}

}  // namespace tipstaff::source
