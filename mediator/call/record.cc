#include "mediator/call/record.h"

namespace tipstaff::call {
namespace {

constexpr const char* kNames[] = {"",        "run_opened", "decided",  "dispatched", "outcome",
                                  "held",    "approval",   "sealing",  "submitting", "accepted",
                                  "refused", "unknown",    "resolved", "expired",    "revoked",
                                  "cleaned", "closed",     "closing"};

}  // namespace

absl::string_view RecordKindName(RecordKind kind) { return kNames[static_cast<int>(kind)]; }

std::optional<RecordKind> RecordKindFromNumber(int number) {
  if (number < static_cast<int>(RecordKind::kRunOpened) ||
      number > static_cast<int>(RecordKind::kClosing)) {
    return std::nullopt;
  }
  return static_cast<RecordKind>(number);
}

}  // namespace tipstaff::call
