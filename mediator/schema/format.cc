#include "mediator/schema/format.h"

#include "mediator/base/utf8.h"
#include "mediator/schema/format_checks.h"
#include "mediator/schema/ip_address.h"

namespace tipstaff::schema {
namespace {

struct Row {
  Format format;
  absl::string_view name;
  absl::string_view words;
  bool (*has)(absl::string_view);
};

// In the order of the enumeration.
constexpr Row kRows[] = {
    {Format::kDateTime, "date-time", "a date and time as 2026-05-01T09:00:00Z", IsDateTime},
    {Format::kDate, "date", "a date as 2026-05-01", IsDate},
    {Format::kTime, "time", "a time with its offset as 09:00:00Z", IsTime},
    {Format::kDuration, "duration", "a duration as P1DT12H", IsDuration},
    {Format::kEmail, "email", "an e-mail address", IsEmail},
    {Format::kIdnEmail, "idn-email", "an internationalized e-mail address", IsIdnEmail},
    {Format::kHostname, "hostname", "a host name", IsHostname},
    {Format::kIdnHostname, "idn-hostname", "an internationalized host name", IsIdnHostname},
    {Format::kIpv4, "ipv4", "an IPv4 address as 192.0.2.1", IsIpv4},
    {Format::kIpv6, "ipv6", "an IPv6 address as 2001:db8::1", IsIpv6},
    {Format::kUri, "uri", "a URI with its scheme", IsUri},
    {Format::kUriReference, "uri-reference", "a URI or relative reference", IsUriReference},
    {Format::kIri, "iri", "an IRI with its scheme", IsIri},
    {Format::kIriReference, "iri-reference", "an IRI or relative reference", IsIriReference},
    {Format::kUriTemplate, "uri-template", "a URI template", IsUriTemplate},
    {Format::kUuid, "uuid", "a UUID", IsUuid},
    {Format::kJsonPointer, "json-pointer", "a JSON pointer as /a/0", IsJsonPointer},
    {Format::kRelativeJsonPointer, "relative-json-pointer", "a relative JSON pointer as 1/a",
     IsRelativeJsonPointer},
    {Format::kRegex, "regex", "a regular expression of ECMA-262", IsRegex},
};

constexpr bool InOrder() {
  int next = 0;
  for (const Row& row : kRows) {
    if (static_cast<int>(row.format) != next++) return false;
  }
  return next == static_cast<int>(Format::kRegex) + 1;
}
static_assert(InOrder(), "one row for each format, in the order of the enumeration");

const Row& Of(Format format) { return kRows[static_cast<size_t>(format)]; }

}  // namespace

std::optional<Format> FindFormat(absl::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.format;
  }
  return std::nullopt;
}

absl::string_view FormatName(Format format) { return Of(format).name; }

absl::string_view FormatInWords(Format format) { return Of(format).words; }

bool HasFormat(Format format, absl::string_view text) {
  return base::IsUtf8(text) && Of(format).has(text);
}

}  // namespace tipstaff::schema
