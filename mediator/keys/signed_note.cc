#include "mediator/keys/signed_note.h"

#include <sodium.h>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/base/note_text.h"

namespace tipstaff::keys {
namespace {

constexpr absl::string_view kDash = "\u2014 ";
constexpr absl::string_view kNamePrefix = "tipstaff/";
constexpr char kEd25519 = 1;
constexpr size_t kIdBytes = 4;
constexpr size_t kSignatureBytes = 64;

std::string KeyId(absl::string_view name, const PublicKey& key) {
  std::string named = absl::StrCat(name, "\n", absl::string_view(&kEd25519, 1));
  named.append(reinterpret_cast<const char*>(key.data()), key.size());
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(named.data()), named.size());
  return std::string(reinterpret_cast<const char*>(hash), kIdBytes);
}

struct SignatureLine {
  absl::string_view name;
  std::string bytes;  // the key's id, then the signature
};

absl::StatusOr<SignatureLine> ReadLine(absl::string_view line) {
  const absl::Status bad = absl::InvalidArgumentError(
      absl::StrCat("not a signed note: `", base::EscapeAndCut(line, 80), "` is no signature"));
  if (!absl::ConsumePrefix(&line, kDash)) return bad;
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  SignatureLine read{.name = parts.first};
  if (read.name.empty() || !absl::Base64Unescape(parts.second, &read.bytes) ||
      absl::Base64Escape(read.bytes) != parts.second || read.bytes.size() <= kIdBytes) {
    return bad;
  }
  return read;
}

}  // namespace

std::string SignNote(absl::string_view text, const PrivateKey& key) {
  const std::string name = absl::StrCat(kNamePrefix, Thumbprint(key.public_key()));
  const Signature signature = key.Sign(text);
  std::string bytes = KeyId(name, key.public_key());
  bytes.append(reinterpret_cast<const char*>(signature.data()), signature.size());
  return absl::StrCat(text, "\n", kDash, name, " ", absl::Base64Escape(bytes), "\n");
}

absl::StatusOr<VerifiedNote> VerifyNote(absl::string_view note, FindPublicKey find_key) {
  const absl::string_view text = base::TextOfNote(note);
  absl::string_view lines = note.substr(text.size());
  if (!absl::ConsumePrefix(&lines, "\n") || !absl::ConsumeSuffix(&lines, "\n")) {
    return absl::InvalidArgumentError("not a signed note: it has no signature below a blank line");
  }
  std::string unknown;
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    const absl::StatusOr<SignatureLine> read = ReadLine(line);
    if (!read.ok()) return read.status();
    absl::string_view kid = read->name;
    const PublicKey* key = absl::ConsumePrefix(&kid, kNamePrefix) ? find_key(kid) : nullptr;
    if (key == nullptr) {
      unknown = base::EscapeAndCut(read->name, 80);
      continue;
    }
    const absl::string_view bytes = read->bytes;
    if (bytes.size() != kIdBytes + kSignatureBytes ||
        bytes.substr(0, kIdBytes) != KeyId(read->name, *key) ||
        !SignatureIsGood(*key, text, bytes.substr(kIdBytes))) {
      return absl::InvalidArgumentError(
          absl::StrCat("the signature by `", read->name, "` is wrong"));
    }
    return VerifiedNote{std::string(text), std::string(kid)};
  }
  return absl::NotFoundError(
      absl::StrCat("it is signed by `", unknown, "`, a key that nobody vouched for"));
}

}  // namespace tipstaff::keys
