// Requests to the mediator under way: each is tried until it is answered, given up or cancelled.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "guest-agent/cancellation.h"
#include "guest-agent/connection.h"
#include "guest-agent/retry.h"
#include "guest-agent/watcher.h"
#include "guest-agent/worker_pool.h"
#include "mediator/mcp/session.h"

namespace tipstaff::guest_agent {

// Where answers go; from threads of Calls, several at once. Nothing comes for a ticket after its
// end. After a Cancel something may still come that was on its way.
class Answers {
 public:
  virtual ~Answers() = default;
  virtual void OnList(uint64_t ticket, const absl::StatusOr<mcp::CatalogPtr>& catalog) = 0;
  virtual void OnProgress(uint64_t ticket, const mcp::CallProgress& progress) = 0;
  virtual void OnLog(uint64_t ticket, const std::string& params) = 0;
  virtual void OnCallEnd(uint64_t ticket, const mcp::CallEnd& end) = 0;
  virtual void OnChange(const mcp::Change& change) = 0;
};

struct Patience {
  absl::Duration call = kCallPatience;
  absl::Duration list = kListPatience;
};

// Thread-safe. `connection` and `answers` must outlive it.
class Calls {
 public:
  Calls(Connection& connection, Answers& answers, Patience patience = {});
  ~Calls() { Stop(); }

  void List(const mcp::WantList& list);
  // A call that got no answer from the mediator ends with a result (of a tool) or an error that
  // says so, and a decision without id: verdict "deny" when the mediator cannot have seen the call,
  // else "unknown".
  void Call(const mcp::WantCall& call);
  void Cancel(uint64_t ticket);
  // Cancels everything, and returns when no answer can come any more.
  void Stop();

 private:
  // `work` runs on a thread of `pool`.
  void Start(WorkerPool& pool, uint64_t ticket, std::function<void(Cancellation&)> work);
  void RunList(uint64_t ticket, absl::Duration patience, Cancellation& cancellation);
  void RunCall(uint64_t ticket, const CallRequest& request, Cancellation& cancellation);
  std::string NextCallId();

  Connection& connection_;
  Answers& answers_;
  const Patience patience_;
  const std::string id_prefix_;
  std::mutex mutex_;
  uint64_t last_call_ = 0;
  std::map<uint64_t, std::shared_ptr<Cancellation>> under_way_;
  bool stopped_ = false;
  Watcher watcher_;
  WorkerPool call_pool_, list_pool_;
};

}  // namespace tipstaff::guest_agent
