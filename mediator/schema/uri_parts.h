// The parts of a URI (RFC 3986) or IRI (RFC 3987), and which characters each may hold.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// Views into the text that was split. `user` and `port` may be empty though present
// (`http://@h:/`).
struct Authority {
  std::optional<absl::string_view> user;
  absl::string_view host;  // with its brackets when it is an IP literal
  std::optional<absl::string_view> port;
};

struct UriParts {
  std::optional<absl::string_view> scheme;
  std::optional<absl::string_view> authority_text;  // as it stands: user, host and port
  std::optional<Authority> authority;
  absl::string_view path;
  std::optional<absl::string_view> query, fragment;
};

enum class UriAlphabet {
  kAscii,          // RFC 3986
  kInternational,  // RFC 3987: ucschar too, and iprivate in a query; bidirectional marks never
};

// Splits at the delimiters (RFC 3986, appendix B), whatever stands between them. A colon before any
// `/`, `?` and `#` ends a scheme, so that a relative path whose first segment holds one is refused
// with its scheme. Never fails.
UriParts SplitUri(absl::string_view text);

bool IsScheme(absl::string_view text);  // a letter, then letters, digits, `+`, `-`, `.`

// Each: only characters that may stand there, and every `%` before two hexadecimal digits.
bool IsUser(absl::string_view text, UriAlphabet alphabet);
bool IsRegName(absl::string_view text, UriAlphabet alphabet);
bool IsPath(absl::string_view text, UriAlphabet alphabet);
bool IsQuery(absl::string_view text, UriAlphabet alphabet);
bool IsFragment(absl::string_view text, UriAlphabet alphabet);

// `[`, an IPv6 or IPvFuture address, `]`.
bool IsIpLiteral(absl::string_view text);

// Code points that RFC 3987 adds. No surrogates, non-characters or bidirectional marks.
bool IsUcsChar(char32_t c);
bool IsPrivateChar(char32_t c);

// `%` and two hexadecimal digits at the start of `text`.
bool StartsWithEscape(absl::string_view text);

}  // namespace tipstaff::schema
