#include "mediator/schema/text.h"

#include "mediator/base/utf8.h"

namespace tipstaff::schema {
namespace {

// Controls and what makes a reader see another text than the one that is there (Unicode
// UAX #9: embeddings, overrides and isolates). U+200E and U+200F order honest text and may stand.
bool Refuses(TextMode mode, char32_t c) {
  const bool lines = mode == TextMode::kLines;
  if (c < 0x20) return !(lines && (c == '\n' || c == '\t'));
  if (c >= 0x7f && c <= 0x9f) return true;
  if (c == 0x2028 || c == 0x2029) return !lines;
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::optional<TextMode> ParseTextMode(absl::string_view name) {
  if (name == "line") return TextMode::kLine;
  if (name == "lines") return TextMode::kLines;
  if (name == "any") return TextMode::kAny;
  return std::nullopt;
}

absl::string_view TextModeInWords(TextMode mode) {
  switch (mode) {
    case TextMode::kLine:
      return "one line: no control characters or bidirectional overrides";
    case TextMode::kLines:
      return "lines: no control characters but line feed and tab, no bidirectional overrides";
    case TextMode::kAny:
      break;
  }
  return "any text";
}

std::optional<char32_t> FirstRefused(absl::string_view text, TextMode mode) {
  if (mode == TextMode::kAny) return std::nullopt;
  for (size_t i = 0;;) {
    i += base::PrintableRun(text.substr(i));
    if (i == text.size()) break;
    const base::CodePoint point = base::FirstCodePoint(text.substr(i));
    if (!point.valid) return 0xfffd;
    if (Refuses(mode, point.value)) return point.value;
    i += point.bytes;
  }
  return std::nullopt;
}

}  // namespace tipstaff::schema
