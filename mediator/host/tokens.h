// What the tokens of a run say.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/keys/keys.h"
#include "mediator/run/records.h"

namespace tipstaff::host {

// How long a receiver may take to look at the token of a submission.
inline constexpr absl::Duration kSubmissionTokenLife = absl::Minutes(5);

// The audience of run tokens: the mediator with this ledger. Begins with "tipstaff:", as no
// receiver's does.
std::string MediatorAudience(const std::string& ledger_path);

// Of the token that the run's guest shows to the mediator `audience`. The token's id is new.
keys::RunClaims RunTokenClaims(const run::Opened& opened, absl::string_view audience);

// Of a token for one delivery, now, of the submission `key` to `audience`. Its id is new.
keys::SubmissionClaims SubmissionTokenClaims(const run::Opened& opened, absl::string_view audience,
                                             absl::string_view key, absl::Time now);

}  // namespace tipstaff::host
