#include "mediator/policy/canary.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/json/pointer.h"
#include "mediator/json/write.h"
#include "mediator/policy/decoded_text.h"
#include "mediator/policy/digits.h"
#include "mediator/policy/escapes.h"

namespace tipstaff::policy {
namespace {

constexpr size_t kLeastCharacters = 8;
constexpr size_t kMostBytes = 256;
constexpr int kLevels = 3;  // of encodings within one another
// Bytes looked through for one call. A call of the greatest size takes a quarter of it, unless it
// is in more encodings than one.
constexpr size_t kMostWork = 48 << 20;
constexpr size_t kMostCanaries = 16;

// Of any script, folded and without marks: no case, width, space, accent or punctuation hides them.
std::vector<uint32_t> LettersOf(absl::string_view text) {
  std::vector<uint32_t> out;
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    text.remove_prefix(point.bytes);
    if (!point.valid) continue;
    const absl::Span<const uint32_t> letters = internal::Letters::Get().Of(point.value);
    out.insert(out.end(), letters.begin(), letters.end());
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

// Looks through one text, and what it is an encoding of.
class Search {
 public:
  explicit Search(const internal::Planted& planted) : planted_(planted) {}

  // Whatever it is, it may be backwards as a whole.
  bool Look(absl::string_view text) {
    return InArgument(text, "") || InArgument(Turned(text), "backwards");
  }

  Sighting Take(std::string pointer) && {
    sighting_.pointer = std::move(pointer);
    if (sighting_.form.empty()) sighting_.form = "as it is";
    return std::move(sighting_);
  }

 private:
  bool InArgument(absl::string_view text, const std::string& form) {
    return InText(text, form, kLevels) || InCharactersAsBytes(text, form, kLevels);
  }

  bool InText(absl::string_view text, const std::string& form, int levels) {
    if (!Afford(text.size(), form)) return true;
    if (SaysOne(text, form)) return true;
    if (levels == 0) return false;
    --levels;
    return InUnescaped(text, form, levels) || InDigits(text, form, levels);
  }

  bool InUnescaped(absl::string_view text, const std::string& form, int levels) {
    const std::string ascii = internal::InAscii(text);
    const std::string unescaped = internal::Unescaped(ascii);
    if (unescaped == ascii) return false;
    const std::string inner = Within(form, "escaped");
    return InBytes(unescaped, inner, levels) || InCharactersAsBytes(unescaped, inner, levels);
  }

  bool InDigits(absl::string_view text, const std::string& form, int levels) {
    if (text.size() < internal::Digits::kLeast) return false;
    const internal::Digits digits(text);
    return digits.AnyHex([&](absl::string_view bytes) {
      return InBytes(bytes, Within(form, "in hex"), levels);
    }) || digits.AnyBase64([&](absl::string_view bytes) {
      return InBytes(bytes, Within(form, "in base64"), levels);
    });
  }

  // What was decoded: it may be UTF-8, or UTF-16 of either order from either byte on.
  bool InBytes(absl::string_view bytes, const std::string& form, int levels) {
    return internal::AnyUtf8(bytes,
                             [&](absl::string_view text) { return InText(text, form, levels); }) ||
           InUtf16(bytes, form, levels);
  }

  // `\u001a\u0004` are the bytes of one letter in UTF-16.
  bool InCharactersAsBytes(absl::string_view text, const std::string& form, int levels) {
    const std::string bytes = internal::CharactersAsBytes(text);
    return !bytes.empty() && InBytes(bytes, form, levels);
  }

  bool InUtf16(absl::string_view bytes, const std::string& form, int levels) {
    for (const size_t from : {0, 1}) {
      for (const bool big_endian : {false, true}) {
        if (bytes.size() <= from) continue;
        if (!Afford(bytes.size() / 2, form)) return true;
        internal::Utf16 text(bytes.substr(from), big_endian);
        internal::Planted::Search search(planted_);
        internal::AsciiParts parts(bytes.substr(from), big_endian);
        while (!text.done()) {
          const size_t at = text.at();
          const uint32_t c = text.Next();
          if (const auto found = search.Take(c)) return Found(found, form);
          if (levels > 0) parts.Take(c, at);
        }
        if (levels > 0 &&
            parts.Any([&](absl::string_view part) { return InText(part, form, levels); })) {
          return true;
        }
      }
    }
    return false;
  }

  bool SaysOne(absl::string_view text, const std::string& form) {
    internal::Planted::Search search(planted_);
    while (!text.empty()) {
      const base::CodePoint point = internal::NextCodePoint(text);
      text.remove_prefix(point.bytes);
      if (!point.valid) continue;
      if (const auto found = search.Take(point.value)) return Found(found, form);
    }
    return false;
  }

  static std::string Within(const std::string& form, absl::string_view inner) {
    return form.empty() ? std::string(inner) : absl::StrCat(form, ", ", inner);
  }

  bool Found(internal::Planted::Found found, const std::string& form) {
    sighting_ = {.canary = static_cast<size_t>(found.text),
                 .form = found.backwards ? Within(form, "backwards") : form};
    return true;
  }

  // False when there is more to look through than is looked through.
  bool Afford(size_t bytes, const std::string& form) {
    work_ += bytes;
    if (work_ <= kMostWork) return true;
    sighting_ = {.form = form, .certain = false};
    return false;
  }

  const internal::Planted& planted_;
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
  const std::vector<uint32_t> letters = LettersOf(planted);
  if (letters.size() < kLeastCharacters || planted.size() > kMostBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the planted text `", base::EscapeAndCut(planted, 40), "` needs at least ",
                     kLeastCharacters, " letters and digits and at most ", kMostBytes, " bytes"));
  }
  if (planted_.size() == kMostCanaries) {
    return absl::InvalidArgumentError(
        absl::StrCat("more than ", kMostCanaries, " planted texts for one run"));
  }
  planted_.Add(letters);
  return absl::OkStatus();
}

std::optional<Sighting> Canaries::FindIn(json::Value arguments) const {
  if (empty()) return std::nullopt;
  Search search(planted_);
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
