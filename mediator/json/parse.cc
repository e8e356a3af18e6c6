#include "mediator/json/parse.h"

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/number.h"
#include "mediator/json/plain_run.h"

namespace tipstaff::json {
namespace {

// Appends a code point that is no surrogate.
void AppendUtf8(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      out += static_cast<char>(0xE0 | c >> 12);
    } else {
      out += static_cast<char>(0xF0 | c >> 18);
      out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    }
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
  }
  out += static_cast<char>(0x80 | (c & 0x3F));
}

// One text, from its first byte to its last. What is open is kept on a stack of its own. After the
// first problem each function returns false.
class Parser {
 public:
  Parser(absl::string_view text, int max_depth) : text_(text), builder_(max_depth) {}

  absl::StatusOr<Document> Run() && {
    if (!ReadText()) return absl::InvalidArgumentError(problem_);
    return std::move(builder_).Build();
  }

 private:
  bool ReadText() {
    do {
      if (!ReadValue()) return false;
      // A value has ended, and with it every container that ends here.
      while (SkipSpace(), !closers_.empty() && Peek() == closers_.back()) {
        if (!Close()) return false;
      }
      if (closers_.empty()) return at_ == text_.size() || NotJson("the end of the text is due");
    } while (ReadSeparator());
    return false;
  }

  // A scalar, or the beginning of containers up to the first scalar or empty container in them.
  bool ReadValue() {
    for (;;) {
      SkipSpace();
      const int c = Peek();
      if (c != '{' && c != '[') return ReadScalar(c);
      const char closer = c == '{' ? '}' : ']';
      if (!Accept(c == '{' ? builder_.StartObject() : builder_.StartArray())) return false;
      closers_ += closer;
      ++at_;
      SkipSpace();
      if (Peek() == closer) return Close();
      if (closer == '}' && !ReadKey()) return false;
    }
  }

  bool Close() {
    const bool object = closers_.back() == '}';
    if (!Accept(object ? builder_.EndObject() : builder_.EndArray())) return false;
    closers_.pop_back();
    ++at_;
    return true;
  }

  // The comma before the next item or member, and the member's key.
  bool ReadSeparator() {
    if (Peek() != ',') {
      return NotJson(closers_.back() == '}' ? "`,` or `}` is due" : "`,` or `]` is due");
    }
    ++at_;
    return closers_.back() == ']' || ReadKey();
  }

  bool ReadKey() {
    SkipSpace();
    if (Peek() != '"') return NotJson("a key in double quotes is due");
    const std::optional<absl::string_view> key = ReadString();
    if (!key) return false;
    if (key->find('\0') != absl::string_view::npos) return Fail("a key with U+0000 in it");
    if (!Accept(builder_.Key(*key))) return false;
    SkipSpace();
    if (Peek() != ':') return NotJson("`:` is due");
    ++at_;
    return true;
  }

  bool ReadScalar(int first) {
    switch (first) {
      case '"': {
        const std::optional<absl::string_view> text = ReadString();
        return text && Accept(builder_.String(*text));
      }
      case 't':
        return ReadWord("true") && Accept(builder_.Bool(true));
      case 'f':
        return ReadWord("false") && Accept(builder_.Bool(false));
      case 'n':
        return ReadWord("null") && Accept(builder_.Null());
      default:
        if (first == '-' || absl::ascii_isdigit(first)) return ReadNumber();
        return NotJson("a value is due");
    }
  }

  bool ReadWord(absl::string_view word) {
    if (text_.substr(at_, word.size()) != word) return NotJson("a value is due");
    at_ += word.size();
    return true;
  }

  bool ReadNumber() {
    const size_t start = at_;
    if (Peek() == '-') ++at_;
    if (Peek() == '0') {
      ++at_;
      if (absl::ascii_isdigit(Peek())) return NotJson("a number does not begin with 0");
    } else if (!ReadDigits()) {
      return false;
    }
    if (Peek() == '.') {
      ++at_;
      if (!ReadDigits()) return false;
    }
    if (Peek() == 'e' || Peek() == 'E') {
      ++at_;
      if (Peek() == '+' || Peek() == '-') ++at_;
      if (!ReadDigits()) return false;
    }
    const internal::Number number = internal::NumberOf(text_.substr(start, at_ - start));
    if (const auto* integer = std::get_if<int64_t>(&number)) {
      return Accept(builder_.Integer(*integer));
    }
    if (const auto* large = std::get_if<uint64_t>(&number)) {
      return Accept(builder_.Unsigned(*large));
    }
    if (const auto* real = std::get_if<double>(&number)) return Accept(builder_.Double(*real));
    at_ = start;
    switch (std::get<internal::NumberProblem>(number)) {
      case internal::NumberProblem::kOverflow:
        return Fail("a number that is out of range");
      case internal::NumberProblem::kInexact:
        return Fail("a number that cannot be kept as it is");
      case internal::NumberProblem::kIntegerRange:
        break;
    }
    return Fail("an integer outside the range of 64 bits");
  }

