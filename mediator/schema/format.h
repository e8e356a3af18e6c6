// The values of the keyword `format` (JSON Schema 2020-12, section 7.3), asserted.
//
// Strict by the document that defines each: a text that only most readers would take is refused.
// Pure functions of any bytes in linear time, without recursion; docs/keywords.md says for users
// what each refuses.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

enum class Format : uint8_t {
  kDateTime,             // RFC 3339 date-time
  kDate,                 // RFC 3339 full-date
  kTime,                 // RFC 3339 full-time
  kDuration,             // RFC 3339, appendix A
  kEmail,                // RFC 5321 Mailbox
  kIdnEmail,             // RFC 6531 Mailbox
  kHostname,             // RFC 1123; A-labels by RFC 5891
  kIdnHostname,          // RFC 5890
  kIpv4,                 // RFC 2673, section 3.2
  kIpv6,                 // RFC 4291, section 2.2
  kUri,                  // RFC 3986
  kUriReference,         // RFC 3986
  kIri,                  // RFC 3987
  kIriReference,         // RFC 3987
  kUriTemplate,          // RFC 6570
  kUuid,                 // RFC 4122
  kJsonPointer,          // RFC 6901
  kRelativeJsonPointer,  // draft-handrews-relative-json-pointer-01
  kRegex,                // ECMA-262 (2020), Pattern with the flag u
};

// By the name in a schema, as `date-time`; nothing for a name that JSON Schema does not define.
std::optional<Format> FindFormat(absl::string_view name);
absl::string_view FormatName(Format format);

// What such a text is, for messages: "a date as 2026-05-01".
absl::string_view FormatInWords(Format format);

// Whether `text` has the format. Any bytes; what is not UTF-8 has none.
bool HasFormat(Format format, absl::string_view text);

}  // namespace tipstaff::schema
