#include "mediator/schema/lists.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/schema/address.h"
#include "mediator/schema/domain_entry.h"

namespace tipstaff::schema::internal {
namespace {

constexpr size_t kFew = 8;

// Steps for one address or domain: IDNA takes its time.
constexpr uint64_t kNameSteps = 16;

bool ListsNames(Keyword keyword) {
  return keyword == Keyword::kEmail || keyword == Keyword::kEmailDomain;
}

uint64_t StepsFor(Keyword keyword) { return ListsNames(keyword) ? kNameSteps : 1; }

std::string FormOf(const Address& address) {
  return absl::StrCat(address.local, "@", address.domain);
}

// `domain` itself, or `*.` and what it lies below.
template <typename Forms>
bool HoldsDomain(const Forms& forms, const std::string& domain) {
  if (forms.contains(domain)) return true;
  for (size_t dot = domain.find('.'); dot != std::string::npos; dot = domain.find('.', dot + 1)) {
    if (forms.contains(absl::StrCat("*", domain.substr(dot)))) return true;
  }
  return false;
}

}  // namespace

bool ListsValues(Keyword keyword) {
  switch (keyword) {
    case Keyword::kConst:
    case Keyword::kEmail:
    case Keyword::kEmailDomain:
    case Keyword::kEnum:
    case Keyword::kEquals:
    case Keyword::kIn:
      return true;
    default:
      return false;
  }
}

bool IsHashed(Keyword keyword, size_t values) { return ListsNames(keyword) || values > kFew; }

std::optional<std::string> ListedForm(Keyword keyword, json::Value entry) {
  if (!ListsNames(keyword)) return json::Canonical(entry);
  if (!entry.is_string()) return std::nullopt;
  if (keyword == Keyword::kEmail) {
    const std::optional<Address> address = ParseAddress(entry.string());
    if (!address) return std::nullopt;
    return FormOf(*address);
  }
  absl::StatusOr<std::string> domain = NormalDomainEntry(entry.string());
  if (!domain.ok()) return std::nullopt;
  return *std::move(domain);
}

// A binding that was not given lists nothing.
template <typename Take>
bool Lists::AnyBound(const Constraint& constraint, Take take) const {
  for (const Candidate& candidate : constraint.candidates) {
    if (candidate.binding >= bindings_.size() || !bindings_[candidate.binding].exists()) continue;
    const json::Value binding = bindings_[candidate.binding];
    if (!constraint.spread) {
      if (take(binding)) return true;
      continue;
    }
    for (json::Value item : binding.items()) {
      if (take(item)) return true;
    }
  }
  return false;
}

size_t Lists::CountBound(const Constraint& constraint) const {
  if (!constraint.spread) return constraint.candidates.size();
  const uint32_t binding = constraint.candidates.front().binding;
  return binding < bindings_.size() ? bindings_[binding].size() : 0;
}

const Lists::Forms& Lists::BoundForms(const Constraint& constraint, uint64_t& steps) {
  const auto [found, added] = bound_.try_emplace(&constraint);
  Forms& forms = found->second;
  if (!added) return forms;
  AnyBound(constraint, [&](json::Value entry) {
    steps += StepsFor(constraint.keyword);
    if (auto form = ListedForm(constraint.keyword, entry)) forms.insert(*std::move(form));
    return false;
  });
  return forms;
}

bool Lists::Contain(const Constraint& constraint, json::Value value, uint64_t& steps) {
  const Keyword keyword = constraint.keyword;
  if (ListsNames(keyword) && !value.is_string()) return true;  // they speak of strings
  const bool hashes = constraint.listed != kNone || IsHashed(keyword, CountBound(constraint));
  if (!hashes) {
    for (const Candidate& candidate : constraint.candidates) {
      if (candidate.constant != kNone && json::Equal(code_.constants[candidate.constant], value)) {
        return true;
      }
    }
    return AnyBound(constraint, [&](json::Value one) { return json::Equal(one, value); });
  }
  steps += StepsFor(keyword);
  const Forms& bound = BoundForms(constraint, steps);
  const Forms* literal = constraint.listed == kNone ? nullptr : &code_.listed[constraint.listed];
  if (!ListsNames(keyword)) {
    const std::string form = json::Canonical(value);
    return bound.contains(form) || (literal != nullptr && literal->contains(form));
  }
  const std::optional<Address> address = ParseAddress(value.string());
  if (!address) return false;
  if (keyword == Keyword::kEmail) {
    const std::string form = FormOf(*address);
    return bound.contains(form) || (literal != nullptr && literal->contains(form));
  }
  return HoldsDomain(bound, address->domain) ||
         (literal != nullptr && HoldsDomain(*literal, address->domain));
}

}  // namespace tipstaff::schema::internal
