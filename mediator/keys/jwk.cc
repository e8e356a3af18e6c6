#include "mediator/keys/jwk.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/keys/base64url.h"

namespace tipstaff::keys {
namespace {

constexpr absl::string_view kMembers[] = {"kty", "crv", "alg", "use", "kid", "x", "d"};

template <size_t kSize>
absl::string_view BytesOf(const std::array<uint8_t, kSize>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), kSize};
}

const unsigned char* Unsigned(absl::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

absl::Status Damaged(absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("not an Ed25519 key (JWK): ", why));
}

// A member of 32 bytes.
absl::StatusOr<std::string> Bytes32(json::Value jwk, absl::string_view name) {
  const std::optional<std::string> bytes = FromBase64Url(jwk.StringOr(name, ""));
  if (!bytes || bytes->size() != 32) {
    return Damaged(absl::StrCat("`", name, "` is not 32 bytes in base64url without padding"));
  }
  return *bytes;
}

absl::Status CheckMembers(json::Value jwk) {
  if (!jwk.is_object()) return Damaged("not an object");
  for (const json::Member& member : jwk.members()) {
    if (std::find(std::begin(kMembers), std::end(kMembers), member.key) == std::end(kMembers)) {
      return Damaged("it has a member other than kty, crv, alg, use, kid, x and d");
    }
  }
  if (jwk.StringOr("kty", "") != "OKP") return Damaged("`kty` is not \"OKP\"");
  if (jwk.StringOr("crv", "") != "Ed25519") return Damaged("`crv` is not \"Ed25519\"");
  if (jwk.Find("alg").exists() && jwk.StringOr("alg", "") != "EdDSA") {
    return Damaged("`alg` is not \"EdDSA\"");
  }
  if (jwk.Find("use").exists() && jwk.StringOr("use", "") != "sig") {
    return Damaged("`use` is not \"sig\"");
  }
  return absl::OkStatus();
}

// The members of the public JWK, without braces. All values are safe in JSON as they are.
std::string PublicMembers(const PublicKey& key) {
  return absl::StrCat(R"("alg":"EdDSA","crv":"Ed25519","kid":")", Thumbprint(key),
                      R"(","kty":"OKP","use":"sig","x":")", Base64Url(BytesOf(key)), R"(")");
}

}  // namespace

PrivateKey::PrivateKey(absl::string_view seed) {
  crypto_sign_seed_keypair(public_.data(), secret_.data(), Unsigned(seed));
}

PrivateKey::~PrivateKey() { sodium_memzero(secret_.data(), secret_.size()); }

Signature PrivateKey::Sign(absl::string_view message) const {
  Signature signature;
  crypto_sign_detached(signature.data(), nullptr, Unsigned(message), message.size(),
                       secret_.data());
  return signature;
}

std::string PrivateKey::ToJwk() const {
  return absl::StrCat("{", PublicMembers(public_), R"(,"d":")",
                      Base64Url(BytesOf(secret_).substr(0, 32)), "\"}\n");
}

bool SignatureIsGood(const PublicKey& key, absl::string_view message, absl::string_view signature) {
  return signature.size() == sizeof(Signature) &&
         crypto_sign_verify_detached(Unsigned(signature), Unsigned(message), message.size(),
                                     key.data()) == 0;
}

std::string Thumbprint(const PublicKey& key) {
  const std::string members =
      absl::StrCat(R"({"crv":"Ed25519","kty":"OKP","x":")", Base64Url(BytesOf(key)), R"("})");
  std::array<uint8_t, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), Unsigned(members), members.size());
  return Base64Url(BytesOf(hash));
}

std::string ToPublicJwk(const PublicKey& key) { return absl::StrCat("{", PublicMembers(key), "}"); }

absl::StatusOr<ParsedJwk> ParseJwk(absl::string_view text) {
  absl::StatusOr<json::Document> document = json::Parse(text);
  if (!document.ok()) return Damaged(document.status().message());
  const json::Value jwk = document->root();
  TIPSTAFF_RETURN_IF_ERROR(CheckMembers(jwk));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string x, Bytes32(jwk, "x"));
  ParsedJwk parsed;
  std::memcpy(parsed.public_key.data(), x.data(), x.size());
  parsed.kid = Thumbprint(parsed.public_key);
  if (jwk.StringOr("kid", "") != parsed.kid) {
    return Damaged(absl::StrCat("`kid` is not the thumbprint of `x`, ", parsed.kid));
  }
  if (jwk.Find("d").exists()) {
    TIPSTAFF_ASSIGN_OR_RETURN(parsed.seed, Bytes32(jwk, "d"));
    if (PrivateKey(parsed.seed).public_key() != parsed.public_key) {
      return Damaged("`x` does not belong to `d`");
    }
  }
  return parsed;
}

}  // namespace tipstaff::keys
