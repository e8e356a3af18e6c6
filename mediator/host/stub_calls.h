// A stub's state is a fold over the calls that were made: makes those of a run again from its
// record.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mediator/backend/backend.h"
#include "mediator/call/record.h"
#include "mediator/policy/grant.h"
#include "mediator/run/records.h"

namespace tipstaff::host {

class StubCalls {
 public:
  // All must outlive it. The stubs among `backends` are as they were when `run` was opened.
  StubCalls(const std::string& run, const policy::Grant& grant, backend::Backends& backends)
      : run_(run), grant_(grant), backends_(backends) {}

  // To be given the run's records in their order, payloads too. DataLoss when a stub does not
  // answer, or does not change its tables, as it did. A stub whose call had arguments that were
  // withheld from the record becomes a LostBackend.
  absl::Status Take(const call::Record& record);

 private:
  absl::Status MakeAgain(const run::Decided& call, const run::Settled& settled);
  absl::Status Compare(const run::Decided& call, const run::Settled& settled,
                       call::Outcome again) const;
  absl::StatusOr<backend::Request> RequestOf(const run::Decided& call, const std::string& tool,
                                             const backend::Backend& backend) const;

  const std::string& run_;
  const policy::Grant& grant_;
  backend::Backends& backends_;
  std::map<uint64_t, run::Decided> decided_;  // and not settled yet
};

}  // namespace tipstaff::host
