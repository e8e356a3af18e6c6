#include "mediator/backend/token_check.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"

namespace tipstaff::backend {
namespace {

absl::Status Refused(absl::string_view why) {
  return absl::UnauthenticatedError(absl::StrCat("submission token refused: ", why));
}

}  // namespace

TokenCheck::TokenCheck(const keys::KeyRing& keys, const base::Clock& clock, std::string run,
                       std::string scope, std::string tenant)
    : keys_(keys),
      clock_(clock),
      run_(std::move(run)),
      scope_(std::move(scope)),
      tenant_(std::move(tenant)) {}

absl::Status TokenCheck::Check(const Request& request, absl::string_view audience) const {
  if (request.token.empty()) return Refused("none came with the result");
  TIPSTAFF_ASSIGN_OR_RETURN(const keys::SubmissionClaims claims,
                            keys_.VerifySubmission(request.token, audience, clock_.Now()));
  if (claims.run != run_) {
    return Refused(
        absl::StrCat("it is for `", base::EscapeAndCut(claims.run, 80), "`, this is `", run_, "`"));
  }
  if (claims.scope != scope_) return Refused("it is for another report scope");
  if (claims.tenant != tenant_) return Refused("it is for another tenant");
  if (claims.key != request.submission_key) return Refused("it is for another submission");
  return absl::OkStatus();
}

}  // namespace tipstaff::backend
