// What a permission lists as a domain: `example.com` is that name alone, `*.example.com` the names
// below it, at any depth and without itself.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// The entry in the form that IsInDomain() compares: lower-case ASCII after IDNA2008, with its `*.`
// where there was one. InvalidArgument for what is no host name, an IP address, and a `*.` before a
// single label: `*.com` would take in strangers.
absl::StatusOr<std::string> NormalDomainEntry(absl::string_view entry);

// Both in normal form: `entry` as NormalDomainEntry() gave it, `domain` as ParseAddress() or
// ParseUrl() did. An entry in any other form is of no domain.
bool IsInDomain(absl::string_view entry, absl::string_view domain);

// A name of a host that every reader takes alike, in lower-case ASCII: labels as AsciiHostName()
// has them, U-labels but for ß, ς and the joiners (write the `xn--` form of those), and nothing
// that could be an IPv4 address.
std::optional<std::string> PlainDomain(absl::string_view name);

}  // namespace tipstaff::schema