  bool ReadDigits() {
    if (!absl::ascii_isdigit(Peek())) return NotJson("a digit is due");
    while (absl::ascii_isdigit(Peek())) ++at_;
    return true;
  }

  // From its opening to behind its closing quote. The view is into the text, or into `unescaped_`
  // when there are escapes.
  std::optional<absl::string_view> ReadString() {
    const size_t start = ++at_;
    if (!ReadPlain()) return std::nullopt;
    if (Peek() == '"') return text_.substr(start, at_++ - start);
    unescaped_.assign(text_.data() + start, at_ - start);
    for (;;) {
      if (!ReadEscape()) return std::nullopt;
      const size_t plain = at_;
      if (!ReadPlain()) return std::nullopt;
      unescaped_.append(text_.data() + plain, at_ - plain);
      if (Peek() != '"') continue;
      ++at_;
      return unescaped_;
    }
  }

  // To the next quote or backslash.
  bool ReadPlain() {
    const absl::string_view plain = text_.substr(at_, internal::PlainRun(text_.substr(at_)));
    if (!base::IsUtf8(plain)) return NotJson("a string is not UTF-8");
    at_ += plain.size();
    if (Peek() == '"' || Peek() == '\\') return true;
    return NotJson(at_ == text_.size() ? "a string does not end"
                                       : "a control character in a string is not escaped");
  }

  bool ReadEscape() {
    ++at_;  // the backslash
    static constexpr absl::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const int c = Peek();
    if (c == 'u') return ReadUnicodeEscape();
    const size_t which = c < 0 ? absl::string_view::npos : kNames.find(static_cast<char>(c));
    if (which == absl::string_view::npos) return NotJson("there is no such escape");
    unescaped_ += kMeanings[which];
    ++at_;
    return true;
  }

  bool ReadUnicodeEscape() {
    const auto is_high = [](uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; };
    const auto is_low = [](uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; };
    uint32_t c = 0;
    if (!ReadHex(c)) return false;
    if (is_low(c)) return NotJson("half a surrogate pair");
    if (is_high(c)) {
      uint32_t low = 0;
      if (text_.substr(at_, 2) != "\\u") return NotJson("half a surrogate pair");
      ++at_;
      if (!ReadHex(low)) return false;
      if (!is_low(low)) return NotJson("half a surrogate pair");
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
    AppendUtf8(c, unescaped_);
    return true;
  }

  // `u` and four digits.
  bool ReadHex(uint32_t& unit) {
    ++at_;
    for (int i = 0; i < 4; ++i, ++at_) {
      const int c = Peek();
      if (c < 0 || !absl::ascii_isxdigit(c)) return NotJson("\\u needs four hexadecimal digits");
      unit = unit << 4 | (absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10);
    }
    return true;
  }

  void SkipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  // The next byte; -1 at the end.
  int Peek() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }

  bool Accept(bool accepted) { return accepted || Fail(builder_.problem()); }
  bool NotJson(absl::string_view why) {
    problem_ = absl::StrCat("not JSON at byte ", at_, ": ", why);
    return false;
  }
  bool Fail(absl::string_view what) {
    problem_ = absl::StrCat(what, " at byte ", at_);
    return false;
  }

  const absl::string_view text_;
  size_t at_ = 0;
  std::string closers_;  // of the containers that are open, the innermost last
  std::string unescaped_;
  Builder builder_;
  std::string problem_;
};

}  // namespace

absl::StatusOr<Document> Parse(absl::string_view bytes, const ParseOptions& options) {
  if (bytes.size() > std::numeric_limits<uint32_t>::max() / 2) {
    return absl::InvalidArgumentError("larger than 2 GiB");
  }
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") {
    return absl::InvalidArgumentError("begins with a byte order mark");
  }
  return Parser(bytes, options.max_depth).Run();
}

Document MustParse(absl::string_view text) {
  absl::StatusOr<Document> document = Parse(text);
  if (!document.ok()) {
    std::fprintf(stderr, "MustParse: %s\n", document.status().ToString().c_str());
    std::abort();
  }
  return *std::move(document);
}

}  // namespace tipstaff::json
