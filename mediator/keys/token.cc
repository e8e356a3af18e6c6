#include "mediator/keys/token.h"

#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/keys/base64url.h"

namespace tipstaff::keys {
namespace {

constexpr absl::string_view kAlgorithm = "EdDSA";
// The end of the year 9999, which every program can show.
constexpr int64_t kMaxSeconds = 253402300799;

// A claim that is a string, and where it goes.
template <typename Claims>
struct StringClaim {
  absl::string_view name;
  std::string Claims::*member;
  bool required;
};

// What tells the kinds of tokens apart.
template <typename Claims>
struct Kind;

template <>
struct Kind<RunClaims> {
  static constexpr absl::string_view kType = "tipstaff-run+jwt";
  static constexpr absl::string_view kName = "run token";
  static constexpr StringClaim<RunClaims> kStringClaims[] = {{"aud", &RunClaims::audience, true},
                                                             {"jti", &RunClaims::token_id, true},
                                                             {"run", &RunClaims::run, true},
                                                             {"scope", &RunClaims::scope, true},
                                                             {"tenant", &RunClaims::tenant, false}};
};

template <>
struct Kind<SubmissionClaims> {
  static constexpr absl::string_view kType = "tipstaff-submission+jwt";
  static constexpr absl::string_view kName = "submission token";
  static constexpr StringClaim<SubmissionClaims> kStringClaims[] = {
      {"aud", &SubmissionClaims::audience, true}, {"jti", &SubmissionClaims::token_id, true},
      {"key", &SubmissionClaims::key, true},      {"run", &SubmissionClaims::run, true},
      {"scope", &SubmissionClaims::scope, true},  {"tenant", &SubmissionClaims::tenant, false}};
};

template <typename Claims>
struct TimeClaim {
  absl::string_view name;
  absl::Time Claims::*member;
};
template <typename Claims>
constexpr TimeClaim<Claims> kTimeClaims[] = {{"exp", &Claims::expires}, {"iat", &Claims::issued}};

template <typename Claims>
bool IsClaim(absl::string_view name) {
  for (const auto& claim : Kind<Claims>::kStringClaims) {
    if (claim.name == name) return true;
  }
  for (const auto& claim : kTimeClaims<Claims>) {
    if (claim.name == name) return true;
  }
  return false;
}

// Why a token is refused, without which kind it should be of.
absl::Status Refused(absl::string_view why) { return absl::UnauthenticatedError(why); }

absl::StatusOr<std::string> HeaderOf(absl::string_view type, absl::string_view kid) {
  json::Builder builder;
  builder.StartObject().Field("alg", kAlgorithm).Field("kid", kid).Field("typ", type).EndObject();
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document header, std::move(builder).Build());
  return json::Canonical(header.root());
}

// A part of the token: base64url of canonical JSON.
absl::StatusOr<json::Document> DecodePart(absl::string_view part, absl::string_view name) {
  const std::optional<std::string> bytes = FromBase64Url(part);
  if (!bytes) return Refused(absl::StrCat("its ", name, " is not canonical base64url"));
  // Two levels are enough: there is no nesting in either.
  absl::StatusOr<json::Document> document = json::Parse(*bytes, {.max_depth = 2});
  if (!document.ok()) {
    return Refused(absl::StrCat("its ", name, ": ", document.status().message()));
  }
  if (!document->root().is_object()) return Refused(absl::StrCat("its ", name, " is no object"));
  if (json::Canonical(document->root()) != *bytes) {
    return Refused(absl::StrCat("its ", name, " is not canonical JSON"));
  }
  return document;
}

absl::StatusOr<std::string> KidOfHeader(json::Value header, absl::string_view type) {
  if (header.StringOr("alg", "") != kAlgorithm) return Refused("its algorithm is not EdDSA");
  if (header.StringOr("typ", "") != type) return Refused(absl::StrCat("it is not of type ", type));
  const absl::string_view kid = header.StringOr("kid", "");
  if (kid.empty()) return Refused("its header names no key");
  if (header.size() != 3) return Refused("its header has members other than alg, kid and typ");
  return std::string(kid);
}

absl::StatusOr<absl::Time> ReadTime(json::Value object, absl::string_view name) {
  const json::Value value = object.Find(name);
  if (!value.exists()) return Refused(absl::StrCat("the claim `", name, "` is missing"));
  if (value.kind() != json::Kind::kInteger || value.integer() < 0 ||
      value.integer() > kMaxSeconds) {
    return Refused(absl::StrCat("the claim `", name, "` is not an integer of seconds"));
  }
  return absl::FromUnixSeconds(value.integer());
}

template <typename Claims>
absl::StatusOr<Claims> ReadClaims(json::Value object) {
  Claims claims;
  for (const json::Member& member : object.members()) {
    if (!IsClaim<Claims>(member.key)) {
      return Refused(absl::StrCat("there is no claim `", base::EscapeAndCut(member.key, 40), "`"));
    }
  }
  for (const auto& claim : Kind<Claims>::kStringClaims) {
    const json::Value value = object.Find(claim.name);
    if (!value.exists() && !claim.required) continue;
    if (!value.exists()) return Refused(absl::StrCat("the claim `", claim.name, "` is missing"));
    if (!value.is_string() || value.string().empty()) {
      return Refused(absl::StrCat("the claim `", claim.name, "` is not a string, or empty"));
    }
    claims.*claim.member = std::string(value.string());
  }
  for (const auto& claim : kTimeClaims<Claims>) {
    TIPSTAFF_ASSIGN_OR_RETURN(claims.*claim.member, ReadTime(object, claim.name));
  }
  if (claims.expires <= claims.issued) return Refused("it expires before it was issued");
  return claims;
}

template <typename Claims>
absl::StatusOr<json::Document> WriteClaims(const Claims& claims) {
  json::Builder builder;
  builder.StartObject();
  for (const auto& claim : Kind<Claims>::kStringClaims) {
    const std::string& value = claims.*claim.member;
    if (claim.required || !value.empty()) builder.Field(claim.name, value);
  }
  for (const auto& claim : kTimeClaims<Claims>) {
    builder.Field(claim.name, absl::ToUnixSeconds(claims.*claim.member));
  }
  builder.EndObject();
  return std::move(builder).Build();
}

// The payload of a token whose header, key and signature are good.
absl::StatusOr<json::Document> DecodeSigned(absl::string_view token, absl::string_view type,
                                            FindKey find_key) {
  if (token.empty()) return Refused("it is empty");
  if (absl::StartsWith(token, "$")) {
    return Refused("it begins with `$`: a variable's name was passed on instead of its value");
  }
  if (token.size() > kMaxTokenBytes) {
    return Refused(absl::StrCat("it has more than ", kMaxTokenBytes, " bytes"));
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(token, '.');
  if (parts.size() != 3) return Refused("it has not exactly three parts with dots between");

  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document header, DecodePart(parts[0], "header"));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string kid, KidOfHeader(header.root(), type));
  const PublicKey* const key = find_key(kid);
  if (key == nullptr) return Refused("its key is not one of the mediator's");
  const std::optional<std::string> signature = FromBase64Url(parts[2]);
  if (!signature) return Refused("its signature is not canonical base64url");
  const absl::string_view text = token.substr(0, parts[0].size() + 1 + parts[1].size());
  if (!SignatureIsGood(*key, text, *signature)) return Refused("its signature is wrong");
  return DecodePart(parts[1], "payload");
}

