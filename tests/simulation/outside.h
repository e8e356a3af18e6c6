// The systems outside of the mediator, as a schedule drives them. They survive its crashes: what
// was sent may still act long after the one who sent it is gone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mediator/call/outcome.h"
#include "mediator/run/stop_kind.h"

namespace tipstaff::simulation {

// A call at a backend outside.
struct OutsideCall {
  run::StopKind kind = run::StopKind::kNone;
  bool write = false;
  bool may_act = true;  // it can still take effect
  bool took_effect = false;
  bool awaited = true;  // the mediator that sent it still waits for an answer
};

// What a receiver has of one delivery of a result.
struct Delivery {
  enum class State { kInTransit, kTaken, kTurnedDown } state = State::kInTransit;
  std::string key;
};

// Receives results; with keys, each key once. A repetition may be refused whatever became of the
// first delivery, or be given the first receipt.
class OutsideReceiver {
 public:
  explicit OutsideReceiver(bool knows_keys) : knows_keys_(knows_keys) {}

  void Deliver(const std::string& key) { deliveries_.push_back({{}, key}); }
  bool MayAct() const;
  // Takes or turns down the oldest or newest delivery in transit.
  void Act(bool newest, bool take);
  // The last delivery does not get there; false when it has.
  bool Lose();
  // What it says about the last delivery; kUnknown while it has not acted on it.
  call::OutcomeKind Answer() const;

  int receipts() const { return receipts_; }
  const std::vector<Delivery>& deliveries() const { return deliveries_; }

 private:
  const bool knows_keys_;
  std::vector<Delivery> deliveries_;
  int receipts_ = 0;  // results that it has accepted; a second one breaks promise 3
};

}  // namespace tipstaff::simulation
