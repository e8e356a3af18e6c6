// Calls of a stub that is tried out, one after the other on one state.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "stubs/engine/stub.h"

namespace tipstaff::cli {

// Calls are numbered from 1, and the state has the alias of tests (engine/stub_tests.h): the same
// calls in a test give the same bytes. Not thread-safe.
class StubSession {
 public:
  struct Made {
    std::string tool;
    json::Document arguments;
    engine::Reply reply;
  };

  static absl::StatusOr<StubSession> Start(std::shared_ptr<const engine::Stub> stub,
                                           std::string seed, json::Document bindings);

  // The reply is valid until the next call of a method.
  const engine::Reply& Call(absl::string_view tool, json::Document arguments);
  // Forgets the calls, and starts from the fixtures.
  absl::Status Reset();
  // Makes the calls again from the start, on `stub`, which is the stub from then on. One line for
  // each call whose reply is another than before. On an error everything stays as it was.
  absl::StatusOr<std::vector<std::string>> Replay(std::shared_ptr<const engine::Stub> stub);

  const std::shared_ptr<const engine::Stub>& stub() const { return stub_; }
  const engine::State& state() const { return *state_; }
  const std::vector<Made>& made() const { return made_; }
  const std::string& seed() const { return seed_; }
  const json::Document& bindings() const { return bindings_; }

 private:
  StubSession(std::shared_ptr<const engine::Stub> stub, std::string seed, json::Document bindings)
      : stub_(std::move(stub)), seed_(std::move(seed)), bindings_(std::move(bindings)) {}
  absl::StatusOr<std::unique_ptr<engine::State>> Fresh(
      std::shared_ptr<const engine::Stub> stub) const;

  std::shared_ptr<const engine::Stub> stub_;
  std::string seed_;
  json::Document bindings_;
  std::unique_ptr<engine::State> state_;
  std::vector<Made> made_;
};

}  // namespace tipstaff::cli
