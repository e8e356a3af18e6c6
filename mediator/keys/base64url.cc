#include "mediator/keys/base64url.h"

#include "absl/strings/escaping.h"

namespace tipstaff::keys {

std::string Base64Url(absl::string_view bytes) { return absl::WebSafeBase64Escape(bytes); }

std::optional<std::string> FromBase64Url(absl::string_view text) {
  std::string bytes;
  // Abseil's decoder takes padding, white space and stray bits: compare with the one right text.
  if (!absl::WebSafeBase64Unescape(text, &bytes) || Base64Url(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace tipstaff::keys
