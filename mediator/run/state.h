// The two things that a run's state consists of.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "mediator/call/reason.h"

namespace tipstaff::run {

// none -> sealing -> submitting -> accepted; from submitting also back to none (definitely refused)
// or to unknown; from sealing also to held. refused: for good, after the result had been unknown or
// held; unlike the record `refused` of a first delivery, after which the result is none.
enum class Result { kNone, kSealing, kSubmitting, kAccepted, kHeld, kUnknown, kRefused };

// open: all that the skills permit; read_only: once the result left none; closed: time ran out,
// revoked, or closed by the operator.
enum class Access { kOpen, kReadOnly, kClosed };

// How many decisions there were, by verdict.
struct Tally {
  uint64_t allowed = 0, denied = 0, held = 0;

  void Add(call::Verdict verdict) {
    ++(verdict == call::Verdict::kAllow  ? allowed
       : verdict == call::Verdict::kHold ? held
                                         : denied);
  }
  uint64_t all() const { return allowed + denied + held; }
};

absl::string_view ResultName(Result result);
absl::string_view AccessName(Access access);

}  // namespace tipstaff::run
