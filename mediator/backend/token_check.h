// What a stub that receives results asks of the tokens that come with them, as the service that it
// stands in for would: docs/tokens.md.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mediator/backend/backend.h"
#include "mediator/base/clock.h"
#include "mediator/keys/keys.h"

namespace tipstaff::backend {

// Of one run, whose results alone are taken. Thread-safe.
class TokenCheck {
 public:
  // `keys` and `clock` outlive this. `run`, `scope` and `tenant` are as the run's own token has
  // them.
  TokenCheck(const keys::KeyRing& keys, const base::Clock& clock, std::string run,
             std::string scope, std::string tenant);

  // Unauthenticated when the receiver `audience` does not take `request`, with the reason and
  // never the token: it is missing, none of KeyRing::VerifySubmission(), or for another run,
  // report scope, tenant or submission.
  absl::Status Check(const Request& request, absl::string_view audience) const;

 private:
  const keys::KeyRing& keys_;
  const base::Clock& clock_;
  const std::string run_, scope_, tenant_;
};

}  // namespace tipstaff::backend
