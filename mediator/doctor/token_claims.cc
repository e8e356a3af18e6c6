#include "mediator/doctor/token_claims.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "mediator/json/parse.h"
#include "mediator/keys/base64url.h"

namespace tipstaff::doctor {
namespace {

std::optional<json::Document> Part(absl::string_view text) {
  const std::optional<std::string> bytes = keys::FromBase64Url(text);
  if (!bytes) return std::nullopt;
  absl::StatusOr<json::Document> document = json::Parse(*bytes);
  if (!document.ok() || !document->root().is_object()) return std::nullopt;
  return *std::move(document);
}

}  // namespace

std::optional<TokenClaims> ReadClaims(absl::string_view token) {
  const std::vector<absl::string_view> parts = absl::StrSplit(token, '.');
  if (parts.size() != 3) return std::nullopt;
  const std::optional<json::Document> header = Part(parts[0]);
  const std::optional<json::Document> claims = Part(parts[1]);
  if (!header || !claims) return std::nullopt;
  const json::Value says = claims->root();
  TokenClaims read;
  read.type = std::string(header->root().StringOr("typ", ""));
  read.run = std::string(says.StringOr("run", ""));
  if (!absl::StartsWith(read.type, "tipstaff-") || read.run.empty()) return std::nullopt;
  read.issued = absl::FromUnixSeconds(says.IntegerOr("iat", 0));
  read.expires = absl::FromUnixSeconds(says.IntegerOr("exp", 0));
  return read;
}

bool LooksLikeToken(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '.');
  return parts.size() == 3 && absl::StartsWith(text, "eyJ") && Part(parts[0]).has_value();
}

}  // namespace tipstaff::doctor
