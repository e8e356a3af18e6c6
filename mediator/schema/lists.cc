#include "mediator/schema/lists.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/schema/address.h"
#include "mediator/schema/domain_entry.h"
#include "mediator/schema/numbers.h"

namespace tipstaff::schema::internal {
namespace {

constexpr size_t kFew = 8;

// Steps for one address, domain or URL: IDNA takes its time.
constexpr uint64_t kNameSteps = 16;

// Entries of a `url` that a URL is compared with in one step.
constexpr size_t kEntriesOfAStep = 16;

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

// What stands in a list that it cannot be an entry of lists nothing.
void AddEntry(UrlList list, json::Value entry, UrlRule& rule) {
  if (list == kUrlPorts) {
    if (const std::optional<uint16_t> port = PortOf(entry)) rule.ports.push_back(*port);
  } else if (entry.is_string()) {
    (void)AddUrlEntry(list, entry.string(), rule);
  }
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
    case Keyword::kUrl:
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

std::optional<uint16_t> PortOf(json::Value value) {
  if (!value.is_number() || !IsIntegral(value)) return std::nullopt;
  const double port = value.number();
  if (port < 1 || port > 65535) return std::nullopt;
  return static_cast<uint16_t>(port);
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

// In normal form once for each check, as IDNA takes its time.
const UrlRule& Lists::BoundRule(const Constraint& constraint, uint64_t& steps) {
  const UrlOperand& operand = code_.urls[constraint.index];
  if (operand.sources.empty()) return operand.rule;
  const auto [found, added] = bound_urls_.try_emplace(&constraint, operand.rule);
  UrlRule& rule = found->second;
  if (!added) return rule;
  for (const UrlSource& source : operand.sources) {
    if (source.binding >= bindings_.size()) continue;
    const json::Value binding = bindings_[source.binding];
    if (!source.spread) {
      steps += kNameSteps;
      AddEntry(source.list, binding, rule);
      continue;
    }
    for (json::Value entry : binding.items()) {
      steps += kNameSteps;
      AddEntry(source.list, entry, rule);
    }
  }
  return rule;
}

bool Lists::AllowsUrl(const Constraint& constraint, absl::string_view text, uint64_t& steps) {
  steps += kNameSteps;
  const std::optional<Url> url = ParseUrl(text);
  if (!url.has_value()) return false;
  const UrlRule& rule = BoundRule(constraint, steps);
  const size_t entries =
      rule.schemes.size() + rule.hosts.size() + rule.ports.size() + rule.paths.size();
  steps += entries / kEntriesOfAStep;
  return Allows(rule, *url);
}

bool Lists::Contain(const Constraint& constraint, json::Value value, uint64_t& steps) {
  const Keyword keyword = constraint.keyword;
  // They speak of strings.
  if ((ListsNames(keyword) || keyword == Keyword::kUrl) && !value.is_string()) return true;
  if (keyword == Keyword::kUrl) return AllowsUrl(constraint, value.string(), steps);
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
