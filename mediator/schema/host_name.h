// Names of hosts, as DNS and IDNA2008 have them (RFC 1123, RFC 5890-5893, through libidn2).
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

struct HostNameRules {
  // Non-ASCII labels are U-labels; else they are refused.
  bool international = false;
  // The full stops U+3002, U+FF0E and U+FF61 separate labels too (RFC 3490, section 3.1).
  bool ideographic_dots = false;
  // A label that is not in Unicode's form C is brought into it; else it is refused.
  bool normalize = false;
  // ASCII labels with `--` in the third and fourth place that are not `xn--` (RFC 5890 reserves
  // them, but there are hosts of such names).
  bool reserved_labels = true;
  // U-labels may hold ß, ς and the zero-width joiners: IDNA2003 and IDNA2008 take them for
  // different hosts.
  bool deviations = true;
};

// The name in the form that is looked up: lower-case ASCII, U-labels as A-labels. Nothing when it
// is not a host name: empty, an empty label (so also a leading or trailing dot), a label over 63 or
// a name over 253 bytes of ASCII, anything but letters, digits and inner hyphens in an ASCII label,
// an A-label that is not the one form of a valid U-label, a U-label that IDNA2008 does not have
// (upper case, symbols, unassigned, a misplaced joiner or middle dot) or that breaks the
// bidirectional rule (RFC 5893), invalid UTF-8. An IPv4 address is a name here. Linear time.
std::optional<std::string> AsciiHostName(absl::string_view name, const HostNameRules& rules = {});

}  // namespace tipstaff::schema
