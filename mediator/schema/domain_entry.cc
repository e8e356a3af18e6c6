#include "mediator/schema/domain_entry.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/schema/host_name.h"
#include "mediator/schema/ip_address.h"

namespace tipstaff::schema {

std::optional<std::string> PlainDomain(absl::string_view name) {
  HostNameRules rules;
  rules.international = true;
  rules.deviations = false;
  std::optional<std::string> ascii = AsciiHostName(name, rules);
  if (ascii.has_value() && EndsInNumber(*ascii)) return std::nullopt;
  return ascii;
}

absl::StatusOr<std::string> NormalDomainEntry(absl::string_view entry) {
  absl::string_view name = entry;
  const bool below = absl::ConsumePrefix(&name, "*.");
  const std::optional<std::string> domain = PlainDomain(name);
  if (!domain.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", base::EscapeAndCut(entry, 80),
                     "` is not a domain: write `example.com`, or `*.example.com` for what is "
                     "below it"));
  }
  if (below && !absl::StrContains(*domain, '.')) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", base::EscapeAndCut(entry, 80),
                     "` takes in a whole top-level domain: name the domain below it"));
  }
  return absl::StrCat(below ? "*." : "", *domain);
}

bool IsInDomain(absl::string_view entry, absl::string_view domain) {
  if (!absl::ConsumePrefix(&entry, "*")) return !domain.empty() && entry == domain;
  // `entry` is `.example.com` now.
  return entry.size() > 1 && entry[0] == '.' && domain.size() > entry.size() &&
         absl::EndsWith(domain, entry);
}

}  // namespace tipstaff::schema
