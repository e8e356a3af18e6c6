#include "mediator/keys/dsse.h"

#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::keys {
namespace {

// What is signed: the lengths keep the two parts apart.
std::string Authenticated(absl::string_view type, absl::string_view payload) {
  return absl::StrCat("DSSEv1 ", type.size(), " ", type, " ", payload.size(), " ", payload);
}

// One text per byte string; nothing for any other.
std::optional<std::string> FromBase64(absl::string_view text) {
  std::string bytes;
  if (!absl::Base64Unescape(text, &bytes) || absl::Base64Escape(bytes) != text) return std::nullopt;
  return bytes;
}

absl::Status NoEnvelope(absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("not a signed envelope: ", why));
}

}  // namespace

std::string SignEnvelope(absl::string_view payload_type, absl::string_view payload,
                         const PrivateKey& key) {
  const Signature signature = key.Sign(Authenticated(payload_type, payload));
  const absl::string_view bytes(reinterpret_cast<const char*>(signature.data()), signature.size());
  return absl::StrCat(
      "{\n  \"payloadType\": ", json::Quote(payload_type),
      ",\n  \"payload\": ", json::Quote(absl::Base64Escape(payload)),
      ",\n  \"signatures\": [\n    {\"keyid\": ", json::Quote(Thumbprint(key.public_key())),
      ", \"sig\": ", json::Quote(absl::Base64Escape(bytes)), "}\n  ]\n}\n");
}

absl::StatusOr<VerifiedEnvelope> VerifyEnvelope(absl::string_view envelope,
                                                absl::string_view payload_type,
                                                FindPublicKey find_key) {
  const absl::StatusOr<json::Document> document = json::Parse(envelope);
  if (!document.ok()) return NoEnvelope(document.status().message());
  const json::Value root = document->root();
  for (const char* member : {"payload", "payloadType"}) {
    if (!root.Find(member).is_string()) return NoEnvelope(absl::StrCat("it has no `", member, "`"));
  }
  const absl::string_view type = root.Find("payloadType").string();
  if (type != payload_type) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the signature is for `", base::EscapeAndCut(type, 80), "`, not for `", payload_type, "`"));
  }
  const std::optional<std::string> payload = FromBase64(root.Find("payload").string());
  if (!payload) return NoEnvelope("`payload` is not base64");
  if (root.Find("signatures").size() == 0) return NoEnvelope("it has no signatures");
  std::string unknown;
  for (json::Value signature : root.Find("signatures").items()) {
    const absl::string_view kid = signature.StringOr("keyid", "");
    const PublicKey* key = find_key(kid);
    if (key == nullptr) {
      unknown = base::EscapeAndCut(kid, 80);
      continue;
    }
    const std::optional<std::string> bytes = FromBase64(signature.StringOr("sig", ""));
    if (!bytes || !SignatureIsGood(*key, Authenticated(type, *payload), *bytes)) {
      return absl::InvalidArgumentError(absl::StrCat("the signature by `", kid, "` is wrong"));
    }
    return VerifiedEnvelope{*payload, std::string(kid)};
  }
  return absl::NotFoundError(
      absl::StrCat("it is signed by `", unknown, "`, a key that nobody vouched for"));
}

}  // namespace tipstaff::keys
