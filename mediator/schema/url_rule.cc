#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/schema/domain_entry.h"
#include "mediator/schema/ip_address.h"
#include "mediator/schema/uri_parts.h"
#include "mediator/schema/url.h"
#include "mediator/schema/url_path.h"

namespace tipstaff::schema {
namespace {

absl::Status Bad(absl::string_view entry, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("`", base::EscapeAndCut(entry, 80), "` ", what));
}

absl::StatusOr<std::string> NormalScheme(absl::string_view entry) {
  if (!IsScheme(entry)) return Bad(entry, "is not a scheme: write it as `https`, without `://`");
  return absl::AsciiStrToLower(entry);
}

absl::StatusOr<std::string> NormalHost(absl::string_view entry) {
  if (IsIpv4(entry)) return std::string(entry);
  const bool bracketed = absl::StartsWith(entry, "[") && absl::EndsWith(entry, "]");
  const absl::string_view address = bracketed ? entry.substr(1, entry.size() - 2) : entry;
  if (const auto normal = NormalIpv6(address)) return absl::StrCat("[", *normal, "]");
  return NormalDomainEntry(entry);
}

absl::Status CheckPath(absl::string_view entry) {
  if (!entry.empty() && IsPlainUrlPath(entry)) return absl::OkStatus();
  return Bad(entry,
             "is not a path that a URL can have here: write it from `/`, without `?`, `#`, dot "
             "segments or escaped slashes");
}

}  // namespace

absl::StatusOr<UrlRule> NormalUrlRule(UrlRule rule) {
  if (rule.hosts.empty()) return absl::InvalidArgumentError("`url` lists no `hosts`");
  if (rule.schemes.empty()) rule.schemes = {"https"};
  for (std::string& scheme : rule.schemes) {
    TIPSTAFF_ASSIGN_OR_RETURN(scheme, NormalScheme(scheme));
  }
  for (std::string& host : rule.hosts) {
    TIPSTAFF_ASSIGN_OR_RETURN(host, NormalHost(host));
  }
  for (const uint16_t port : rule.ports) {
    if (port == 0) return absl::InvalidArgumentError("`0` is not a port: write 1 to 65535");
  }
  for (const std::string& path : rule.paths) TIPSTAFF_RETURN_IF_ERROR(CheckPath(path));
  return rule;
}

}  // namespace tipstaff::schema
