// Signing keys and run tokens.
//
// A run token is a compact JWT (RFC 7519), EdDSA over Ed25519 only (RFC 8037): the algorithm is
// fixed in the code and the header's is compared with it, never obeyed.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::keys {

struct RunClaims {
  std::string audience;  // of the mediator: "tipstaff:" and its instance name
  std::string run;
  std::string scope;     // the run's report scope: canonical JSON of the scope bindings
  std::string tenant;    // "" when the run has none
  absl::Time issued;     // whole seconds
  absl::Time expires;
  std::string token_id;
};

inline constexpr size_t kMaxTokenBytes = 4096;

// The signing key of a mediator and the keys that it still accepts. Immutable; thread-safe.
class KeyRing {
 public:
  virtual ~KeyRing() = default;
  // Reads the keys in `folder`; makes the folder (0700) and a first key (0600) when it is empty.
  // PermissionDenied when a key file can be read by others; InvalidArgument for a damaged one.
  static absl::StatusOr<std::unique_ptr<KeyRing>> OpenOrCreate(const std::string& folder);

  virtual std::string Mint(const RunClaims& claims) const = 0;
  // Unauthenticated with the reason (never the token): malformed, wrong algorithm or type, unknown
  // key, bad signature, wrong audience, not yet valid, expired, a claim missing or twice,
  // non-canonical base64url, trailing data. A token that begins with "${" or "$" was not expanded
  // by whoever should have, and the message says so.
  virtual absl::StatusOr<RunClaims> Verify(absl::string_view token, absl::string_view audience,
                                           absl::Time now) const = 0;
  // The public keys as a JWK set.
  virtual std::string Jwks() const = 0;
};

}  // namespace tipstaff::keys
