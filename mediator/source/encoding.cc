#include "mediator/source/encoding.h"

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "mediator/base/utf8.h"
#include "mediator/source/codes.h"
#include "mediator/source/lines.h"

namespace tipstaff::source {
namespace {

constexpr char kEscapeIt[] = "remove it, or write it as an escape in a double-quoted string";

// What is wrong with the code point at the start of `rest`; "" when nothing is.
absl::string_view Problem(const base::CodePoint& point, absl::string_view rest) {
  const uint32_t c = point.value;
  if (!point.valid) return "invalid UTF-8";
  if (c == '\t' || c == '\n' || (c == '\r' && absl::StartsWith(rest, "\r\n"))) return "";
  if (c == '\r') return "carriage return without a line feed";
  if (c < 0x20 || (c >= 0x7F && c <= 0x9F && c != 0x85)) return "control character";
  if (c == 0x85 || c == 0x2028 || c == 0x2029) return "line separator other than LF or CRLF";
  if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)) {
    return "character that changes the direction of text";
  }
  if (c == 0xFEFF) return "byte order mark";
  return "";
}

}  // namespace

bool CheckEncoding(const std::shared_ptr<const File>& file, Diagnostics& diagnostics) {
  const absl::string_view text = file->text;
  for (size_t at = 0;;) {
    at += base::PrintableRun(text.substr(at));
    if (at == text.size()) break;
    const base::CodePoint point = base::FirstCodePoint(text.substr(at));
    const absl::string_view problem = Problem(point, text.substr(at));
    if (problem.empty()) {
      at += point.bytes;
      continue;
    }
    const std::string name = point.valid ? absl::StrFormat("U+%04X", point.value)
                                         : absl::StrFormat("byte 0x%02X", point.value);
    diagnostics.push_back({.code = kEncoding,
                           .message = absl::StrFormat("%s (%s)", problem, name),
                           .file = file,
                           .span = Lines(text).SpanOf(at, at + point.bytes),
                           .label = !point.valid            ? "save the file as UTF-8"
                                    : point.value == 0xFEFF ? "save without a byte order mark"
                                                            : kEscapeIt});
    return false;
  }
  return true;
}

}  // namespace tipstaff::source
