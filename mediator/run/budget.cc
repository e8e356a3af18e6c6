// What one run may fill of the ledger, and how often it may go on after a limit: a guest that asks
// without end must not keep the others' decisions from being recorded.
#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"
#include "mediator/run/limits.h"
#include "mediator/run/run.h"

namespace tipstaff::run {

uint64_t SizeInLedger(const call::Record& record) {
  return record.body.size() + record.payload.size() + kBytesOfARecord;
}

// Before a call is decided. What is in flight may still bring its results: they are made already.
void Run::RevokeWhenOverBudget() {
  if (closed_ || broken_) return;
  std::string why;
  if (setup_.budget > 0 && bytes_ + kRoomToClose > setup_.budget) {
    why = absl::StrCat("its records fill its budget of ", base::ShowBytes(setup_.budget));
  } else if (limit_refusals_ >= kMaxLimitRefusals) {
    why = absl::StrCat("it went on after its limits, ", limit_refusals_, " times");
  }
  if (!why.empty()) Close(call::Reason::kRunRevoked, {"tipstaff", std::move(why)});
}

// Of a run that is closed for that, or nearly, a refusal leaves no record: there is no room.
bool Run::HasNoRoom() const {
  return setup_.budget > 0 && closed_ && bytes_ + kRoomToClose > setup_.budget;
}

}  // namespace tipstaff::run
