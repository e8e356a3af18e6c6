#include "mediator/base/digest.h"

#include <sodium.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"

namespace tipstaff::base {

Digest DigestOf(absl::string_view bytes) {
  Digest digest;
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  return digest;
}

Digest KeyedDigestOf(absl::string_view key, absl::string_view bytes) {
  Digest digest;
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                     reinterpret_cast<const unsigned char*>(key.data()), key.size());
  return digest;
}

std::string ToHex(const Digest& digest) {
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

std::optional<Digest> DigestFromHex(absl::string_view hex) {
  Digest digest;
  if (hex.size() != 2 * digest.size() || !std::all_of(hex.begin(), hex.end(), [](char c) {
        return absl::ascii_isdigit(c) || (c >= 'a' && c <= 'f');
      })) {
    return std::nullopt;
  }
  const std::string bytes = absl::HexStringToBytes(hex);
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

}  // namespace tipstaff::base
