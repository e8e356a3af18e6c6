// URLs that every reader takes for the same place, for the keyword `url`.
//
//   UrlRule rule;
//   TIPSTAFF_RETURN_IF_ERROR(AddUrlEntry(kUrlHosts, "*.example.com", rule));
//   const std::optional<Url> url = ParseUrl("https://docs.example.com/a?b");
//   const bool passes = url.has_value() && Allows(rule, *url);
//
// RFC 3986 with `scheme://host`. Refused, because readers of URLs differ about it or it hides where
// the URL leads:
//   - no scheme or host, a user part (`https://example.com@evil.example/`), a backslash, white
//     space, control characters, anything not ASCII outside the host, `%` without two hexadecimal
//     digits, over 8192 bytes
//   - a host that is no name as PlainDomain() has it: with an escape, an underscore, a trailing dot
//   - IPv4 in any but the dotted form (`0x7f.1`, `2130706433`, `0177.0.0.1`, `127.1`), an IPv6
//   zone,
//     IPvFuture
//   - a port that is empty, 0, over 65535 or has leading zeros
//   - a path that leads elsewhere once read: a `.` or `..` segment, plain or escaped (`%2e`), or
//     with parameters (`..;x`); an escaped `/`, `\`, control or invisible character, or full stop
//     or slash of another width; an escape that decodes to another escape (`%252e`); escapes that
//     are not UTF-8 (`%c0%ae`)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tipstaff::schema {

struct Url {
  std::string scheme;  // lower case
  std::string host;    // lower-case ASCII after IDNA; 192.0.2.1; [2001:db8::1] as RFC 5952 has it
  bool is_ip = false;  // `host` is an address
  uint16_t port = 0;   // as given or the scheme's default; 0: the scheme has none that we know
  std::string path;    // as given, `/` for an empty one; query and fragment are not kept
};

std::optional<Url> ParseUrl(absl::string_view text);

// The lists of a rule, as bits.
enum UrlList : uint8_t { kUrlSchemes = 1, kUrlHosts = 2, kUrlPorts = 4, kUrlPaths = 8 };

// What a permission lists. Make it with AddUrlEntry(): Allows() compares bytes.
struct UrlRule {
  std::vector<std::string> schemes;  // empty: https only
  // `example.com` that name alone; `*.example.com` the names below it at any depth; an IP address
  // only itself. Empty: none.
  std::vector<std::string> hosts;
  std::vector<uint16_t> ports;  // 1 to 65535; empty: the scheme's default
  // `/a` that path alone; `/a/` it and all below it, but not `/a`. Compared as written, with upper
  // and lower case and escapes. Empty: any path. A query is never judged.
  std::vector<std::string> paths;
  // Lists that are there though they may be empty, of UrlList: an empty one of these lists nothing.
  uint8_t there = 0;
};

// One more entry of a list of texts. InvalidArgument for one that can never match: the rule stays
// as it was.
absl::Status AddUrlEntry(UrlList list, absl::string_view entry, UrlRule& rule);

// Whether each part of `url` is listed.
bool Allows(const UrlRule& rule, const Url& url);

}  // namespace tipstaff::schema
