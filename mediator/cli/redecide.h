// A decision on record, made again from what its run pinned.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "mediator/ledger/ledger.h"
#include "mediator/policy/explain.h"
#include "mediator/review/timeline.h"

namespace tipstaff::cli {

struct Redecided {
  review::Row row;  // as it is on record
  std::shared_ptr<const policy::Grant> grant;
  // What the skills say of the call, with what the run had used before it.
  policy::Trace trace;
};

// The record as it is read; nothing is written. NotFound; DataLoss for a damaged ledger;
// FailedPrecondition when the call's arguments are not on record as a whole, or are none.
absl::StatusOr<Redecided> Redecide(ledger::Reader& reader, const review::DecisionId& id);

}  // namespace tipstaff::cli
