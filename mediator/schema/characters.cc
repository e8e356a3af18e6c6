#include "mediator/schema/characters.h"

#include "absl/strings/ascii.h"
#include "mediator/base/utf8.h"

namespace tipstaff::schema {
namespace {

// Code points over U+007F that fold to other than one twin; empty when `c` is none.
absl::string_view Folded(uint32_t c) {
  switch (c) {
    case 0xdf:
    case 0x1e9e:
      return "ss";
    case 0x130:
    case 0x131:
      return "i";
    case 0x17f:
      return "s";
    case 0xfb00:
      return "ff";
    case 0xfb01:
      return "fi";
    case 0xfb02:
      return "fl";
    case 0xfb03:
      return "ffi";
    case 0xfb04:
      return "ffl";
    case 0xfb05:
    case 0xfb06:
      return "st";
    default:
      return "";
  }
}

}  // namespace

bool IsSpace(uint32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x3000;
}

bool BecomesPathSyntax(uint32_t c) {
  switch (c) {
    case 0x2024:  // one dot leader
    case 0x2025:  // two dot leader
    case 0x2026:  // horizontal ellipsis
    case 0xfe19:  // presentation form for vertical horizontal ellipsis
    case 0xfe30:  // presentation form for vertical two dot leader
    case 0xfe52:  // small full stop
    case 0xff0e:  // full-width full stop
    case 0x2044:  // fraction slash
    case 0x2215:  // division slash
    case 0x29f8:  // big solidus
    case 0xff0f:  // full-width solidus
    case 0x2216:  // set minus, a backslash in code pages
    case 0x29f5:  // reverse solidus operator
    case 0x29f9:  // big reverse solidus
    case 0xfe68:  // small reverse solidus
    case 0xff3c:  // full-width reverse solidus
    case 0x2236:  // ratio
    case 0xa789:  // modifier letter colon
    case 0xfe13:  // presentation form for vertical colon
    case 0xfe55:  // small colon
    case 0xff1a:  // full-width colon
      return true;
    default:
      return false;
  }
}

uint32_t AsciiTwin(uint32_t c) {
  if (c >= 0xff01 && c <= 0xff5e) return c - 0xff01 + '!';
  if (c == 0x37e) return ';';
  if (c == 0x1fef) return '`';
  if (c == 0x212a) return 'K';
  return c;
}

std::string FoldName(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    const uint32_t twin = point.valid ? AsciiTwin(point.value) : point.value;
    if (!point.valid || (twin >= 0x80 && Folded(twin).empty())) {
      out.append(text.data(), point.bytes);
    } else if (twin < 0x80) {
      out += absl::ascii_tolower(static_cast<unsigned char>(twin));
    } else {
      const absl::string_view letters = Folded(twin);
      out.append(letters.data(), letters.size());
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

}  // namespace tipstaff::schema
