#include "mediator/policy/canary.h"

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/json/pointer.h"
#include "mediator/json/write.h"

namespace tipstaff::policy {
namespace {

constexpr size_t kLeastCharacters = 8;
constexpr size_t kMostBytes = 256;
constexpr int kLevels = 3;                // of encodings within one another
constexpr size_t kMostWork = 8 << 20;     // bytes looked through for one call
constexpr size_t kLongestForm = 18;       // code points of an NFKD form, U+FDFA's
constexpr size_t kLongestReference = 32;  // of HTML, with zeros that say nothing
constexpr size_t kMostCanaries = 16;
constexpr size_t kLeastHex = 2 * kLeastCharacters;

void AppendUtf8(uint32_t c, std::string& out) {
  uint8_t bytes[6];
  const int size = u8_uctomb(bytes, c, sizeof bytes);
  if (size > 0) out.append(reinterpret_cast<const char*>(bytes), size);
}

// Letters and digits of any script, folded and without marks: no case, width, space, accent or
// punctuation hides them.
std::string Reduced(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    text.remove_prefix(point.bytes);
    if (!point.valid) continue;
    if (point.value < 0x80) {
      const char c = static_cast<char>(point.value);
      if (absl::ascii_isalnum(static_cast<unsigned char>(c))) out += absl::ascii_tolower(c);
      continue;
    }
    uint32_t folded[2 * kLongestForm];
    size_t size = std::size(folded);
    if (u32_casefold(&point.value, 1, nullptr, UNINORM_NFKD, folded, &size) != folded) continue;
    for (size_t i = 0; i < size; ++i) {
      if (uc_is_alnum(folded[i])) AppendUtf8(folded[i], out);
    }
  }
  return out;
}

// The characters in the opposite order; bytes that are none by themselves.
std::string Turned(absl::string_view text) {
  std::string out(text.size(), '\0');
  size_t at = text.size();
  while (!text.empty()) {
    const int bytes = base::FirstCodePoint(text).bytes;
    at -= bytes;
    std::copy_n(text.begin(), bytes, out.begin() + at);
    text.remove_prefix(bytes);
  }
  return out;
}

// The value of the hex digits that `text` begins with, at most `most`; how many there are.
size_t ReadHex(absl::string_view text, size_t most, uint32_t& value) {
  size_t digits = 0;
  value = 0;
  while (digits < most && digits < text.size() &&
         absl::ascii_isxdigit(static_cast<unsigned char>(text[digits]))) {
    uint32_t digit = 0;
    (void)absl::SimpleHexAtoi(text.substr(digits, 1), &digit);
    value = value * 16 + digit;
    ++digits;
  }
  return digits;
}

bool AreDigits(absl::string_view text, bool hex) {
  return std::all_of(text.begin(), text.end(), [hex](unsigned char c) {
    return hex ? absl::ascii_isxdigit(c) : absl::ascii_isdigit(c);
  });
}

bool IsHighSurrogate(uint32_t c) { return c >= 0xd800 && c <= 0xdbff; }
bool IsLowSurrogate(uint32_t c) { return c >= 0xdc00 && c <= 0xdfff; }

// How many bytes of `text` are one escaped character, which is appended to `out`; 0: none. `%41`,
// `=41` and `\x41` are a byte; `\u0041`, `&#65;` and `&#x41;` a code point; `\n` is a space.
size_t ReadEscape(absl::string_view text, std::string& out) {
  uint32_t value = 0;
  const auto fixed = [&](size_t prefix, size_t digits) -> size_t {
    return ReadHex(text.substr(prefix), digits, value) == digits ? prefix + digits : 0;
  };
  size_t size = 0;
  if (text[0] == '%' || text[0] == '=' || absl::StartsWith(text, "\\x")) {
    size = fixed(text[0] == '\\' ? 2 : 1, 2);
    if (size > 0) out += static_cast<char>(value);
    return size;
  }
  if (absl::StartsWith(text, "\\u")) {
    size = fixed(2, 4);
    uint32_t second = 0;
    if (IsHighSurrogate(value) && size > 0 && absl::StartsWith(text.substr(size), "\\u") &&
        ReadHex(text.substr(size + 2), 4, second) == 4 && IsLowSurrogate(second)) {
      value = 0x10000 + ((value - 0xd800) << 10) + (second - 0xdc00);
      size *= 2;
    }
  } else if (absl::StartsWith(text, "&#")) {
    const absl::string_view near = text.substr(0, kLongestReference);
    const size_t end = near.find(';');
    if (end == absl::string_view::npos) return 0;
    const absl::string_view number = near.substr(2, end - 2);
    const bool hex = absl::StartsWithIgnoreCase(number, "x");
    const absl::string_view digits = number.substr(hex ? 1 : 0);
    // Numbers to C may have signs and spaces.
    const bool read = AreDigits(digits, hex) && (hex ? absl::SimpleHexAtoi(digits, &value)
                                                     : absl::SimpleAtoi(digits, &value));
    size = read ? end + 1 : 0;
  } else if (text.size() > 1 && text[0] == '\\' && absl::StrContains("nrtbf", text.substr(1, 1))) {
    out += ' ';
    return 2;
  }
  if (size > 0) AppendUtf8(value, out);
  return size;
}

std::string Unescaped(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t size = ReadEscape(text, out);
    if (size == 0) out += text[0];
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return out;
}

// Runs of hex digits, whatever separates their bytes: `4f 6b`, `4f:6b`, `0x4f,0x6b`.
std::vector<std::string> HexRuns(absl::string_view text) {
  std::vector<std::string> runs(1);
  for (const char c : text) {
    if (absl::ascii_isxdigit(static_cast<unsigned char>(c))) {
      runs.back() += c;
    } else if ((c == 'x' || c == 'X') && absl::EndsWith(runs.back(), "0")) {
      runs.back().pop_back();
    } else if (absl::ascii_isalpha(static_cast<unsigned char>(c)) && !runs.back().empty()) {
      runs.emplace_back();
    }
  }
  runs.erase(std::remove_if(runs.begin(), runs.end(),
                            [](const std::string& run) { return run.size() < kLeastHex; }),
             runs.end());
  return runs;
}

// Runs of base64's letters, in either alphabet, whatever white space is in them.
std::vector<std::string> Base64Runs(absl::string_view text) {
  std::vector<std::string> runs(1);
  for (const char c : text) {
    if (absl::ascii_isspace(static_cast<unsigned char>(c))) continue;
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '/') {
      runs.back() += c;
    } else if (c == '-' || c == '_') {
      runs.back() += c == '-' ? '+' : '/';
    } else if (!runs.back().empty()) {
      runs.emplace_back();
    }
  }
  runs.erase(std::remove_if(runs.begin(), runs.end(),
                            [](const std::string& run) { return run.size() < kLeastCharacters; }),
             runs.end());
  return runs;
}

