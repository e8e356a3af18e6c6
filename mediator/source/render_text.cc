#include "absl/strings/str_cat.h"
#include "mediator/source/diagnostic.h"
#include "mediator/source/excerpt.h"
#include "mediator/source/lines.h"
#include "mediator/source/printable.h"

namespace tipstaff::source {
namespace {

// Wraps text in ANSI codes, or leaves it when there are to be none.
class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}
  std::string Bold(absl::string_view text) const { return With("1", text); }
  std::string Frame(absl::string_view text) const { return With("1;34", text); }
  std::string Mark(Severity severity, absl::string_view text) const {
    return With(severity == Severity::kError ? "1;31" : "1;33", text);
  }

 private:
  std::string With(const char* code, absl::string_view text) const {
    return color_ ? absl::StrCat("\x1b[", code, "m", text, "\x1b[0m") : std::string(text);
  }
  bool color_;
};

void AppendExcerpt(const Diagnostic& diagnostic, const Paint& paint, std::string& out) {
  const std::string number = absl::StrCat(diagnostic.span.line);
  const std::string gutter(number.size(), ' ');
  const Excerpt excerpt = ExcerptOf(LineOf(diagnostic.file->text, diagnostic.span.line),
                                    diagnostic.span.column, diagnostic.span.length);
  std::string caret(excerpt.width, '^');
  if (!diagnostic.label.empty()) absl::StrAppend(&caret, " ", Printable(diagnostic.label));
  absl::StrAppend(&out, paint.Frame(absl::StrCat(gutter, " |")), "\n");
  absl::StrAppend(&out, paint.Frame(absl::StrCat(number, " |")), excerpt.text.empty() ? "" : " ",
                  excerpt.text, "\n");
  absl::StrAppend(&out, paint.Frame(absl::StrCat(gutter, " |")), " ",
                  std::string(excerpt.indent, ' '), paint.Mark(diagnostic.severity, caret), "\n");
}

}  // namespace

std::string RenderText(const Diagnostic& diagnostic, bool color) {
  const Paint paint(color);
  const bool has_line = diagnostic.file && diagnostic.span.line > 0;
  const std::string gutter(has_line ? absl::StrCat(diagnostic.span.line).size() : 1, ' ');
  std::string kind(SeverityName(diagnostic.severity));
  if (!diagnostic.code.empty()) absl::StrAppend(&kind, "[", diagnostic.code, "]");
  std::string out =
      absl::StrCat(paint.Mark(diagnostic.severity, kind),
                   paint.Bold(absl::StrCat(": ", Printable(diagnostic.message))), "\n");
  if (diagnostic.file) {
    absl::StrAppend(&out, gutter, paint.Frame("-->"), " ", Printable(diagnostic.file->path));
    if (has_line) {
      absl::StrAppend(&out, ":", diagnostic.span.line, ":", diagnostic.span.column);
    }
    out += '\n';
  }
  if (has_line) {
    AppendExcerpt(diagnostic, paint, out);
  } else if (!diagnostic.label.empty()) {
    absl::StrAppend(&out, gutter, paint.Frame(" = "), Printable(diagnostic.label), "\n");
  }
  for (const std::string& note : diagnostic.notes) {
    absl::StrAppend(&out, gutter, paint.Frame(" = "), Printable(note), "\n");
  }
  if (!diagnostic.code.empty()) {
    absl::StrAppend(&out, gutter, paint.Frame(" = "), "help: tipstaff check --explain ",
                    diagnostic.code, "\n");
  }
  return out;
}

std::string RenderText(absl::Span<const Diagnostic> diagnostics, bool color) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    absl::StrAppend(&out, out.empty() ? "" : "\n", RenderText(diagnostic, color));
  }
  return out;
}

}  // namespace tipstaff::source
