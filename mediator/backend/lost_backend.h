// In the place of a stub whose state cannot be made again.
#pragma once

#include <string>
#include <utility>

#include "mediator/backend/backend.h"

namespace tipstaff::backend {

// Every call fails before anything takes effect, and says why.
class LostBackend final : public Backend {
 public:
  explicit LostBackend(std::string why) : why_(std::move(why)) {}

  run::StopKind stop_kind() const override { return run::StopKind::kInProcess; }
  void Call(const Request&, Done done) override {
    std::move(done)(call::Failure(call::OutcomeKind::kFailed, why_));
  }
  void Cancel(uint64_t) override {}
  void Stop(uint64_t, Stopped stopped) override { std::move(stopped)(); }

 private:
  const std::string why_;
};

}  // namespace tipstaff::backend