// What VerifyToken() does, with the reason alone.
template <typename Claims>
absl::StatusOr<Claims> Verify(absl::string_view token, absl::string_view audience, absl::Time now,
                              FindKey find_key) {
  // What this gives is what a holder of the key wrote.
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            DecodeSigned(token, Kind<Claims>::kType, find_key));
  TIPSTAFF_ASSIGN_OR_RETURN(Claims claims, ReadClaims<Claims>(document.root()));
  if (claims.audience != audience) {
    return Refused(absl::StrCat("it is for `", base::EscapeAndCut(claims.audience, 80),
                                "`, this is `", base::EscapeAndCut(audience, 80), "`"));
  }
  if (claims.issued > now + kIssuedLeeway) {
    return Refused(absl::StrCat("it is valid only from ", base::ShowTime(claims.issued)));
  }
  if (claims.expires <= now) {
    return Refused(absl::StrCat("it expired at ", base::ShowTime(claims.expires)));
  }
  return claims;
}

}  // namespace

template <typename Claims>
absl::StatusOr<std::string> MintToken(const Claims& claims, const PrivateKey& key) {
  const auto unmintable = [](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot make a ", Kind<Claims>::kName, ": ", why));
  };
  const absl::StatusOr<json::Document> document = WriteClaims(claims);
  if (!document.ok()) return unmintable(document.status().message());
  // A builder takes any bytes.
  for (const json::Member& claim : document->root().members()) {
    if (claim.value.is_string() && !base::IsUtf8(claim.value.string()))
      return unmintable("a claim is not valid UTF-8");
  }
  const std::string payload = json::Canonical(document->root());
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string header,
                            HeaderOf(Kind<Claims>::kType, Thumbprint(key.public_key())));
  const std::string text = absl::StrCat(Base64Url(header), ".", Base64Url(payload));
  const Signature signature = key.Sign(text);
  std::string token = absl::StrCat(
      text, ".", Base64Url({reinterpret_cast<const char*>(signature.data()), signature.size()}));
  if (token.size() > kMaxTokenBytes) {
    return unmintable(absl::StrCat("it would have ", token.size(), " bytes, at most ",
                                   kMaxTokenBytes, " are taken: the report scope is too large"));
  }
  // What is minted is what is taken: one set of rules.
  const auto find = [&](absl::string_view) { return &key.public_key(); };
  const absl::StatusOr<Claims> read = Verify<Claims>(token, claims.audience, claims.issued, find);
  if (!read.ok()) return unmintable(read.status().message());
  return token;
}

