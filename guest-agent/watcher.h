// Follows what changes at the mediator, and keeps what it listed for as long as no change says
// otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "guest-agent/cancellation.h"
#include "guest-agent/connection.h"
#include "guest-agent/worker_pool.h"
#include "mediator/mcp/session_events.h"

namespace tipstaff::guest_agent {

// Thread-safe. `connection` must outlive it.
class Watcher {
 public:
  // `on_change` is called from a thread of the watcher's, one at a time. After a connection was
  // lost it is called for each list, as what happened in between is not known.
  Watcher(Connection& connection, std::function<void(const mcp::Change&)> on_change)
      : connection_(connection), on_change_(std::move(on_change)), pool_(1) {}
  ~Watcher() { Stop(); }

  // Once a request got through to the mediator; does nothing while it watches already. From then on
  // the watcher connects again by itself, in ever longer intervals, until the mediator refuses the
  // channel or knows of no changes; the latter is asked again after the next Hello.
  void Start();
  void Stop();

  // What was kept, if it is still to be trusted; else nothing.
  mcp::CatalogPtr catalog() const;
  // Taken before the mediator is asked for a list and given to Keep with the answer, which keeps
  // nothing when something changed in between, or when nobody watches.
  uint64_t stamp() const;
  void Keep(uint64_t stamp, mcp::CatalogPtr catalog);

 private:
  void Run();
  void OnBegin(bool again);
  void OnChange(const mcp::Change& change);
  // What is kept is not to be trusted any more.
  void Forget(bool watching);

  Connection& connection_;
  const std::function<void(const mcp::Change&)> on_change_;
  Cancellation cancellation_;

  mutable std::mutex mutex_;
  bool running_ = false;
  bool watching_ = false;
  int hellos_without_changes_ = 0;  // the mediator of that Hello knew of none; 0: none did
  uint64_t stamp_ = 0;
  mcp::CatalogPtr catalog_;

  WorkerPool pool_;
};

}  // namespace tipstaff::guest_agent
