// A run that is open: its state machine, its backends, and who waits for what.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "mediator/backend/backend.h"
#include "mediator/base/clock.h"
#include "mediator/host/call_queue.h"
#include "mediator/host/canary_searches.h"
#include "mediator/host/inbox.h"
#include "mediator/host/incoming.h"
#include "mediator/host/outbox.h"
#include "mediator/host/refusal.h"
#include "mediator/host/run_changes.h"
#include "mediator/host/waiter.h"
#include "mediator/keys/keys.h"
#include "mediator/ledger/ledger.h"
#include "mediator/run/run.h"

namespace tipstaff::host {

// What the parts of the mediator share. All of it outlives every run.
struct Surroundings {
  boost::asio::io_context& loop;
  Inbox& inbox;
  const base::AdvancingClock& clock;
  ledger::Ledger& ledger;
  Outbox& outbox;  // what runs append to it
  ledger::Reader& reader;
  const keys::KeyRing& keys;
  CanarySearches& searches;
};

using backend::Backends;

// Carries out what the state machine commands. On the event loop's thread only.
class LiveRun : public std::enable_shared_from_this<LiveRun> {
 public:
  // `folder` is the run's own, where its key of sensitive values is; that is destroyed with it.
  LiveRun(const Surroundings& around, run::Opened opened,
          std::shared_ptr<const policy::Grant> grant, Backends backends, std::string folder,
          std::string sensitive_key);

  // Replays durable records (after run_opened): the state machine's and the stubs' state. DataLoss
  // when a stub does not do as it did. A stub whose calls had arguments that were withheld from the
  // ledger takes no more calls.
  absl::Status Restore(const std::vector<ledger::StoredRecord>& records);
  // Call once, after Restore. `on_ended` is called once: OK when the run's last record is durable,
  // Unavailable when a commit failed and this object is of no more use. `close`: and closes it
  // first of all.
  void Start(std::function<void(const absl::Status&)> on_ended,
             const run::CloseAsked* close = nullptr);

  // Returns the number to Cancel() with. The answer may come before this returns.
  run::StreamId Call(Incoming incoming, std::shared_ptr<Waiter> waiter);
  // Of a call that still waits for a search of its arguments nothing is left.
  void Cancel(run::StreamId stream);
  // What would be decided, when its turn comes; InvalidArgument when it is not a call.
  void Preview(Incoming incoming, CallQueue::Preview done);
  void Close(const std::string& by, const std::string& why, bool revoke);
  // `done` once it is durable, or with why not.
  using Resolved = absl::AnyInvocable<void(const absl::Status&) &&>;
  void Resolve(run::Resolution as, const std::string& by, const std::string& why, Resolved done);
  // The same of a call that is held; who may say so was checked (approver.h).
  void Approve(run::ApprovalAsked asked, Resolved done);
  // When this object is of no more use: the run's backends are gone, and whatever they ran, before
  // another one takes its place.
  void DestroyBackends();

  const std::string& id() const { return opened_.run; }
  const run::Opened& opened() const { return opened_; }
  const policy::Grant& grant() const { return *grant_; }
  // Whether any backend is an MCP server.
  bool has_servers() const { return !opened_.mcp_servers.empty(); }
  // What guests are told of. `uri` only where somebody was permitted to subscribe to it.
  RunChanges& changes() { return changes_; }
  void OnListChanged(call::Kind kind) { changes_.Tell({.list = kind, .uri = ""}); }
  void OnResourceUpdated(const std::string& uri);
  const run::Run& state() const { return run_; }
  // All that the record keeps of them. An error of the ledger.
  absl::StatusOr<std::string> ArgumentsOf(const run::HeldCall& held) const;

 private:
  void HandOver(run::CallArrived arrived, CallQueue::Preview preview);
  void Feed(run::Event event);
  void Drain();
  void Carry(run::Commands commands);
  void Execute(run::Commit command);
  void Execute(run::Dispatch command);
  void Execute(run::CancelCall command);
  void Execute(run::StopCall command);
  void Execute(run::QueryCall command);
  void Execute(run::Reply command);
  void Execute(run::ReplyRecorded command);
  void Execute(run::SetTimer command);
  void Execute(run::ResolveAnswered command);
  void Execute(run::ApprovalAnswered command);
  void AnswerPerson(uint64_t request, const absl::Status& status);
  void Execute(run::Cleanup command);
  void Execute(run::Finished command);

  void ReportTo(run::StreamId stream, backend::Request& request);
  // "" where `tool` declares no audience.
  absl::StatusOr<std::string> TokenFor(const std::string& tool, const std::string& key,
                                       const backend::Backend& backend) const;
  void End(const absl::Status& how);
  void AnswerNow(run::StreamId stream, const Answer& answer);
  void AnswerLater(run::StreamId stream, Answer answer, absl::Duration delay, int reports);
  backend::Backend* BackendOf(absl::string_view alias) const;
  std::string DecisionId(uint64_t number) const;

  const Surroundings around_;
  const run::Opened opened_;
  const std::shared_ptr<const policy::Grant> grant_;
  const std::string folder_;
  Backends backends_;
  run::Run run_;
  std::function<void(const absl::Status&)> on_ended_;

  std::unique_ptr<CallQueue> calls_;  // from Start() on

  // Events that come up while commands are carried out wait their turn.
  std::deque<run::Event> events_;
  bool draining_ = false;

  run::StreamId next_stream_ = 1;
  absl::flat_hash_map<run::StreamId, std::shared_ptr<Waiter>> waiters_;
  struct Delayed;
  std::map<run::StreamId, std::shared_ptr<Delayed>> delayed_;
  std::map<run::Timer, boost::asio::steady_timer> timers_;
  std::map<uint64_t, std::string> alias_of_;  // of calls at a backend
  uint64_t next_request_ = 1;
  std::map<uint64_t, Resolved> resolving_;  // by request
  RunChanges changes_;
  std::set<std::string> subscribed_;  // URIs, by permitted calls that succeeded
};

}  // namespace tipstaff::host
