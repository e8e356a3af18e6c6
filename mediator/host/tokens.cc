#include "mediator/host/tokens.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/ids.h"
#include "mediator/json/write.h"

namespace tipstaff::host {
namespace {

// A token with both of these and any audience is small enough for keys::kMaxTokenBytes.
constexpr size_t kMaxScopeInToken = 1024;
constexpr size_t kMaxTenantInToken = 256;
constexpr int kTokenIdLength = 16;

absl::Time WholeSeconds(absl::Time time) {
  return absl::FromUnixSeconds(absl::ToUnixSeconds(time));
}

// `text`, or its digest when it is long.
std::string Shortened(std::string text, size_t most) {
  if (text.size() <= most) return text;
  return absl::StrCat("blake2b:", base::ToHex(base::DigestOf(text)));
}

// What the run is for.
std::string ScopeOf(const run::Opened& opened) {
  return Shortened(json::Canonical(opened.bindings.root()), kMaxScopeInToken);
}

std::string TenantOf(const run::Opened& opened) {
  return Shortened(std::string(opened.bindings.root().StringOr("tenant", "")), kMaxTenantInToken);
}

}  // namespace

std::string MediatorAudience(const std::string& ledger_path) {
  const std::string whole = std::filesystem::absolute(ledger_path).lexically_normal().string();
  return absl::StrCat("tipstaff:", base::ToHex(base::DigestOf(whole)).substr(0, 16));
}

keys::RunClaims RunTokenClaims(const run::Opened& opened, absl::string_view audience) {
  keys::RunClaims claims;
  claims.audience = std::string(audience);
  claims.run = opened.run;
  claims.scope = ScopeOf(opened);
  claims.tenant = TenantOf(opened);
  claims.issued = WholeSeconds(opened.opened_at);
  // A whole second that is not before the run's end.
  claims.expires = WholeSeconds(opened.expires_at) + absl::Seconds(1);
  claims.token_id = base::RandomText(kTokenIdLength);
  return claims;
}

keys::SubmissionClaims SubmissionTokenClaims(const run::Opened& opened, absl::string_view audience,
                                             absl::string_view key, absl::Time now) {
  keys::SubmissionClaims claims;
  claims.audience = std::string(audience);
  claims.run = opened.run;
  claims.scope = ScopeOf(opened);
  claims.tenant = TenantOf(opened);
  claims.key = std::string(key);
  claims.issued = WholeSeconds(now);
  claims.expires = claims.issued + kSubmissionTokenLife;
  claims.token_id = base::RandomText(kTokenIdLength);
  return claims;
}

}  // namespace tipstaff::host
