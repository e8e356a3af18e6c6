#include "mediator/schema/ip_address.h"

#include <arpa/inet.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace tipstaff::schema {
namespace {

// The parsed address is at `out`, in network order. inet_pton() of the C library refuses leading
// zeros, zones, masks and white space, but stops at NUL, hence the check.
bool Parse(int family, size_t longest, absl::string_view text, void* out) {
  if (text.empty() || text.size() > longest || absl::StrContains(text, '\0')) return false;
  return inet_pton(family, std::string(text).c_str(), out) == 1;
}

}  // namespace

bool IsIpv4(absl::string_view text) {
  in_addr address;
  return Parse(AF_INET, INET_ADDRSTRLEN - 1, text, &address);
}

bool IsIpv6(absl::string_view text) {
  in6_addr address;
  return Parse(AF_INET6, INET6_ADDRSTRLEN - 1, text, &address);
}

std::optional<std::string> NormalIpv6(absl::string_view text) {
  in6_addr address;
  if (!Parse(AF_INET6, INET6_ADDRSTRLEN - 1, text, &address)) return std::nullopt;
  char normal[INET6_ADDRSTRLEN];
  if (inet_ntop(AF_INET6, &address, normal, sizeof normal) == nullptr) return std::nullopt;
  return std::string(normal);
}

bool EndsInNumber(absl::string_view name) {
  if (absl::EndsWith(name, ".")) name.remove_suffix(1);
  absl::string_view last = name.substr(name.rfind('.') + 1);  // npos + 1 is 0
  if (!last.empty() && std::all_of(last.begin(), last.end(), absl::ascii_isdigit)) return true;
  if (!absl::StartsWithIgnoreCase(last, "0x")) return false;
  last.remove_prefix(2);
  return std::all_of(last.begin(), last.end(), absl::ascii_isxdigit);
}

}  // namespace tipstaff::schema
