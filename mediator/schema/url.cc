#include "mediator/schema/url.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/schema/domain_entry.h"
#include "mediator/schema/ip_address.h"
#include "mediator/schema/uri_parts.h"
#include "mediator/schema/url_path.h"

namespace tipstaff::schema {
namespace {

constexpr size_t kMaxUrl = 8192;

struct SchemePort {
  absl::string_view scheme;
  uint16_t port;
};
constexpr SchemePort kDefaultPorts[] = {{"https", 443}, {"http", 80},  {"wss", 443},  {"ws", 80},
                                        {"ftp", 21},    {"ftps", 990}, {"ssh", 22},   {"sftp", 22},
                                        {"git", 9418},  {"ldap", 389}, {"ldaps", 636}};

uint16_t DefaultPort(absl::string_view scheme) {
  for (const SchemePort& known : kDefaultPorts) {
    if (known.scheme == scheme) return known.port;
  }
  return 0;
}

// A number from 1 to 65535 without leading zeros.
std::optional<uint16_t> ParsePort(absl::string_view text) {
  uint32_t port = 0;
  const bool digits = !text.empty() && text.size() <= 5 && text[0] != '0' &&
                      std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
  if (!digits || !absl::SimpleAtoi(text, &port) || port > 65535) return std::nullopt;
  return static_cast<uint16_t>(port);
}

struct Host {
  std::string name;
  bool is_ip = false;
};

std::optional<Host> ParseHost(absl::string_view text) {
  if (absl::ConsumePrefix(&text, "[")) {
    if (!absl::ConsumeSuffix(&text, "]")) return std::nullopt;
    const std::optional<std::string> normal = NormalIpv6(text);
    if (!normal.has_value()) return std::nullopt;
    return Host{absl::StrCat("[", *normal, "]"), true};
  }
  if (IsIpv4(text)) return Host{std::string(text), true};
  std::optional<std::string> name = PlainDomain(text);
  if (!name.has_value()) return std::nullopt;
  return Host{*std::move(name), false};
}

template <typename Predicate>
bool Any(const std::vector<std::string>& list, Predicate predicate) {
  return std::any_of(list.begin(), list.end(), predicate);
}

}  // namespace

std::optional<Url> ParseUrl(absl::string_view text) {
  if (text.size() > kMaxUrl) return std::nullopt;
  const UriParts parts = SplitUri(text);
  if (!parts.scheme.has_value() || !IsScheme(*parts.scheme)) return std::nullopt;
  if (!parts.authority.has_value() || parts.authority->user.has_value()) return std::nullopt;
  if (!IsPlainUrlPath(parts.path)) return std::nullopt;
  if (parts.query.has_value() && !IsQuery(*parts.query, UriAlphabet::kAscii)) return std::nullopt;
  if (parts.fragment.has_value() && !IsFragment(*parts.fragment, UriAlphabet::kAscii)) {
    return std::nullopt;
  }
  std::optional<Host> host = ParseHost(parts.authority->host);
  if (!host.has_value()) return std::nullopt;
  Url url{absl::AsciiStrToLower(*parts.scheme), std::move(host->name), host->is_ip};
  url.port = DefaultPort(url.scheme);
  if (parts.authority->port.has_value()) {
    const std::optional<uint16_t> port = ParsePort(*parts.authority->port);
    if (!port.has_value()) return std::nullopt;
    url.port = *port;
  }
  url.path = parts.path.empty() ? "/" : std::string(parts.path);
  return url;
}

bool Allows(const UrlRule& rule, const Url& url) {
  const auto absent = [&rule](UrlList list, size_t entries) {
    return entries == 0 && (rule.there & list) == 0;
  };
  const bool scheme =
      absent(kUrlSchemes, rule.schemes.size())
          ? url.scheme == "https"
          : Any(rule.schemes, [&](const std::string& entry) { return entry == url.scheme; });
  if (!scheme) return false;
  if (!Any(rule.hosts, [&](const std::string& entry) {
        return url.is_ip ? entry == url.host : IsInDomain(entry, url.host);
      })) {
    return false;
  }
  const bool port =
      absent(kUrlPorts, rule.ports.size())
          ? url.port == DefaultPort(url.scheme)
          : std::find(rule.ports.begin(), rule.ports.end(), url.port) != rule.ports.end();
  if (!port) return false;
  return absent(kUrlPaths, rule.paths.size()) || Any(rule.paths, [&](const std::string& entry) {
           return absl::EndsWith(entry, "/") ? absl::StartsWith(url.path, entry)
                                             : url.path == entry;
         });
}

}  // namespace tipstaff::schema
