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

absl::Status AddUrlEntry(UrlList list, absl::string_view entry, UrlRule& rule) {
  switch (list) {
    case kUrlSchemes: {
      TIPSTAFF_ASSIGN_OR_RETURN(std::string scheme, NormalScheme(entry));
      rule.schemes.push_back(std::move(scheme));
      return absl::OkStatus();
    }
    case kUrlHosts: {
      TIPSTAFF_ASSIGN_OR_RETURN(std::string host, NormalHost(entry));
      rule.hosts.push_back(std::move(host));
      return absl::OkStatus();
    }
    case kUrlPaths:
      TIPSTAFF_RETURN_IF_ERROR(CheckPath(entry));
      rule.paths.emplace_back(entry);
      return absl::OkStatus();
    case kUrlPorts:
      break;
  }
  return Bad(entry, "is not a port: ports are numbers");
}

}  // namespace tipstaff::schema
