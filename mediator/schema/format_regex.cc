#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "mediator/base/utf8.h"
#include "mediator/schema/format_checks.h"
#include "re2/re2.h"

// ECMA-262 2020, section 21.2.1: the grammar of Pattern with the parameters +U and +N.
namespace tipstaff::schema {
namespace {

// One element of a class, or what an escape stands for.
struct Atom {
  bool is_class = false;  // \d and the like: no end of a range
  uint32_t code = 0;
};

class PatternReader {
 public:
  explicit PatternReader(absl::string_view pattern) : in_(pattern) {}

  bool Run() && {
    while (ok_ && !in_.empty()) Term();
    if (!ok_ || !open_.empty() || highest_reference_ > groups_) return false;
    for (const absl::string_view name : references_) {
      if (!names_.contains(name)) return false;
    }
    return true;
  }

 private:
  void Term() {
    const char c = in_[0];
    if (absl::StrContains("*+?{", c)) return Quantifier();
    if (c == ']' || c == '}') return Fail();
    repeatable_ = false;
    if (c == '\\') return Escape();
    if (c == '[') return Class();
    if (c == '(') return Open();
    if (c == ')') return Close();
    in_.remove_prefix(base::FirstCodePoint(in_).bytes);
    repeatable_ = c != '^' && c != '$' && c != '|';
  }

  void Quantifier() {
    if (!repeatable_) return Fail();
    repeatable_ = false;
    if (Take("{")) {
      const absl::string_view least = TakeDigits();
      absl::string_view most = least;
      bool bounded = true;
      if (Take(",")) {
        most = TakeDigits();
        bounded = !most.empty();
      }
      if (least.empty() || !Take("}") || (bounded && Less(most, least))) return Fail();
    } else {
      in_.remove_prefix(1);
    }
    Take("?");
  }

  void Open() {
    in_.remove_prefix(1);
    bool assertion = false;
    if (Take("?<=") || Take("?<!") || Take("?=") || Take("?!")) {
      assertion = true;
    } else if (Take("?<")) {
      const absl::string_view name = TakeName();
      if (name.empty() || !names_.insert(name).second) return Fail();
      ++groups_;
    } else if (!Take("?:")) {
      if (absl::StartsWith(in_, "?")) return Fail();
      ++groups_;
    }
    open_.push_back(assertion);
  }

  void Close() {
    if (open_.empty()) return Fail();
    in_.remove_prefix(1);
    repeatable_ = !open_.back();
    open_.pop_back();
  }

  void Escape() {
    if (Take("\\b") || Take("\\B")) return;
    repeatable_ = true;
    if (Take("\\k<")) {
      const absl::string_view name = TakeName();
      if (name.empty()) return Fail();
      references_.push_back(name);
    } else if (in_.size() > 1 && in_[1] >= '1' && in_[1] <= '9') {
      in_.remove_prefix(1);
      NumberedReference(TakeDigits());
    } else {
      TakeEscape("^$\\.*+?()[]{}|/");
    }
  }

  void NumberedReference(absl::string_view digits) {
    // There are no more groups than bytes: a longer number names none.
    if (digits.size() > 9) return Fail();
    size_t number = 0;
    for (const char c : digits) number = number * 10 + (c - '0');
    if (number > highest_reference_) highest_reference_ = number;
  }

  void Class() {
    in_.remove_prefix(1);
    Take("^");
    while (ok_ && !Take("]")) {
      if (in_.empty()) return Fail();
      const Atom first = ClassAtom();
      if (!ok_ || !absl::StartsWith(in_, "-") || absl::StartsWith(in_, "-]")) continue;
      in_.remove_prefix(1);
      if (in_.empty()) return Fail();
      const Atom last = ClassAtom();
      if (first.is_class || last.is_class || first.code > last.code) return Fail();
    }
    repeatable_ = true;
  }

  Atom ClassAtom() {
    if (Take("\\b")) return {false, '\b'};
    if (in_[0] == '\\') return TakeEscape("^$\\.*+?()[]{}|/-");
    const base::CodePoint point = base::FirstCodePoint(in_);
    in_.remove_prefix(point.bytes);
    return {false, point.value};
  }

