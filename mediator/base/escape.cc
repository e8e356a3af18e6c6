#include "mediator/base/escape.h"

#include "absl/strings/str_format.h"
#include "mediator/base/utf8.h"

namespace tipstaff::base {
// Control, separator and default-ignorable characters (Unicode categories Cc, Zl, Zp, Cf and the
// variation selectors and fillers that draw nothing).
bool ActsOrHides(uint32_t c) {
  struct Range {
    uint32_t first, last;
  };
  static constexpr Range kRanges[] = {
      {0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},      {0x34F, 0x34F},
      {0x600, 0x605},     {0x61C, 0x61C},     {0x6DD, 0x6DD},    {0x70F, 0x70F},
      {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},  {0x200B, 0x200F},
      {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},  {0xFE00, 0xFE0F},
      {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},  {0x110BD, 0x110BD},
      {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
  for (const Range& range : kRanges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

namespace {

// Appends the next code point of `text`, escaped; returns its length in bytes.
int AppendEscaped(absl::string_view text, std::string& out) {
  const CodePoint point = FirstCodePoint(text);
  if (!point.valid) {
    absl::StrAppendFormat(&out, "\\x%02x", static_cast<uint8_t>(text[0]));
    return 1;
  }
  switch (point.value) {
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\\':
      out += "\\\\";
      break;
    default:
      if (!ActsOrHides(point.value)) {
        out.append(text.data(), point.bytes);
      } else if (point.value < 0x80) {
        absl::StrAppendFormat(&out, "\\x%02x", point.value);
      } else {
        absl::StrAppendFormat(&out, "\\u{%x}", point.value);
      }
  }
  return point.bytes;
}

}  // namespace

std::string Escape(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) text.remove_prefix(AppendEscaped(text, out));
  return out;
}

std::string EscapeInJson(absl::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const CodePoint point = FirstCodePoint(json);
    const uint32_t c = point.value;
    if (!point.valid) {
      absl::StrAppendFormat(&out, "\\x%02x", c);  // no JSON has it
    } else if (!ActsOrHides(c)) {
      out.append(json.data(), point.bytes);
    } else if (c < 0x10000) {
      absl::StrAppendFormat(&out, "\\u%04x", c);
    } else {
      absl::StrAppendFormat(&out, "\\u%04x\\u%04x", 0xD7C0 + (c >> 10), 0xDC00 + (c & 0x3FF));
    }
    json.remove_prefix(point.bytes);
  }
  return out;
}

std::string EscapeAndCut(absl::string_view text, size_t columns) {
  std::string out;
  size_t used = 0;
  while (!text.empty()) {
    std::string piece;
    const int length = AppendEscaped(text, piece);
    const size_t width = static_cast<uint8_t>(piece[0]) < 0x80 ? piece.size() : 1;
    const bool last = text.size() == static_cast<size_t>(length);
    if (used + width > columns || (used + width == columns && !last)) return out + "…";
    out += piece;
    used += width;
    text.remove_prefix(length);
  }
  return out;
}

std::string WriteOutNonAscii(absl::string_view escaped) {
  std::string out;
  while (!escaped.empty()) {
    const CodePoint point = FirstCodePoint(escaped);
    if (point.value < 0x80 || escaped == "…" || escaped == "…`") {
      out.append(escaped.data(), point.bytes);
    } else {
      absl::StrAppendFormat(&out, point.valid ? "\\u{%x}" : "\\x%02x", point.value);
    }
    escaped.remove_prefix(point.bytes);
  }
  return out;
}

}  // namespace tipstaff::base
