// One Ed25519 key and its JSON Web Key form (RFC 7517, RFC 8037). keys.h describes the file.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::keys {

using PublicKey = std::array<uint8_t, 32>;
using Signature = std::array<uint8_t, 64>;

// The seed of a key pair and what is derived from it; overwritten when it goes. Not copyable.
class PrivateKey {
 public:
  // Precondition: `seed` has 32 bytes.
  explicit PrivateKey(absl::string_view seed);
  ~PrivateKey();
  PrivateKey(const PrivateKey&) = delete;
  PrivateKey& operator=(const PrivateKey&) = delete;

  const PublicKey& public_key() const { return public_; }
  Signature Sign(absl::string_view message) const;
  // The private JWK, as the key's file holds it.
  std::string ToJwk() const;

 private:
  PublicKey public_;
  std::array<uint8_t, 64> secret_;  // libsodium's form: the seed, then the public key
};

bool SignatureIsGood(const PublicKey& key, absl::string_view message, absl::string_view signature);

// The RFC 7638 thumbprint (SHA-256, base64url): the kid.
std::string Thumbprint(const PublicKey& key);
// The public JWK, with alg, use and kid.
std::string ToPublicJwk(const PublicKey& key);

struct ParsedJwk {
  PublicKey public_key;
  std::string kid;
  std::string seed;  // "" when the JWK has no private part
};

// Of a key file. InvalidArgument with what is wrong; never quotes the text.
absl::StatusOr<ParsedJwk> ParseJwk(absl::string_view text);

}  // namespace tipstaff::keys
