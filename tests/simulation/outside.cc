#include "tests/simulation/outside.h"

#include <algorithm>

namespace tipstaff::simulation {
namespace {

bool InTransit(const Delivery& delivery) { return delivery.state == Delivery::State::kInTransit; }

}  // namespace

bool OutsideReceiver::MayAct() const {
  return std::any_of(deliveries_.begin(), deliveries_.end(), InTransit);
}

void OutsideReceiver::Act(bool newest, bool take) {
  Delivery* chosen = nullptr;
  for (Delivery& delivery : deliveries_) {
    if (InTransit(delivery) && (chosen == nullptr || newest)) chosen = &delivery;
  }
  if (chosen == nullptr) return;
  if (!take) {
    chosen->state = Delivery::State::kTurnedDown;
    return;
  }
  chosen->state = Delivery::State::kTaken;
  const bool has_it =
      knows_keys_ &&
      std::any_of(deliveries_.begin(), deliveries_.end(), [chosen](const Delivery& other) {
        return &other != chosen && other.key == chosen->key &&
               other.state == Delivery::State::kTaken;
      });
  if (!has_it) ++receipts_;
}

bool OutsideReceiver::Lose() {
  if (!InTransit(deliveries_.back())) return false;
  deliveries_.back().state = Delivery::State::kTurnedDown;
  return true;
}

call::OutcomeKind OutsideReceiver::Answer() const {
  switch (deliveries_.back().state) {
    case Delivery::State::kTaken:
      return call::OutcomeKind::kOk;
    case Delivery::State::kTurnedDown:
      return call::OutcomeKind::kRefused;
    case Delivery::State::kInTransit:
      break;
  }
  return call::OutcomeKind::kUnknown;
}

}  // namespace tipstaff::simulation
