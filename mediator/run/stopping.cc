// Writes in flight, the ones of unknown outcome among them: waiting for them, and stopping them.
#include <algorithm>
#include <utility>

#include "mediator/run/run.h"

namespace tipstaff::run {
namespace {

using call::Effect;
using call::OutcomeKind;
using call::Verdict;

bool IsWrite(const call::Decision& decision) {
  return decision.verdict == Verdict::kAllow && decision.effect == Effect::kWrite;
}

}  // namespace

bool Run::WritesInFlight() const {
  return !loose_.empty() || std::any_of(active_.begin(), active_.end(), [](const auto& entry) {
    return IsWrite(entry.second.decision);
  });
}

// Whether waiting can be of any use. A query may say more when it is asked later.
bool Run::AnswersMayCome() const {
  const auto queryable = [](const auto& entry) {
    return entry.second.stop == StopKind::kQueryable;
  };
  return std::any_of(loose_.begin(), loose_.end(), queryable) ||
         std::any_of(active_.begin(), active_.end(),
                     [](const auto& entry) { return IsWrite(entry.second.decision); });
}

// Whether each write in flight was given up on. One whose commit is under way is not waited for in
// vain: it settles, and one that was not sent yet will not be.
bool Run::StoppingIsOver() const {
  const bool out_of_time = now_ >= seal_deadline_;
  for (const auto& [number, call] : active_) {
    if (!IsWrite(call.decision)) continue;
    if (call.phase != Phase::kDispatched) return false;
    if (!out_of_time && !call.stopping.in_vain) return false;
  }
  return std::all_of(loose_.begin(), loose_.end(), [out_of_time](const auto& entry) {
    return out_of_time || entry.second.stopping.in_vain;
  });
}

void Run::StopWrites() {
  for (auto& [number, call] : active_) {
    if (IsWrite(call.decision) && call.phase == Phase::kDispatched) {
      AskToStop(number, call.tool, call.stop, call.stopping);
    }
  }
  for (auto& [number, loose] : loose_) {
    AskToStop(number, loose.tool, loose.stop, loose.stopping);
  }
}

void Run::AskToStop(uint64_t number, const std::string& tool, StopKind stop, Stopping& stopping) {
  if (std::exchange(stopping.asked, true)) return;
  switch (stop) {
    case StopKind::kInProcess:
      break;  // answered before anything else happens
    case StopKind::kKillable:
      Emit(StopCall{number, tool});
      break;
    case StopKind::kQueryable:
      Emit(QueryCall{number, tool});
      break;
    case StopKind::kNone:
      stopping.in_vain = true;
      break;
  }
}

void Run::On(const BackendStopped& event) {
  if (broken_) return;
  CallIsOver(event.number, call::Failure(OutcomeKind::kUnknown,
                                         "stopped; whether it took effect before is not known"));
}

void Run::On(const QueryAnswered& event) {
  if (broken_) return;
  if (event.took_place == TookPlace::kDone) {
    call::Outcome outcome;
    outcome.kind = OutcomeKind::kOk;
    outcome.result = R"({"content":[{"type":"text","text":"it took place; its answer was lost"}]})";
    CallIsOver(event.number, std::move(outcome));
    return;
  }
  // `not yet` promises nothing.
  if (Active* call = Find(event.number)) call->stopping.in_vain = true;
  if (const auto it = loose_.find(event.number); it != loose_.end()) {
    it->second.stopping.in_vain = true;
  }
  GoOnSealing();
}

void Run::CallIsOver(uint64_t number, call::Outcome outcome) {
  if (Active* call = Find(number); call != nullptr && call->stopping.asked) {
    call->over = true;
    if (call->phase == Phase::kDispatched) Settle(*call, std::move(outcome));
  } else if (const auto it = loose_.find(number); it != loose_.end() && it->second.stopping.asked) {
    loose_.erase(it);
    GoOnSealing();
  }
}

std::vector<uint64_t> Run::MayStillAct() const {
  std::vector<uint64_t> numbers;
  for (const auto& [number, loose] : loose_) numbers.push_back(number);
  for (const auto& [number, call] : active_) {
    if (IsWrite(call.decision) && call.stop != StopKind::kInProcess) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace tipstaff::run
