// Where a permitted call goes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "mediator/call/outcome.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"
#include "mediator/run/stop_kind.h"

namespace tipstaff::backend {

struct Request {
  uint64_t number = 0;  // of the call in its run
  std::string tool;     // within the backend: "get_report"
  json::Document arguments;
  std::string canonical;  // the bytes that were checked; what is sent outside
  call::Effect effect = call::Effect::kRead;
  std::string submission_key;  // a finalize only
};

// One run's view of one system. All calls and callbacks are on the run's thread.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual run::StopKind stop_kind() const = 0;

  // Makes the call. `done` is called exactly once, at once or later, unless the backend is
  // destroyed before.
  using Done = absl::AnyInvocable<void(call::Outcome) &&>;
  virtual void Call(const Request& request, Done done) = 0;
  // The guest no longer waits for the call.
  virtual void Cancel(uint64_t number) = 0;
  // Ends the call for good; `stopped` once nothing of it can take effect any more.
  using Stopped = absl::AnyInvocable<void() &&>;
  virtual void Stop(uint64_t number, Stopped stopped) = 0;
};

}  // namespace tipstaff::backend
