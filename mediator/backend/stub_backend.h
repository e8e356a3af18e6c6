// A stub behind the Backend interface: calls are answered at once, in the process.
#pragma once

#include <memory>
#include <optional>

#include "mediator/backend/backend.h"
#include "mediator/backend/token_check.h"
#include "stubs/engine/stub.h"

namespace tipstaff::backend {

class StubBackend final : public Backend {
 public:
  // `state` is one of `stub`. A tool that declares an audience takes only what `check` lets in;
  // without a check that is nothing.
  StubBackend(std::shared_ptr<const engine::Stub> stub, std::unique_ptr<engine::State> state,
              std::optional<TokenCheck> check = std::nullopt)
      : stub_(std::move(stub)), state_(std::move(state)), check_(std::move(check)) {}

  run::StopKind stop_kind() const override { return run::StopKind::kInProcess; }
  std::string KeyArgument(absl::string_view tool) const override;
  std::string Audience(absl::string_view tool) const override;
  void Call(const Request& request, Done done) override;
  call::Outcome MakeAgain(const Request& request, call::OutcomeKind then) override;
  void Cancel(uint64_t) override {}
  void Stop(uint64_t, Stopped stopped) override { std::move(stopped)(); }

  const engine::State& state() const { return *state_; }

 private:
  const call::Tool* Find(absl::string_view tool) const;
  absl::Status LetIn(const Request& request) const;

  const std::shared_ptr<const engine::Stub> stub_;
  std::unique_ptr<engine::State> state_;
  const std::optional<TokenCheck> check_;
};

// A stub's reply as an outcome. Its result has the value both as structuredContent and as text,
// since some clients read only one of them.
call::Outcome ToOutcome(const engine::Reply& reply);

}  // namespace tipstaff::backend
