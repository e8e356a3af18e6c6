#include <algorithm>

#include "tests/reference/texts.h"
#include "tests/reference/values.h"

namespace tipstaff::reference {
namespace {

// What is known outside ASCII: two letters, two that cannot be seen, an override of direction, two
// separators, and ASCII of other widths.
constexpr char32_t kLetters[] = {0xe9, 0x1f600};
constexpr char32_t kInvisible[] = {0x200b, 0xfeff};
constexpr char32_t kOverride = 0x202e, kLineSeparator = 0x2028, kNextLine = 0x85;
constexpr char32_t kCurlyQuote = 0x201c, kDash = 0x2013;

bool IsControl(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

bool Is(char32_t c, std::initializer_list<char32_t> any) {
  return std::find(any.begin(), any.end(), c) != any.end();
}

}  // namespace

char32_t Narrow(char32_t c) { return c >= 0xff01 && c <= 0xff5e ? c - 0xff01 + '!' : c; }

bool IsKnown(absl::string_view text) {
  for (const char32_t c : CodePoints(text)) {
    const bool known = Narrow(c) < 0x80 ||
                       Is(c, {kLetters[0], kLetters[1], kInvisible[0], kInvisible[1]}) ||
                       Is(c, {kOverride, kLineSeparator, kNextLine, kCurlyQuote, kDash});
    if (!known) return false;
  }
  return true;
}

bool IsText(absl::string_view mode, absl::string_view text) {
  if (mode == "any") return true;
  for (const char32_t c : CodePoints(text)) {
    const bool between_lines = c == '\n' || c == '\t' || c == kLineSeparator;
    if (between_lines && mode == "lines") continue;
    if (between_lines || IsControl(c) || c == kOverride) return false;
  }
  return true;
}

bool IsPlain(absl::string_view text) {
  static const std::string kNever = ";&|<>(){}[]$\\\"'*?!~#%^=`", kNotFirst = "-+/@";
  bool first = true;
  for (const char32_t c : CodePoints(text)) {
    if (IsControl(c) || Is(c, {kOverride, kLineSeparator, kInvisible[0], kInvisible[1]})) {
      return false;
    }
    // Of any width.
    const char32_t narrow = Narrow(c);
    const auto is_of = [narrow](const std::string& set) {
      return narrow < 0x80 && set.find(static_cast<char>(narrow)) != std::string::npos;
    };
    if (c == kCurlyQuote || is_of(kNever)) return false;
    if (first && (c == kDash || is_of(kNotFirst))) return false;
    first = c == ' ';
  }
  return true;
}

}  // namespace tipstaff::reference
