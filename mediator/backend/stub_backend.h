// A stub behind the Backend interface: calls are answered at once, in the process.
#pragma once

#include <memory>

#include "mediator/backend/backend.h"
#include "stubs/engine/stub.h"

namespace tipstaff::backend {

class StubBackend final : public Backend {
 public:
  explicit StubBackend(std::unique_ptr<engine::State> state) : state_(std::move(state)) {}

  run::StopKind stop_kind() const override { return run::StopKind::kInProcess; }
  void Call(const Request& request, Done done) override;
  void Cancel(uint64_t) override {}
  void Stop(uint64_t, Stopped stopped) override { std::move(stopped)(); }

  const engine::State& state() const { return *state_; }

 private:
  std::unique_ptr<engine::State> state_;
};

// A stub's reply as an outcome. Its result has the value both as structuredContent and as text,
// since some clients read only one of them.
call::Outcome ToOutcome(const engine::Reply& reply);

}  // namespace tipstaff::backend
