#include "mediator/policy/canary.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/json/pointer.h"
#include "mediator/json/write.h"
#include "mediator/policy/canary_search.h"

namespace tipstaff::policy {
namespace {

constexpr size_t kLeastCharacters = 8;
constexpr size_t kMostBytes = 256;
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

Sighting SightingOf(const internal::CanarySearch& search, std::string pointer) {
  return {std::move(pointer), search.canary(), search.form(), search.certain()};
}

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

struct Canaries::Found {
  std::optional<Sighting> sighting;
  bool whole = true;  // false: there was more to look through
};

CanaryResult Canaries::Search(json::Value arguments) const {
  return CanaryResult(Find(arguments, kMostCanaryWork, nullptr).sighting);
}

std::optional<CanaryResult> Canaries::SearchWithin(size_t work, json::Value arguments,
                                                   const std::atomic<bool>* given_up) const {
  Found found = Find(arguments, std::min(work, kMostCanaryWork), given_up);
  const bool over = found.whole || work >= kMostCanaryWork;
  if (!over || (given_up != nullptr && given_up->load())) return std::nullopt;
  return CanaryResult(std::move(found.sighting));
}

Canaries::Found Canaries::Find(json::Value arguments, size_t most_work,
                               const std::atomic<bool>* given_up) const {
  if (empty()) return {};
  internal::CanarySearch search(planted_, most_work, given_up);
  std::vector<std::string> values;
  const std::optional<std::string> name =
      Texts(arguments).FirstOf([&](absl::string_view text, bool is_name) {
        if (is_name) return search.LookAt(text);
        values.emplace_back(text);
        return false;
      });
  if (name.has_value()) return {SightingOf(search, *name), search.certain()};
  if (values.empty() || !search.LookAtAll(values)) return {};
  // Which of them it stands in, if it does in one alone.
  internal::CanarySearch again(planted_, most_work - std::min(most_work, search.work()), given_up);
  const bool only = values.size() == 1;
  const std::optional<std::string> value =
      Texts(arguments).FirstOf([&](absl::string_view text, bool is_name) {
        return !is_name && (only || (search.certain() && again.LookAt(text)));
      });
  if (only) return {SightingOf(search, *value), search.certain()};
  const bool whole = search.certain() && again.certain();
  if (value.has_value() && again.certain()) return {SightingOf(again, *value), whole};
  return {SightingOf(search, ""), whole};  // spread over several
}

}  // namespace tipstaff::policy
