// A stub's tables as they were at a decision: made again from the run's record.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/backend/backend.h"
#include "mediator/json/builder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/review/timeline.h"
#include "stubs/engine/stub.h"

namespace tipstaff::cli {

struct StubState {
  std::string alias, stub;
  std::unique_ptr<backend::Backend> owner;  // of `state`
  const engine::State* state = nullptr;
};

// The stub that the run calls `name`, or, where it has one alias only, the stub of this name. With
// all that was done before the decision, and what its call did. NotFound (it says which stubs there
// are); FailedPrecondition: it cannot be made again; DataLoss: it comes out otherwise than it did.
absl::StatusOr<StubState> StubStateAt(ledger::Reader& reader, const review::Row& row,
                                      const std::string& name);

// The same after all that the run did so far.
absl::StatusOr<StubState> StubStateAtEnd(ledger::Reader& reader, const std::string& run,
                                         const std::string& name);

// Its tables, or the one named (NotFound). The rows that the decision's call changed are marked:
// + inserted, ~ updated, - deleted.
absl::StatusOr<std::string> RenderState(const StubState& state, const review::Row& row,
                                        const std::string& table);
absl::Status AddState(const StubState& state, const std::string& table, json::Builder& b);

}  // namespace tipstaff::cli
