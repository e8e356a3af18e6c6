// Signed notes, in the form of c2sp.org/signed-note: a text that ends with a line feed, a blank
// line, and a line for each signature,
//
//   — NAME BASE64
//
// where BASE64 is of 4 bytes that tell keys of one name apart (of the SHA-256 of the name, a line
// feed, the byte 1 and the public key) and the Ed25519 signature of the text. NAME is "tipstaff/"
// and the key's kid.
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/keys/jwk.h"

namespace tipstaff::keys {

// Precondition: `text` ends with a line feed.
std::string SignNote(absl::string_view text, const PrivateKey& key);

struct VerifiedNote {
  std::string text;
  std::string kid;  // of a key that signed it
};

// The key with this kid, or nullptr: nobody vouches for it.
using FindPublicKey = absl::FunctionRef<const PublicKey*(absl::string_view kid)>;

// InvalidArgument: no signed note, or one whose signature by a known key is wrong; NotFound: none
// of the keys that signed it is known.
absl::StatusOr<VerifiedNote> VerifyNote(absl::string_view note, FindPublicKey find_key);

}  // namespace tipstaff::keys