  // An escape that may stand within a class and without. `identity`: the characters that a
  // backslash leaves as they are.
  Atom TakeEscape(absl::string_view identity) {
    in_.remove_prefix(1);
    if (in_.empty()) return Failed();
    const char c = in_[0];
    in_.remove_prefix(1);
    if (absl::StrContains("dDsSwW", c)) return {true, 0};
    if (absl::StrContains("fnrtv", c)) {
      static constexpr absl::string_view kNames = "tnvfr";  // 0x09 to 0x0d
      return {false, static_cast<uint32_t>(9 + kNames.find(c))};
    }
    if (c == '0') {
      const bool octal = !in_.empty() && absl::ascii_isdigit(in_[0]);
      return octal ? Failed() : Atom{};
    }
    if (c == 'c') return TakeControl();
    if (c == 'x') return TakeHex(2);
    if (c == 'u') return TakeUnicode();
    if (c == 'p' || c == 'P') return TakeProperty();
    if (absl::StrContains(identity, c)) return {false, static_cast<uint32_t>(c)};
    return Failed();
  }

  Atom TakeControl() {
    if (in_.empty() || !absl::ascii_isalpha(in_[0])) return Failed();
    const uint32_t code = in_[0] & 0x1f;
    in_.remove_prefix(1);
    return {false, code};
  }

  Atom TakeHex(size_t digits) {
    if (in_.size() < digits) return Failed();
    uint32_t code = 0;
    for (const char c : in_.substr(0, digits)) {
      if (!absl::ascii_isxdigit(c)) return Failed();
      code = code * 16 + (absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10);
    }
    in_.remove_prefix(digits);
    return {false, code};
  }

  Atom TakeUnicode() {
    if (Take("{")) {
      while (absl::StartsWith(in_, "00")) in_.remove_prefix(1);
      const size_t digits = in_.find('}');
      if (digits == 0 || digits > 6) return Failed();
      const Atom atom = TakeHex(digits);
      return ok_ && Take("}") && atom.code <= 0x10ffff ? atom : Failed();
    }
    const Atom high = TakeHex(4);
    if (!ok_ || (high.code & 0xfc00) != 0xd800 || in_.size() < 6 || !absl::StartsWith(in_, "\\u")) {
      return high;  // half of a pair is a code point in a pattern
    }
    const absl::string_view after_high = in_;
    in_.remove_prefix(2);
    const Atom low = TakeHex(4);
    if (ok_ && (low.code & 0xfc00) == 0xdc00) {
      return {false, 0x10000 + ((high.code & 0x3ff) << 10) + (low.code & 0x3ff)};
    }
    in_ = after_high;  // another escape, which is judged by itself
    ok_ = true;
    return high;
  }

  // {Name}, {Value} or {Name=Value}
  Atom TakeProperty() {
    if (!Take("{")) return Failed();
    const auto take_word = [this] {
      size_t size = 0;
      while (size < in_.size() && (absl::ascii_isalnum(in_[size]) || in_[size] == '_')) ++size;
      in_.remove_prefix(size);
      return size > 0;
    };
    if (!take_word() || (Take("=") && !take_word()) || !Take("}")) return Failed();
    return {true, 0};
  }

  // A group's name and the `>` after it; empty when there is none.
  absl::string_view TakeName() {
    static const auto* const kName =
        new re2::RE2(R"([\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$\x{200c}\x{200d}]*)");
    // A name ends at once where `>` is missing, so that many openings cost no more than one.
    const size_t close = in_.find_first_of(">()[]{}\\");
    if (close == absl::string_view::npos || in_[close] != '>') return "";
    const absl::string_view name = in_.substr(0, close);
    if (!re2::RE2::FullMatch(re2::StringPiece(name.data(), name.size()), *kName)) return "";
    in_.remove_prefix(close + 1);
    return name;
  }

  absl::string_view TakeDigits() {
    size_t size = 0;
    while (size < in_.size() && absl::ascii_isdigit(in_[size])) ++size;
    const absl::string_view digits = in_.substr(0, size);
    in_.remove_prefix(size);
    return digits;
  }

  // Whether decimal `a` is less than `b`, of any length.
  static bool Less(absl::string_view a, absl::string_view b) {
    while (absl::ConsumePrefix(&a, "0")) {
    }
    while (absl::ConsumePrefix(&b, "0")) {
    }
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }

  bool Take(absl::string_view text) { return absl::ConsumePrefix(&in_, text); }
  void Fail() { ok_ = false; }
  Atom Failed() {
    ok_ = false;
    return {};
  }

  absl::string_view in_;  // what is left to read
  bool ok_ = true;
  bool repeatable_ = false;  // a quantifier may follow
  std::vector<bool> open_;   // for each open group, whether it is an assertion
  size_t groups_ = 0;
  size_t highest_reference_ = 0;
  absl::flat_hash_set<absl::string_view> names_;
  std::vector<absl::string_view> references_;
};

}  // namespace

bool IsRegex(absl::string_view text) { return PatternReader(text).Run(); }

}  // namespace tipstaff::schema
