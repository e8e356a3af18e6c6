#include "mediator/schema/text.h"

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

// The code point at `at` of which `text[at]` is the first byte, and its length. 0: invalid.
struct Decoded {
  char32_t code;
  size_t length;
};
Decoded Decode(absl::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  if (length == 0 || at + length > text.size()) return {0, 0};
  char32_t code = length == 1 ? first : first & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = (code << 6) | (byte(i) & 0x3f);
  }
  return {code, length};
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
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x7f) {
      ++i;
      continue;
    }
    const Decoded decoded = Decode(text, i);
    if (decoded.length == 0) return 0xfffd;
    if (Refuses(mode, decoded.code)) return decoded.code;
    i += decoded.length;
  }
  return std::nullopt;
}

size_t CountCodePoints(absl::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

}  // namespace tipstaff::schema
