// One check for each format. What each holds for is said beside its name in format.h.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// A leap second may stand at 23:59:60 UTC only, in a date-time on the last day of a month only.
bool IsDateTime(absl::string_view text);
bool IsDate(absl::string_view text);
bool IsTime(absl::string_view text);
bool IsDuration(absl::string_view text);  // upper case, as ISO 8601 has it

bool IsEmail(absl::string_view text);     // quoted local parts and address literals too
bool IsIdnEmail(absl::string_view text);  // a domain may be in any Unicode normal form

bool IsHostname(absl::string_view text);
bool IsIdnHostname(absl::string_view text);

bool IsUri(absl::string_view text);
bool IsUriReference(absl::string_view text);
bool IsIri(absl::string_view text);
bool IsIriReference(absl::string_view text);
bool IsUriTemplate(absl::string_view text);  // no operator that RFC 6570 only reserves

bool IsUuid(absl::string_view text);  // of any version and variant
bool IsJsonPointer(absl::string_view text);
bool IsRelativeJsonPointer(absl::string_view text);

// Grammar and early errors of ECMA-262 2020, section 21.2.1, with the flag u: look-around, named
// groups and back-references are patterns, though ToRe2() (pattern.h) takes none of them for the
// keyword `pattern`. Limits: `\p{...}` is checked for its form and not against Unicode's lists of
// properties; a group's name holds no `\u` escape.
bool IsRegex(absl::string_view text);

}  // namespace tipstaff::schema