std::string FromBase64(absl::string_view letters) {
  std::string out;
  (void)absl::Base64Unescape(letters.substr(0, letters.size() / 4 * 4), &out);
  // What is left of a last group without padding.
  std::string rest(letters.substr(letters.size() / 4 * 4)), last;
  if (rest.size() >= 2) {
    rest.append(4 - rest.size(), '=');
    // Bits that padding should leave zero may be set.
    if (absl::Base64Unescape(rest, &last)) out += last;
  }
  return out;
}

// What was decoded, without zero bytes, so that UTF-16 is readable.
void Keep(std::string bytes, std::vector<std::string>& out) {
  bytes.erase(std::remove(bytes.begin(), bytes.end(), '\0'), bytes.end());
  if (bytes.size() >= kLeastCharacters) out.push_back(std::move(bytes));
}

std::vector<std::string> HexDecoded(absl::string_view text) {
  std::vector<std::string> out;
  for (const std::string& run : HexRuns(text)) {
    for (const size_t from : {0, 1}) {
      const absl::string_view digits = absl::string_view(run).substr(from);
      Keep(absl::HexStringToBytes(digits.substr(0, digits.size() / 2 * 2)), out);
    }
  }
  return out;
}

std::vector<std::string> Base64Decoded(absl::string_view text) {
  std::vector<std::string> out;
  for (const std::string& run : Base64Runs(text)) {
    for (const size_t from : {0, 1, 2, 3}) {
      if (from < run.size()) Keep(FromBase64(absl::string_view(run).substr(from)), out);
    }
  }
  return out;
}

// Looks through one text, and what it is an encoding of.
class Search {
 public:
  explicit Search(const std::vector<std::string>& canaries) : canaries_(canaries) {}

  // Whatever it is, it may be backwards as a whole.
  bool Look(absl::string_view text) {
    return Look(text, "", kLevels) || Look(Turned(text), "backwards", kLevels);
  }

  Sighting Take(std::string pointer) && {
    sighting_.pointer = std::move(pointer);
    if (sighting_.form.empty()) sighting_.form = "as it is";
    return std::move(sighting_);
  }

