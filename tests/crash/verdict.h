// What a run's records and a test system's account say together: whether every promise was kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/call/outcome.h"
#include "mediator/call/tool.h"
#include "mediator/ledger/ledger.h"
#include "tests/harness/account.h"

namespace tipstaff::crash {

// A decision on record.
struct Decision {
  std::string tool;  // "killable.post"
  bool allowed = false;
  std::string reason;
  call::Effect effect = call::Effect::kRead;
  std::optional<call::OutcomeKind> outcome;
  bool asks = false;      // its permission asks for an approval
  bool approved = false;  // it was held, and a person approved it
  uint64_t uses = 0;      // the held call whose approval it used up, 0 for none
};
using Decisions = std::map<uint64_t, Decision>;  // by number

// What a client was told.
struct Acknowledged {
  uint64_t number = 0;
  std::string reason;
  bool ok = false;        // its result is no error
  bool approved = false;  // a person was told that they have approved it
};

// From a ledger whose chain verifies; DataLoss otherwise.
absl::StatusOr<Decisions> DecisionsOf(ledger::Reader& reader, const std::string& run);

// One text for each promise that was broken:
//   - what was acknowledged is on record, with the same reason, and its outcome where it acted;
//   - nothing was sent or took effect without an allowed decision on record;
//   - no write took effect between the sending of a result and its definite refusal, or after it;
//   - no call was sent twice, but a result under its key;
//   - no second result was sent while an earlier one may be accepted, and one was accepted at most;
//   - what is `ok` on record took effect;
//   - what was said to be approved is on record as approved, and each approval is used once.
std::vector<std::string> Judge(const Decisions& decisions,
                               const std::vector<harness::Entry>& account,
                               const std::vector<Acknowledged>& acknowledged);

}  // namespace tipstaff::crash
