// The text of a run token: pure, apart from the keys. keys.h describes the format.
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/keys/jwk.h"
#include "mediator/keys/keys.h"

namespace tipstaff::keys {

// Errors as KeyRing::Mint.
absl::StatusOr<std::string> MintRunToken(const RunClaims& claims, const PrivateKey& key);

// The key with this kid, or nullptr.
using FindKey = absl::FunctionRef<const PublicKey*(absl::string_view kid)>;

// Errors as KeyRing::Verify.
absl::StatusOr<RunClaims> VerifyRunToken(absl::string_view token, absl::string_view audience,
                                         absl::Time now, FindKey find_key);

}  // namespace tipstaff::keys
