// Values of the HTTP headers that MCP defines.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::upstream {

// `text` as a header carries it: as it is, or, where it is not plain printable ASCII, begins or
// ends with a space, or looks encoded already, `=?base64?…?=` with the standard alphabet. Source:
// modelcontextprotocol.io, "Transports" (2026-07-28), "Value Encoding".
std::string HeaderValue(absl::string_view text);

// A session id that may be sent back: visible ASCII, of at most kMaxSessionBytes (limits.h).
bool IsSessionId(absl::string_view text);

// Whether `text` is a header's name (RFC 9110, a token).
bool IsHeaderName(absl::string_view text);

// Printable ASCII without a space at an end: may stand in a header as it is.
bool IsPlainValue(absl::string_view text);

}  // namespace tipstaff::upstream
