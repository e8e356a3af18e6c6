// Signing keys and the tokens that they sign; docs/tokens.md is the page about them for receivers.
//
// A guest shows its run token to the mediator. A submission token goes with a result to whoever
// receives it; no guest ever has one. Neither is taken for the other.
//
// Both are compact JWTs (RFC 7519), EdDSA over Ed25519 only (RFC 8037): the algorithm is fixed in
// the code and the header's is compared with it, never obeyed. Exactly this is taken, up to
// kMaxTokenBytes: three parts of canonical base64url without padding, joined by dots,
//   header   {"alg":"EdDSA","kid":K,"typ":T} with K a key of the ring, and T tipstaff-run+jwt or
//            tipstaff-submission+jwt
//   claims   aud, run, scope, tenant (only when the run has one), jti, and of a submission token
//            key: strings that are not empty; iat, exp: integers, seconds since 1970. No others: a
//            token that a newer Tipstaff restricted by a claim of its own is refused, not taken
//            without the restriction.
//   signature of the first two parts with their dot
// where header and claims are canonical JSON (json::Canonical).
//
// A key is a file `<kid>.jwk` in the keys' folder, readable by its owner only: a JSON Web Key
// {"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":K,"x":X,"d":D}. Its name, K and the
// RFC 7638 thumbprint of X are the same; X belongs to D. Without D the key only verifies. The file
// `current` names the key that signs; with only one private key it may be absent. A key is retired
// by leaving its D out; a key whose file is gone verifies nothing any more.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/keys/jwk.h"

namespace tipstaff::keys {

struct RunClaims {
  std::string audience;  // of the mediator: "tipstaff:" and its instance name
  std::string run;
  std::string scope;   // the run's report scope: canonical JSON of the scope bindings
  std::string tenant;  // "" when the run has none
  absl::Time issued;   // whole seconds
  absl::Time expires;
  std::string token_id;
};

struct SubmissionClaims {
  std::string audience;            // the receiver, as its tool declares it
  std::string run, scope, tenant;  // as in the run's own token
  std::string key;  // of the submission: a result that is delivered again has the same one
  absl::Time issued;
  absl::Time expires;
  std::string token_id;
};

inline constexpr size_t kMaxTokenBytes = 4096;
// How far the issuing clock may be ahead of the checking one. Expiry has no leeway.
inline constexpr absl::Duration kIssuedLeeway = absl::Seconds(60);

// The signing key of a mediator and the keys that it still accepts. Immutable; thread-safe.
class KeyRing {
 public:
  virtual ~KeyRing() = default;
  // Reads the keys in `folder`; makes the folder (0700, not its parents) and a first key (0600)
  // when it is empty. PermissionDenied when a key file can be read by others or the folder written
  // by them; InvalidArgument for a damaged key or when it is not clear which one signs; NotFound
  // when the folder's parent is not there.
  static absl::StatusOr<std::unique_ptr<KeyRing>> OpenOrCreate(const std::string& folder);

  // InvalidArgument for claims that Verify() would refuse: an empty member other than the tenant,
  // no UTF-8, an expiry that is not after the issue, times out of range, or a token that would be
  // larger than kMaxTokenBytes (a scope of about 2.5 KiB fits).
  virtual absl::StatusOr<std::string> Mint(const RunClaims& claims) const = 0;
  // Unauthenticated with the reason (never the token): malformed, wrong algorithm or type, unknown
  // key, bad signature, wrong audience, not yet valid, expired, a claim missing, unknown or twice,
  // non-canonical base64url or JSON, trailing data. A token that begins with "$" was not expanded
  // by whoever should have, and the message says so.
  virtual absl::StatusOr<RunClaims> Verify(absl::string_view token, absl::string_view audience,
                                           absl::Time now) const = 0;
  // The same of submission tokens.
  virtual absl::StatusOr<std::string> MintSubmission(const SubmissionClaims& claims) const = 0;
  virtual absl::StatusOr<SubmissionClaims> VerifySubmission(absl::string_view token,
                                                            absl::string_view audience,
                                                            absl::Time now) const = 0;
  // A note (signed_note.h) around `text`, which ends with a line feed.
  virtual std::string SignNote(absl::string_view text) const = 0;
  // An envelope (dsse.h) around `payload`.
  virtual std::string SignEnvelope(absl::string_view payload_type,
                                   absl::string_view payload) const = 0;
  // The public keys as a JWK set (RFC 7517), by kid.
  virtual std::string Jwks() const = 0;
  // The kid of the key that signs.
  virtual const std::string& current() const = 0;
};

// Adds a new key to `folder` (made when absent) and lets it sign from now on; the ones that are
// there still verify. Returns its kid. A KeyRing that is open does not see it.
absl::StatusOr<std::string> AddSigningKey(const std::string& folder);

// A key of a folder, or of a file that somebody vouches for.
struct KnownKey {
  std::string kid;
  PublicKey key;
  bool is_private = false;
  bool signs = false;  // it is the current one
};
// By kid. Makes nothing: NotFound where there is no folder. Other errors as OpenOrCreate().
absl::StatusOr<std::vector<KnownKey>> ListKeys(const std::string& folder);
// Of a file with a JWK or a JWK set; private parts are not looked at. InvalidArgument.
absl::StatusOr<std::vector<KnownKey>> ReadTrustedKeys(const std::string& path);
std::string JwksOf(const std::vector<KnownKey>& keys);
// Takes the private part of a key away: what it signed can still be verified. NotFound;
// FailedPrecondition for the one that signs.
absl::Status RetireKey(const std::string& folder, const std::string& kid);

}  // namespace tipstaff::keys
