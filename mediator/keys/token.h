// The texts of tokens, of both kinds: pure, apart from the keys. keys.h describes the format.
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/keys/jwk.h"
#include "mediator/keys/keys.h"

namespace tipstaff::keys {

// The key with this kid, or nullptr.
using FindKey = absl::FunctionRef<const PublicKey*(absl::string_view kid)>;

// `Claims` is RunClaims or SubmissionClaims, and says of which kind the token is; one of the other
// kind is refused. Errors as KeyRing::Mint.
template <typename Claims>
absl::StatusOr<std::string> MintToken(const Claims& claims, const PrivateKey& key);

// Errors as KeyRing::Verify.
template <typename Claims>
absl::StatusOr<Claims> VerifyToken(absl::string_view token, absl::string_view audience,
                                   absl::Time now, FindKey find_key);

// Whether the header of a submission token stands anywhere in `text`, of whichever key, run or
// receiver: no guest may have such a token.
bool HoldsSubmissionToken(absl::string_view text);

}  // namespace tipstaff::keys
