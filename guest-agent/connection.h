// The way to the mediator: dials, says Hello, and makes one try of each request. Dials again when
// the connection is gone (a gRPC channel that is made from a descriptor does not reconnect itself).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "guest-agent/cancellation.h"
#include "mediator/base/fd.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/session_events.h"

namespace tipstaff::guest_agent {

// The guest's name for a call goes with it over all tries.
struct CallRequest {
  std::string call_id;
  mcp::CallKind kind = mcp::CallKind::kTool;
  std::string name;       // of a tool or prompt
  std::string arguments;  // a JSON object
  bool want_progress = false;
  std::string log_level = "";  // the least that is wanted; "": nothing
};

// What comes before the end of a call.
struct CallEvents {
  std::function<void(const mcp::CallProgress&)> on_progress;
  std::function<void(const std::string&)> on_log;
};

struct WatchEvents {
  std::function<void()> on_begin;  // with the first message: from here on nothing is missed
  std::function<void(const mcp::Change&)> on_change;
};

// One try of a call.
struct CallTry {
  absl::StatusOr<mcp::CallEnd> end = absl::UnknownError("not tried");
  bool sent = false;   // the mediator may have seen the call
  bool heard = false;  // it answered something
};

// Thread-safe; any number of requests at once.
class Connection {
 public:
  using Dial = std::function<absl::StatusOr<base::Fd>()>;
  // Reads the token anew for each Hello, as it may have been renewed.
  using Token = std::function<absl::StatusOr<std::string>()>;
  using Log = std::function<void(absl::string_view)>;

  Connection(Dial dial, Token token, Log log);
  ~Connection();

  // What Hello says of the agent, from the next one on; each is cut to 64 bytes.
  void SetAgent(const mcp::ClientInfo& agent);

  // All block until there is an answer, it fails, or `cancellation` is cancelled (Cancelled).
  // A failure has the code of the guest protocol. PermissionDenied is final: the mediator says that
  // the token belongs to another channel, and this object does not try it again.
  absl::StatusOr<mcp::CatalogPtr> List(Cancellation& cancellation, absl::Time deadline);
  CallTry Call(const CallRequest& request, Cancellation& cancellation, const CallEvents& events);
  // Returns when the stream of changes is over: Unimplemented from a mediator that has none.
  absl::Status Watch(Cancellation& cancellation, const WatchEvents& events);
  // How many times the mediator has said Hello.
  int hellos() const { return hellos_; }

 private:
  struct Live;  // a channel and its session

  absl::StatusOr<std::shared_ptr<const Live>> Acquire(Cancellation& cancellation,
                                                      absl::Time deadline = absl::InfiniteFuture());
  absl::StatusOr<std::shared_ptr<const Live>> Open(std::shared_ptr<const Live> old,
                                                   Cancellation& cancellation, absl::Time deadline);
  // After a request over `live` failed with `status`.
  void Judge(const std::shared_ptr<const Live>& live, const absl::Status& status);
  void Refuse(const absl::Status& status);

  const Dial dial_;
  const Token token_;
  const Log log_;

  std::atomic<int> hellos_ = 0;
  std::timed_mutex mutex_;  // held while dialling and during Hello: one at a time
  std::shared_ptr<const Live> live_;
  absl::Status refused_;  // final
  std::mutex agent_mutex_;
  mcp::ClientInfo agent_;
};

}  // namespace tipstaff::guest_agent
