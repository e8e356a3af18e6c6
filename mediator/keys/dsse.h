// Signed envelopes, in the form of DSSE 1.0 (github.com/secure-systems-lab/dsse): a JSON object
//
//   {"payload": BASE64, "payloadType": TYPE, "signatures": [{"keyid": KID, "sig": BASE64}]}
//
// where each signature (Ed25519) is of the type and the payload together, so that what was signed
// as one kind of thing is never taken for another.
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/keys/jwk.h"
#include "mediator/keys/signed_note.h"

namespace tipstaff::keys {

// Indented JSON with a line feed at the end, for a file of its own.
std::string SignEnvelope(absl::string_view payload_type, absl::string_view payload,
                         const PrivateKey& key);

struct VerifiedEnvelope {
  std::string payload;
  std::string kid;  // of a known key that signed it
};

// InvalidArgument: no such envelope, one of another type, or one whose signature by a known key is
// wrong; NotFound: none of the keys that signed it is known.
absl::StatusOr<VerifiedEnvelope> VerifyEnvelope(absl::string_view envelope,
                                                absl::string_view payload_type,
                                                FindPublicKey find_key);

}  // namespace tipstaff::keys
