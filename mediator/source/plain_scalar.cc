#include "mediator/source/plain_scalar.h"

#include <re2/re2.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/source/printable.h"

namespace tipstaff::source {
namespace {

bool Matches(absl::string_view text, const RE2& pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

PlainScalar Ambiguous(absl::string_view text, absl::string_view taken_for,
                      absl::string_view json_form) {
  PlainScalar scalar{.kind = PlainScalar::Kind::kAmbiguous};
  scalar.message = absl::StrCat(InTicks(text), " is ", taken_for, " to some YAML readers");
  scalar.label = text.size() <= 60 ? absl::StrCat("write ", json::Quote(text), " to mean the text")
                                   : "quote it to mean the text";
  if (!json_form.empty()) absl::StrAppend(&scalar.label, ", or ", json_form);
  return scalar;
}

// The boolean or null that some reader takes this word for, "" for none.
absl::string_view WordMeaning(absl::string_view text) {
  struct Word {
    absl::string_view lower, meaning;
  };
  static constexpr Word kWords[] = {
      {"true", "true"}, {"yes", "true"}, {"on", "true"},   {"y", "true"}, {"false", "false"},
      {"no", "false"},  {"n", "false"},  {"off", "false"}, {"~", "null"}, {"null", "null"}};
  if (text.size() > 5) return "";
  const std::string lower = absl::AsciiStrToLower(text);
  for (const Word& word : kWords) {
    if (lower == word.lower) return word.meaning;
  }
  return "";
}

// `text` as a JSON integer, from a base that C's strtoll knows; "" when it does not fit.
std::string InBase(absl::string_view text, int base) {
  std::string digits = absl::StrReplaceAll(text, {{"_", ""}, {"+", ""}});
  for (absl::string_view prefix : {"0x", "0o", "0b"}) {
    if (const size_t at = digits.find(prefix.data()); at != std::string::npos) digits.erase(at, 2);
  }
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(digits.c_str(), &end, base);
  return errno == 0 && *end == '\0' && !digits.empty() ? absl::StrCat(value) : "";
}

// A number in a spelling that JSON does not have: what it may be in JSON.
std::string DecimalForm(absl::string_view text) {
  std::string plain = absl::StrReplaceAll(text, {{"_", ""}, {"+.", "0."}, {"-.", "-0."}});
  if (plain[0] == '.') plain.insert(0, 1, '0');
  if (plain[0] == '+') plain.erase(0, 1);
  while (plain.size() > 1 && plain[0] == '0' && absl::ascii_isdigit(plain[1])) plain.erase(0, 1);
  if (!plain.empty() && plain.back() == '.') plain += '0';
  return json::Parse(plain).ok() ? plain : "";
}

// Whether the first character leaves it open that a reader takes the text for more than text, other
// than by one of the words.
bool MayBeNumber(absl::string_view text) {
  return !text.empty() &&
         (absl::ascii_isdigit(text[0]) || absl::StrContains("+-.<=", text.substr(0, 1)));
}

PlainScalar NumberLike(absl::string_view text) {
  // Each covers YAML 1.1's types (yaml.org/type), PyYAML's resolver and YAML 1.2's core schema.
  static const RE2 kHex("[-+]?0x[0-9a-fA-F_]+"), kBinary("[-+]?0b[01_]+"),
      kOctal("[-+]?0o?[0-7_]+"), kDecimal("[-+]?[0-9][0-9_]*(\\.[0-9_]*)?([eE][-+]?[0-9]+)?"),
      kPoint("[-+]?\\.[0-9][0-9_]*([eE][-+]?[0-9]+)?"),
      kSixty("[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"), kSpecial("[-+]?\\.(?i:inf|nan)"),
      kDate("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(([Tt]|[ \\t]+)[0-9]{1,2}:.*)?");
  const auto number = [&](absl::string_view form) {
    return Ambiguous(text, "a number",
                     form.empty() || form.size() > 60 ? "" : absl::StrCat("`", form, "`"));
  };
  if (Matches(text, kHex)) return number(InBase(text, 16));
  if (Matches(text, kBinary)) return number(InBase(text, 2));
  if (Matches(text, kOctal)) {
    return Ambiguous(text, "a number in octal", "a decimal number that does not begin with 0");
  }
  if (Matches(text, kDecimal) || Matches(text, kPoint)) return number(DecimalForm(text));
  if (Matches(text, kSixty)) return Ambiguous(text, "a number in base 60", "");
  if (Matches(text, kSpecial)) return Ambiguous(text, "infinity or no number", "");
  if (Matches(text, kDate)) return Ambiguous(text, "a date", "");
  if (text == "<<") return Ambiguous(text, "a merge", "");
  if (text == "=") return Ambiguous(text, "a default value", "");
  return {};
}

}  // namespace

PlainScalar ReadPlainScalar(absl::string_view text) {
  static const RE2 kJsonNumber("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  const bool number = MayBeNumber(text);
  if (text == "null" || text == "true" || text == "false" ||
      (number && Matches(text, kJsonNumber))) {
    absl::StatusOr<json::Document> json = json::Parse(text);
    if (json.ok()) return {.kind = PlainScalar::Kind::kJson, .json = *std::move(json)};
    return {.kind = PlainScalar::Kind::kOutOfRange,
            .message = absl::StrCat(InTicks(text), " does not fit 64 bits or a double"),
            .label = "quote it to mean the text"};
  }
  if (const absl::string_view meaning = WordMeaning(text); !meaning.empty()) {
    return Ambiguous(text, meaning, absl::StrCat("`", meaning, "`"));
  }
  return number ? NumberLike(text) : PlainScalar{};
}

}  // namespace tipstaff::source