 private:
  bool Look(absl::string_view text, const std::string& form, int levels) {
    work_ += text.size();
    if (work_ > kMostWork) return Found(0, form, /*certain=*/false);
    const std::string reduced = Reduced(text);
    if (Contains(reduced, form)) return true;
    if (Contains(Turned(reduced), Within(form, "backwards"))) return true;
    if (levels == 0) return false;
    const std::string unescaped = Unescaped(text);
    if (unescaped != text && Look(unescaped, Within(form, "escaped"), levels - 1)) return true;
    for (const std::string& decoded : HexDecoded(text)) {
      if (Look(decoded, Within(form, "in hex"), levels - 1)) return true;
    }
    for (const std::string& decoded : Base64Decoded(text)) {
      if (Look(decoded, Within(form, "in base64"), levels - 1)) return true;
    }
    return false;
  }

  static std::string Within(const std::string& form, absl::string_view inner) {
    return form.empty() ? std::string(inner) : absl::StrCat(form, ", ", inner);
  }

  bool Contains(const std::string& reduced, const std::string& form) {
    for (size_t i = 0; i < canaries_.size(); ++i) {
      if (absl::StrContains(reduced, canaries_[i])) return Found(i, form, /*certain=*/true);
    }
    return false;
  }

  bool Found(size_t canary, const std::string& form, bool certain) {
    sighting_ = {.canary = canary, .form = form, .certain = certain};
    return true;
  }

  const std::vector<std::string>& canaries_;
  size_t work_ = 0;
  Sighting sighting_;
};

// Every string, number and name of a member, in the order of the value, until `look` says true. It
// is given the text and whether it is a name, and then the pointer to it. Pointers are only made
// for what was found: names may be long, and many values may stand below one.
class Texts {
 public:
  explicit Texts(json::Value arguments) { open_.push_back({arguments, 0, json::Member{}, 0}); }

  template <typename Look>
  std::optional<std::string> FirstOf(Look look) {
    while (!open_.empty()) {
      const Place place = open_.back();
      open_.pop_back();
      way_.resize(place.depth);
      way_.push_back(place);
      if (place.depth > 0 && place.named && look(place.member.key, true)) return Pointer();
      if (place.value.is_string() && look(place.value.string(), false)) return Pointer();
      if (place.value.is_number() && look(json::Canonical(place.value), false)) return Pointer();
      AddParts(place);
    }
    return std::nullopt;
  }

 private:
  struct Place {
    json::Value value;
    size_t depth = 0;
    json::Member member;  // where `named`
    size_t index = 0;
    bool named = false;
  };

  void AddParts(const Place& place) {
    const size_t before = open_.size();
    size_t index = 0;
    for (json::Value item : place.value.items()) {
      open_.push_back({item, place.depth + 1, json::Member{}, index++});
    }
    for (const json::Member& member : place.value.members()) {
      open_.push_back({member.value, place.depth + 1, member, 0, true});
    }
    std::reverse(open_.begin() + before, open_.end());
  }

  std::string Pointer() const {
    std::string pointer;
    for (size_t i = 1; i < way_.size(); ++i) {
      absl::StrAppend(
          &pointer, "/",
          way_[i].named ? json::PointerToken(way_[i].member.key) : absl::StrCat(way_[i].index));
    }
    return pointer;
  }

  std::vector<Place> open_, way_;  // to be looked at; from the whole to the one that is
};

}  // namespace

absl::Status Canaries::Add(absl::string_view planted) {
  std::string reduced = Reduced(planted);
  if (base::CountCodePoints(reduced) < kLeastCharacters || planted.size() > kMostBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the planted text `", base::EscapeAndCut(planted, 40), "` needs at least ",
                     kLeastCharacters, " letters and digits and at most ", kMostBytes, " bytes"));
  }
  if (canaries_.size() == kMostCanaries) {
    return absl::InvalidArgumentError(
        absl::StrCat("more than ", kMostCanaries, " planted texts for one run"));
  }
  canaries_.push_back(std::move(reduced));
  return absl::OkStatus();
}

std::optional<Sighting> Canaries::FindIn(json::Value arguments) const {
  if (empty()) return std::nullopt;
  Search search(canaries_);
  std::string values;
  size_t count = 0;
  const std::optional<std::string> found =
      Texts(arguments).FirstOf([&](absl::string_view text, bool is_name) {
        if (!is_name) {
          ++count;
          absl::StrAppend(&values, text);
        }
        return search.Look(text);
      });
  if (found.has_value()) return std::move(search).Take(*found);
  if (count > 1 && search.Look(values)) return std::move(search).Take("");
  return std::nullopt;
}

}  // namespace tipstaff::policy
