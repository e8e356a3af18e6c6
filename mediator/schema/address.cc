#include "mediator/schema/address.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "mediator/schema/domain_entry.h"

namespace tipstaff::schema {
namespace {

constexpr size_t kMaxLocalPart = 64;
constexpr size_t kMaxAddress = 254;

// RFC 5322's atext without what routes, names files, runs commands or begins an encoded word.
constexpr absl::string_view kMarks = "#&'*+-=^_{}~";

bool IsPlainLocalPart(absl::string_view local) {
  if (local.empty() || local.size() > kMaxLocalPart || local[0] == '-') return false;
  bool after_dot = true;
  for (const char c : local) {
    if (c == '.') {
      if (after_dot) return false;
      after_dot = true;
      continue;
    }
    if (!absl::ascii_isalnum(c) && !absl::StrContains(kMarks, c)) return false;
    after_dot = false;
  }
  return !after_dot;
}

}  // namespace

std::optional<Address> ParseAddress(absl::string_view text) {
  const size_t at = text.find('@');
  if (at == absl::string_view::npos || !IsPlainLocalPart(text.substr(0, at))) return std::nullopt;
  std::optional<std::string> domain = PlainDomain(text.substr(at + 1));
  if (!domain.has_value() || at + 1 + domain->size() > kMaxAddress) return std::nullopt;
  return Address{std::string(text.substr(0, at)), *std::move(domain)};
}

bool IsListed(const Address& address, absl::Span<const Address> listed) {
  return std::find(listed.begin(), listed.end(), address) != listed.end();
}

}  // namespace tipstaff::schema
