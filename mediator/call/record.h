// A record: one fact about a run, as the ledger keeps it. Which members each kind's body has is
// said in mediator/run/records.h and docs/ledger-format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/base/digest.h"

namespace tipstaff::call {

enum class RecordKind : uint8_t {
  kRunOpened = 1,
  kDecided = 2,
  kDispatched = 3,
  kOutcome = 4,
  kHeld = 5,
  kApproval = 6,
  kSealing = 7,
  kSubmitting = 8,
  kAccepted = 9,
  kRefused = 10,
  kUnknown = 11,
  kResolved = 12,
  kExpired = 13,
  kRevoked = 14,
  kCleaned = 15,
  kClosed = 16,   // the last one of a run
  kClosing = 17,  // an operator has asked for the close: access ends here
};

absl::string_view RecordKindName(RecordKind kind);  // "run_opened", "decided", ...
std::optional<RecordKind> RecordKindFromNumber(int number);

struct Record {
  RecordKind kind = RecordKind::kRunOpened;
  absl::Time time;   // microseconds
  std::string body;  // canonical JSON, an object
  // Bytes that go with it and that the body names by digest: a call's arguments, a result.
  std::string payload;
  // The payload's, where whoever made the record has it; it need not be computed again then.
  std::optional<base::Digest> payload_digest = std::nullopt;
};

}  // namespace tipstaff::call
