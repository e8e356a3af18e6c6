#include "mediator/schema/format_checks.h"
#include "mediator/schema/host_name.h"

namespace tipstaff::schema {

bool IsHostname(absl::string_view text) { return AsciiHostName(text).has_value(); }

bool IsIdnHostname(absl::string_view text) {
  HostNameRules rules;
  rules.international = true;
  rules.ideographic_dots = true;
  rules.reserved_labels = false;
  return AsciiHostName(text, rules).has_value();
}

}  // namespace tipstaff::schema
