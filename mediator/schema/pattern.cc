#include "mediator/schema/pattern.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/schema/categories.h"

namespace tipstaff::schema {
namespace {

// ECMA-262's WhiteSpace and LineTerminator, which RE2's \s covers in part, and what is not in them.
constexpr absl::string_view kSpace =
    R"(\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr absl::string_view kNotSpace =
    R"(\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027})"
    R"(\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
constexpr absl::string_view kDot = R"([^\n\r\x{2028}\x{2029}])";

class Translator {
 public:
  explicit Translator(absl::string_view pattern) : in_(pattern) {}

  absl::StatusOr<std::string> Run() && {
    while (at_ < in_.size() && problem_.empty()) Step();
    if (problem_.empty() && in_class_) Fail("`[` without `]`");
    if (!problem_.empty()) return absl::InvalidArgumentError(problem_);
    return std::move(out_);
  }

 private:
  void Step() {
    const char c = in_[at_];
    if (c == '\\') return Escape();
    ++at_;
    if (in_class_) {
      // RE2 would take `[:alpha:]` for a class of POSIX's.
      if (c == '[') {
        out_ += '\\';
      } else if (c == ']') {
        in_class_ = false;
      }
      out_ += c;
    } else if (c == '[') {
      OpenClass();
    } else if (c == '.') {
      absl::StrAppend(&out_, kDot);
    } else if (c == '(') {
      OpenGroup();
    } else {
      out_ += c;
    }
  }

  void OpenClass() {
    in_class_ = true;
    out_ += '[';
    if (Take("^")) out_ += '^';
    class_start_ = at_;
    // In ECMA-262 `[]` is nothing and `[^]` anything; RE2 reads on.
    if (Take("]")) Fail("an empty `[]`");
  }

  void OpenGroup() {
    if (!Take("?")) {
      out_ += '(';
    } else if (Take(":")) {
      absl::StrAppend(&out_, "(?:");
    } else if (Take("=") || Take("!") || Take("<=") || Take("<!")) {
      Fail("look-around is not supported");
    } else if (Take("<")) {
      const size_t close = in_.find('>', at_);
      if (close == absl::string_view::npos) return Fail("a group's name without `>`");
      at_ = close + 1;
      out_ += '(';  // nothing refers to the name
    } else {
      Fail("`(?` with anything but `:` or a name is not ECMA-262");
    }
  }

  void Escape() {
    ++at_;
    if (at_ == in_.size()) return Fail("a lone `\\` at the end");
    const char c = in_[at_++];
    switch (c) {
      case 't':
      case 'n':
      case 'v':
      case 'f':
      case 'r':
        return absl::StrAppend(&out_, "\\", std::string(1, c));
      case 'd':
      case 'D':
      case 'w':
      case 'W':
      case 's':
      case 'S':
        return ClassEscape(c);
      case 'b':
        return absl::StrAppend(&out_, in_class_ ? "\\x08" : "\\b");
      case 'B':
        return in_class_ ? Fail("`\\B` within `[]`") : absl::StrAppend(&out_, "\\B");
      case 'c':
        return ControlEscape();
      case 'x':
        return HexEscape();
      case 'u':
        return UnicodeEscape();
      case '0':
        if (at_ < in_.size() && absl::ascii_isdigit(in_[at_])) return Fail("an octal escape");
        return absl::StrAppend(&out_, "\\x00");
      default:
        break;
    }
    if (absl::ascii_isdigit(c) || c == 'k') return Fail("back-references are not supported");
    if (c == 'p' || c == 'P') return PropertyEscape(c);
    if (absl::ascii_isalnum(c) || static_cast<unsigned char>(c) >= 0x80 || c == '_') {
      return Fail("an escape that ECMA-262 does not have");
    }
    absl::StrAppend(&out_, "\\", std::string(1, c));
  }

  // Whether the class that was just read, from `backslash` on, is an end of a range.
  bool IsEndOfRange(size_t backslash) const {
    if (!in_class_) return false;
    const size_t before = backslash - 1;
    const bool ends = before > class_start_ && in_[before] == '-';
    return ends || (at_ + 1 < in_.size() && in_[at_] == '-' && in_[at_ + 1] != ']');
  }

  void ClassEscape(char c) {
    if (IsEndOfRange(at_ - 2)) return Fail("a range that ends in a class such as `\\s`");
    if (c != 's' && c != 'S') return absl::StrAppend(&out_, "\\", std::string(1, c));
    absl::StrAppend(&out_, in_class_ ? "" : "[", c == 's' ? kSpace : kNotSpace,
                    in_class_ ? "" : "]");
  }

  void PropertyEscape(char c) {
    const size_t backslash = at_ - 2;
    const size_t close = Take("{") ? in_.find('}', at_) : absl::string_view::npos;
    if (close == absl::string_view::npos) return Fail("`\\p` without `{` and `}`");
    const absl::string_view category = internal::FindCategory(in_.substr(at_, close - at_));
    if (category.empty()) return Fail("`\\p{...}` of anything but a general category");
    at_ = close + 1;
    if (IsEndOfRange(backslash)) return Fail("a range that ends in a class such as `\\p{L}`");
    absl::StrAppend(&out_, "\\", std::string(1, c), "{", category, "}");
  }

  void ControlEscape() {
    if (at_ == in_.size() || !absl::ascii_isalpha(in_[at_])) return Fail("`\\c` without a letter");
    AppendCodePoint(in_[at_++] & 0x1f);
  }

  void HexEscape() {
    const int32_t code = TakeHex(2);
    if (code < 0) return Fail("`\\x` without two hexadecimal digits");
    AppendCodePoint(code);
  }

  void UnicodeEscape() {
    if (Take("{")) {
      const size_t close = in_.find('}', at_);
      const size_t digits = close == absl::string_view::npos ? 0 : close - at_;
      const int32_t code = digits >= 1 && digits <= 6 ? TakeHex(digits) : -1;
      if (code < 0 || code > 0x10ffff) return Fail("`\\u{` without a code point and `}`");
      ++at_;
      return AppendCodePoint(code);
    }
    int32_t code = TakeHex(4);
    if (code < 0) return Fail("`\\u` without four hexadecimal digits");
    if (code >= 0xd800 && code < 0xdc00 && Take("\\u")) {
      const int32_t low = TakeHex(4);
      if (low < 0xdc00 || low > 0xdfff) return Fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    AppendCodePoint(code);
  }

  void AppendCodePoint(int32_t code) {
    if (code >= 0xd800 && code <= 0xdfff) return Fail("half of a surrogate pair");
    absl::StrAppend(&out_, "\\x{", absl::Hex(code), "}");
  }

  // -1 when there are not so many digits.
  int32_t TakeHex(size_t digits) {
    const absl::string_view text = in_.substr(at_, digits);
    if (text.size() != digits) return -1;
    int32_t code = 0;
    for (const char c : text) {
      if (!absl::ascii_isxdigit(c)) return -1;
      code = code * 16 + (absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10);
    }
    at_ += digits;
    return code;
  }

  bool Take(absl::string_view text) {
    if (in_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }

  void Fail(absl::string_view problem) { problem_ = std::string(problem); }

  const absl::string_view in_;
  size_t at_ = 0;
  bool in_class_ = false;
  size_t class_start_ = 0;
  std::string out_;
  std::string problem_;
};

}  // namespace

absl::StatusOr<std::string> ToRe2(absl::string_view pattern) { return Translator(pattern).Run(); }

}  // namespace tipstaff::schema
