#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "mediator/schema/format_checks.h"
#include "mediator/schema/uri_parts.h"

namespace tipstaff::schema {
namespace {

bool IsAuthority(const Authority& authority, UriAlphabet alphabet) {
  if (authority.user.has_value() && !IsUser(*authority.user, alphabet)) return false;
  if (authority.port.has_value() &&
      !std::all_of(authority.port->begin(), authority.port->end(), absl::ascii_isdigit)) {
    return false;
  }
  // What is no literal is a reg-name, numbers of any kind too: to URI they are names.
  return absl::StartsWith(authority.host, "[") ? IsIpLiteral(authority.host)
                                               : IsRegName(authority.host, alphabet);
}

bool IsReference(absl::string_view text, UriAlphabet alphabet, bool needs_scheme) {
  const UriParts parts = SplitUri(text);
  if (needs_scheme && !parts.scheme.has_value()) return false;
  if (parts.scheme.has_value() && !IsScheme(*parts.scheme)) return false;
  if (parts.authority.has_value() && !IsAuthority(*parts.authority, alphabet)) return false;
  return IsPath(parts.path, alphabet) &&
         (!parts.query.has_value() || IsQuery(*parts.query, alphabet)) &&
         (!parts.fragment.has_value() || IsFragment(*parts.fragment, alphabet));
}

}  // namespace

bool IsUri(absl::string_view text) { return IsReference(text, UriAlphabet::kAscii, true); }

bool IsUriReference(absl::string_view text) {
  return IsReference(text, UriAlphabet::kAscii, false);
}

bool IsIri(absl::string_view text) { return IsReference(text, UriAlphabet::kInternational, true); }

bool IsIriReference(absl::string_view text) {
  return IsReference(text, UriAlphabet::kInternational, false);
}

}  // namespace tipstaff::schema