template <typename Claims>
absl::StatusOr<Claims> VerifyToken(absl::string_view token, absl::string_view audience,
                                   absl::Time now, FindKey find_key) {
  absl::StatusOr<Claims> claims = Verify<Claims>(token, audience, now, find_key);
  if (claims.ok()) return claims;
  return absl::Status(claims.status().code(),
                      absl::StrCat(Kind<Claims>::kName, " refused: ", claims.status().message()));
}

template absl::StatusOr<std::string> MintToken(const RunClaims&, const PrivateKey&);
template absl::StatusOr<std::string> MintToken(const SubmissionClaims&, const PrivateKey&);
template absl::StatusOr<RunClaims> VerifyToken(absl::string_view, absl::string_view, absl::Time,
                                               FindKey);
template absl::StatusOr<SubmissionClaims> VerifyToken(absl::string_view, absl::string_view,
                                                      absl::Time, FindKey);

bool HoldsSubmissionToken(absl::string_view text) {
  // Every header begins so: canonical JSON has `alg` first, and its 15 bytes are 20 letters.
  static const auto* const kBegin =
      new std::string(Base64Url(absl::StrCat(R"({"alg":)", json::Quote(kAlgorithm), ",")));
  for (size_t at = text.find(*kBegin); at != absl::string_view::npos;
       at = text.find(*kBegin, at + 1)) {
    const absl::string_view rest = text.substr(at, kMaxTokenBytes);
    const auto header = FromBase64Url(rest.substr(0, rest.find('.')));
    if (!header.has_value()) continue;
    const auto document = json::Parse(*header);
    if (document.ok() && document->root().StringOr("typ", "") == Kind<SubmissionClaims>::kType) {
      return true;
    }
  }
  return false;
}

}  // namespace tipstaff::keys
