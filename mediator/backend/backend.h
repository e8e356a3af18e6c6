// Where a permitted call goes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "mediator/call/outcome.h"
#include "mediator/call/reason.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"
#include "mediator/run/stop_kind.h"

namespace tipstaff::backend {

struct Request {
  uint64_t number = 0;  // of the call in its run
  call::Kind kind = call::Kind::kTool;
  std::string tool;  // within the backend: "get_report"
  json::Document arguments;
  std::string canonical;  // the bytes that were checked; what is sent outside
  call::Effect effect = call::Effect::kRead;
  // A finalize only; it stands in the arguments, too, where the tool declares one for it.
  std::string submission_key;
  // Of a tool that declares an audience: the mediator's token for it (keys/keys.h), minted for this
  // delivery. A secret: it is never recorded, logged or answered with.
  std::string token = {};
  // What comes before the answer, for whoever waits; empty: nobody does.
  struct Progress {
    double progress = 0;
    double total = 0;     // 0: not known
    std::string message;  // "": none
  };
  std::function<void(const Progress&)> on_progress = {};
  // The params of MCP's `notifications/message`, of `log_level` (one of MCP's) and above.
  std::function<void(const std::string& params)> on_log = {};
  std::string log_level = {};
};

// One run's view of one system. All calls and callbacks are on the run's thread. A callback may
// destroy the backend.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual run::StopKind stop_kind() const = 0;
  // May begin to get ready for calls. After a restart, once MakeAgain() is over.
  virtual void Begin() {}
  // Why a call is refused before it is dispatched; nothing where it is not.
  virtual std::optional<call::Reason> Refuses(call::Kind kind, absl::string_view tool) const;
  // The argument that takes a submission's key; "" when `tool` declares none.
  virtual std::string KeyArgument(absl::string_view tool) const;
  // Whom a token for a submission by `tool` is for; "" when it declares nobody.
  virtual std::string Audience(absl::string_view tool) const;

  // Makes the call. `done` is called exactly once, at once or later, unless the backend is
  // destroyed before. A result is delivered again with the same number and key; what became of the
  // delivery before is then not asked any more.
  using Done = absl::AnyInvocable<void(call::Outcome) &&>;
  virtual void Call(const Request& request, Done done) = 0;
  // Makes a call again that was made before a restart, so that the state is what it was: whoever
  // asked for it was let in then, and no token is looked at. Only of StopKind::kInProcess; the
  // others refuse. `then`: what it came to.
  virtual call::Outcome MakeAgain(const Request& request, call::OutcomeKind then);
  // The guest no longer waits for the call.
  virtual void Cancel(uint64_t number) = 0;
  // Ends the call for good; `stopped` once nothing of it can take effect any more. Also asked of a
  // call that was answered as unknown, and where nothing runs any more. Only of
  // StopKind::kKillable, whose processes are gone, too, when the backend is destroyed.
  using Stopped = absl::AnyInvocable<void() &&>;
  virtual void Stop(uint64_t number, Stopped stopped) = 0;
  // Whether a write took place, also one that was answered as unknown, or made before a restart.
  // `answered` is called once, unless the backend is destroyed before. Only of
  // StopKind::kQueryable; the others do not know.
  using Answered = absl::AnyInvocable<void(run::TookPlace) &&>;
  virtual void Query(uint64_t number, Answered answered);
};

using Backends = std::map<std::string, std::unique_ptr<Backend>>;  // by alias

}  // namespace tipstaff::backend
