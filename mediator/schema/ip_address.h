// IP addresses as text, in the one form that every reader understands alike.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// Four decimal numbers from 0 to 255 without leading zeros, joined by dots (RFC 2673, section 3.2).
// Refused: fewer parts, hexadecimal and octal forms, a port, a mask, white space.
bool IsIpv4(absl::string_view text);

// RFC 4291, section 2.2: eight groups of one to four hexadecimal digits, `::` once at most, the
// last two groups as IPv4 if wished. Refused: a zone (`%eth0`), a mask, brackets, white space.
bool IsIpv6(absl::string_view text);

// `text` as RFC 5952 writes it: lower case, no leading zeros, the longest run of zeros as `::`.
// Nothing when it is not an IPv6 address.
std::optional<std::string> NormalIpv6(absl::string_view text);

// Whether a URL reader takes the name for an IPv4 address, in any form: its last label is decimal,
// or hexadecimal after `0x` (WHATWG URL, "ends in a number checker"). `2130706433`, `0x7f.1` and
// `127.1` all name 127.0.0.1 to some reader.
bool EndsInNumber(absl::string_view name);

}  // namespace tipstaff::schema
