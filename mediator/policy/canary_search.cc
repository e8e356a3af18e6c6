#include "mediator/policy/canary_search.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_join.h"
#include "mediator/base/utf8.h"
#include "mediator/policy/escapes.h"
#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {
namespace {

constexpr int kLevels = 3;  // of encodings within one another

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

// Whether some escape begins in one value and ends in the next, itself or once what it stands in is
// unescaped: it may take what is no part of it where each is read alone.
bool EscapesCross(std::vector<std::string> values, Notation notation) {
  for (int level = 0; level < kLevels; ++level) {
    std::transform(values.begin(), values.end(), values.begin(), InAscii);
    const std::string whole = absl::StrJoin(values, "");
    for (std::string& value : values) value = Unescaped(value, notation);
    const std::string apart = absl::StrJoin(values, "");
    if (Unescaped(whole, notation) != apart) return true;
    if (apart == whole) break;
  }
  return false;
}

bool EscapesCross(const std::vector<std::string>& values) {
  return std::any_of(std::begin(kEveryNotation), std::end(kEveryNotation),
                     [&](Notation notation) { return EscapesCross(values, notation); });
}

std::vector<std::string> AllTurned(const std::vector<std::string>& values) {
  std::vector<std::string> turned;
  std::transform(values.rbegin(), values.rend(), std::back_inserter(turned), Turned);
  return turned;
}

}  // namespace

// What a text was made from: from the innermost encoding outwards.
struct CanarySearch::Form {
  const Form* outer;
  absl::string_view name;
};

std::string CanarySearch::Words(const Form* form, bool backwards) {
  std::vector<absl::string_view> names;
  if (backwards) names.push_back("backwards");
  for (; form != nullptr; form = form->outer) names.push_back(form->name);
  std::reverse(names.begin(), names.end());
  return names.empty() ? "as it is" : absl::StrJoin(names, ", ");
}

bool CanarySearch::LookAt(absl::string_view text) {
  const Form backwards{nullptr, "backwards"};
  return InArgument(text, nullptr) || InArgument(Turned(text), &backwards);
}

bool CanarySearch::LookAtAll(const std::vector<std::string>& values) {
  if (LookAt(absl::StrJoin(values, ""))) return true;
  const bool apart = values.size() > 1 && (EscapesCross(values) || EscapesCross(AllTurned(values)));
  return apart && std::any_of(values.begin(), values.end(),
                              [this](const std::string& value) { return LookAt(value); });
}

bool CanarySearch::InArgument(absl::string_view text, const Form* form) {
  return InText(text, ReadAs::kUtf8, form, kLevels) || InCharactersAsBytes(text, form, kLevels);
}

bool CanarySearch::InEncodings(absl::string_view text, const Form* form, int levels) {
  // The same may come by several ways.
  if (!seen_texts_.Add(text, levels)) return false;
  return TooMuch(text.size()) || InUnescaped(text, form, levels) || InDigits(text, form, levels);
}

bool CanarySearch::InUnescaped(absl::string_view text, const Form* outer, int levels) {
  const Form form{outer, "escaped"};
  for (const std::string& plain : AllUnescaped(InAscii(text))) {
    if (InBytes(plain, &form, levels) || InCharactersAsBytes(plain, &form, levels) ||
        InBytesAsCharacters(plain, &form)) {
      return true;
    }
  }
  return false;
}

bool CanarySearch::InDigits(absl::string_view text, const Form* outer, int levels) {
  if (text.size() < Digits::kLeast) return false;
  const Digits digits(text);
  const Form hex{outer, "in hex"}, base64{outer, "in base64"};
  return digits.AnyHex(seen_, levels,
                       [&](absl::string_view bytes) { return InBytes(bytes, &hex, levels); }) ||
         digits.AnyBase64(seen_, levels,
                          [&](absl::string_view bytes) { return InBytes(bytes, &base64, levels); });
}

// What was decoded.
bool CanarySearch::InBytes(absl::string_view bytes, const Form* form, int levels) {
  return InText(bytes, ReadAs::kAnything, form, levels);
}

bool CanarySearch::InText(absl::string_view bytes, ReadAs as, const Form* form, int levels) {
  const auto found = [&](Planted::Found found) {
    canary_ = static_cast<size_t>(found.text);
    form_ = Words(form, found.backwards);
  };
  const auto look = [&](absl::string_view part) { return InEncodings(part, form, levels - 1); };
  return decoded_.Any(bytes, as, levels, {planted_, found, look, /*further=*/levels > 0});
}

// `\u001a\u0004` are the bytes of one letter in UTF-16.
bool CanarySearch::InCharactersAsBytes(absl::string_view text, const Form* form, int levels) {
  const std::string bytes = CharactersAsBytes(text);
  return !bytes.empty() && InBytes(bytes, form, levels);
}

// `\xfc` is a letter where it is no part of one in UTF-8. Whatever such letters stand between may
// be encodings without them, too.
bool CanarySearch::InBytesAsCharacters(absl::string_view bytes, const Form* form) {
  const std::string text = BytesAsCharacters(bytes);
  return !text.empty() && InText(text, ReadAs::kUtf8, form, /*levels=*/0);
}

bool CanarySearch::TooMuch(size_t bytes) {
  work_ += bytes;
  const bool given_up = given_up_ != nullptr && given_up_->load(std::memory_order_relaxed);
  if (work_ <= most_work_ && !given_up) return false;
  certain_ = false;
  return true;
}

}  // namespace tipstaff::policy::internal
