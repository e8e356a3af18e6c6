#include "mediator/policy/canary.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/pointer.h"
#include "mediator/json/write.h"
#include "mediator/schema/characters.h"

namespace tipstaff::policy {
namespace {

constexpr size_t kLeastCharacters = 8;
constexpr size_t kMostBytes = 256;
constexpr int kLevels = 3;              // of encodings within one another
constexpr size_t kMostWork = 32 << 20;  // bytes looked through for one call
constexpr size_t kLeastHex = 2 * kLeastCharacters;

// Letters and digits of ASCII, folded: no case, width, space or punctuation hides them.
std::string Reduced(absl::string_view text) {
  std::string out;
  for (const char c : schema::FoldName(text)) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c))) out += c;
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

void AppendByte(uint32_t value, std::string& out) {
  // Planted texts are found by their ASCII.
  if (value < 0x80) out += static_cast<char>(value);
}

// How many bytes of `text` are one escaped character: `%41`, `=41`, `\x41`, `\u0041`, `&#65;`,
// `&#x41;`. 0: none.
size_t ReadEscape(absl::string_view text, uint32_t& value) {
  const auto fixed = [&](size_t prefix, size_t digits) -> size_t {
    return ReadHex(text.substr(prefix), digits, value) == digits ? prefix + digits : 0;
  };
  if (text[0] == '%' || text[0] == '=') return fixed(1, 2);
  if (absl::StartsWith(text, "\\x")) return fixed(2, 2);
  if (absl::StartsWith(text, "\\u")) return fixed(2, 4);
  if (!absl::StartsWith(text, "&#")) return 0;
  const size_t end = text.find(';');
  if (end == absl::string_view::npos || end > 10) return 0;
  const absl::string_view number = text.substr(2, end - 2);
  const bool hex = absl::StartsWithIgnoreCase(number, "x");
  const bool read =
      hex ? absl::SimpleHexAtoi(number.substr(1), &value) : absl::SimpleAtoi(number, &value);
  return read ? end + 1 : 0;
}

std::string Unescaped(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    uint32_t value = 0;
    const size_t size = ReadEscape(text, value);
    if (size > 0) {
      AppendByte(value, out);
    } else {
      out += text[0];
    }
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

// The readable parts of what was decoded: of anything else there is little. Without zero bytes, so
// that UTF-16 is readable.
void KeepReadable(absl::string_view bytes, std::vector<std::string>& out) {
  std::string run;
  const auto end = [&] {
    if (run.size() >= kLeastCharacters) out.push_back(run);
    run.clear();
  };
  for (const char c : bytes) {
    if (c == '\0') continue;
    if (absl::ascii_isprint(static_cast<unsigned char>(c)) ||
        absl::ascii_isspace(static_cast<unsigned char>(c))) {
      run += c;
    } else {
      end();
    }
  }
  end();
}

std::vector<std::string> HexDecoded(absl::string_view text) {
  std::vector<std::string> out;
  for (const std::string& run : HexRuns(text)) {
    for (const size_t from : {0, 1}) {
      const absl::string_view digits = absl::string_view(run).substr(from);
      KeepReadable(absl::HexStringToBytes(digits.substr(0, digits.size() / 2 * 2)), out);
    }
  }
  return out;
}

std::vector<std::string> Base64Decoded(absl::string_view text) {
  std::vector<std::string> out;
  for (const std::string& run : Base64Runs(text)) {
    for (const size_t from : {0, 1, 2, 3}) {
      if (from < run.size()) KeepReadable(FromBase64(absl::string_view(run).substr(from)), out);
    }
  }
  return out;
}

// Looks through one text, and what it is an encoding of.
class Search {
 public:
  explicit Search(const std::vector<std::string>& canaries) : canaries_(canaries) {}

  bool Look(absl::string_view text, const std::string& form, int levels) {
    work_ += text.size();
    if (work_ > kMostWork) return Found(0, form, /*certain=*/false);
    std::string reduced = Reduced(text);
    if (Contains(reduced, form)) return true;
    std::reverse(reduced.begin(), reduced.end());
    if (Contains(reduced, Within(form, "backwards"))) return true;
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

  Sighting Take(std::string pointer) && {
    sighting_.pointer = std::move(pointer);
    if (sighting_.form.empty()) sighting_.form = "as it is";
    return std::move(sighting_);
  }

 private:
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

struct Text {
  std::string pointer, text;
  bool is_name = false;  // of a member
};

// Every string, number and name of a member, in the order of the value.
std::vector<Text> TextsOf(json::Value arguments) {
  std::vector<Text> texts;
  std::vector<std::pair<std::string, json::Value>> open = {{"", arguments}};
  while (!open.empty()) {
    const auto [pointer, value] = std::move(open.back());
    open.pop_back();
    if (value.is_string()) {
      texts.push_back({pointer, std::string(value.string())});
    } else if (value.is_number()) {
      texts.push_back({pointer, json::Canonical(value)});
    }
    const size_t before = open.size();
    uint32_t index = 0;
    for (json::Value item : value.items()) {
      open.emplace_back(absl::StrCat(pointer, "/", index++), item);
    }
    for (const json::Member& member : value.members()) {
      std::string at = absl::StrCat(pointer, "/", json::PointerToken(member.key));
      texts.push_back({at, std::string(member.key), true});
      open.emplace_back(std::move(at), member.value);
    }
    std::reverse(open.begin() + before, open.end());
  }
  return texts;
}

}  // namespace

absl::Status Canaries::Add(absl::string_view planted) {
  std::string reduced = Reduced(planted);
  if (reduced.size() < kLeastCharacters || planted.size() > kMostBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the planted text `", base::EscapeAndCut(planted, 40), "` needs at least ",
                     kLeastCharacters, " letters and digits and at most ", kMostBytes, " bytes"));
  }
  canaries_.push_back(std::move(reduced));
  return absl::OkStatus();
}

std::optional<Sighting> Canaries::FindIn(json::Value arguments) const {
  if (empty()) return std::nullopt;
  Search search(canaries_);
  const std::vector<Text> texts = TextsOf(arguments);
  std::string values;
  for (const Text& text : texts) {
    if (search.Look(text.text, "", kLevels)) return std::move(search).Take(text.pointer);
    if (!text.is_name) absl::StrAppend(&values, text.text);
  }
  if (search.Look(values, "", kLevels)) return std::move(search).Take("");
  return std::nullopt;
}

}  // namespace tipstaff::policy
