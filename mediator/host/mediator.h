// The runs of a mediator: opening, finding, restoring after a restart, closing.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "mediator/config/config.h"
#include "mediator/host/channel.h"
#include "mediator/host/live_run.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::upstream {
class HttpClient;
struct McpSystem;
}  // namespace tipstaff::upstream

namespace tipstaff::host {

class VsockListener;
struct Granted;

struct OpenRequest {
  std::vector<std::string> skills;
  std::string bindings_json;  // "" means {}
  absl::Duration time_limit;  // zero: run::kDefaultTimeLimit
  std::string seed;           // "": drawn
  std::map<std::string, std::string> facts;
  std::string vm;    // a Firecracker-style channel, or
  uint32_t cid = 0;  // an AF_VSOCK one; neither: a socket of the run's own
  std::string opened_by;
  std::string unconfined, network;
  std::vector<std::string> canaries;  // planted texts
};

struct OpenedRun {
  std::string run;
  std::string channel;      // "unix:<path>", "firecracker:<vm>", "vsock:<cid>"
  std::string socket_path;  // "" for vsock
  std::string token_path;
  absl::Time expires_at;
  std::vector<std::string> tools;  // published names
};

// On the event loop's thread only.
class Mediator {
 public:
  // `config` and `around` outlive the mediator. `gate_program` is the path of tipstaff-gate.
  Mediator(const config::Config& config, const Surroundings& around, std::string gate_program);
  ~Mediator();

  // Makes the runs live that the ledger says are open. A run that cannot be restored is left
  // shut to guests and said so in the log.
  absl::Status Recover();

  // Errors in files or bindings come as diagnostics beside an InvalidArgument status.
  using OpenDone = absl::AnyInvocable<void(absl::StatusOr<OpenedRun>) &&>;
  void Open(const OpenRequest& request, source::Diagnostics& diagnostics, OpenDone done);
  // `done` with the run once its last record is durable. NotFound, FailedPrecondition when closed,
  // or Unavailable when the ledger takes no record: the run is then as open as it was.
  using CloseDone = absl::AnyInvocable<void(absl::StatusOr<std::shared_ptr<LiveRun>>) &&>;
  void Close(const std::string& run, const std::string& by, const std::string& why, bool revoke,
             CloseDone done);
  // What a person says of a result that is held or unknown; `done` once it is durable. NotFound,
  // FailedPrecondition when there is nothing of the kind to say, or Unavailable.
  using SaidDone = absl::AnyInvocable<void(absl::Status) &&>;
  void Resolve(const std::string& run, run::Resolution as, const std::string& by,
               const std::string& why, SaidDone done);

  // What a person says of a held call. `asker` is connected ("uid:1000"); `note` is what the person
  // signed, or "". `done` once it is durable. NotFound, FailedPrecondition, PermissionDenied.
  void Approve(const std::string& run, uint64_t number, bool approves, const std::string& asker,
               const std::string& why, const std::string& note, SaidDone done);

  // Null when no such run is live. A run whose commits failed is restored first.
  std::shared_ptr<LiveRun> Find(const std::string& run);
  std::vector<std::shared_ptr<LiveRun>> Runs() const;

  // The audience of run tokens: this mediator's name.
  const std::string& audience() const { return audience_; }

 private:
  struct Entry {
    std::shared_ptr<LiveRun> live;
    std::shared_ptr<Channel> channel;
    std::vector<CloseDone> on_closed;
    // While the run's commits fail: when it is tried again by itself.
    std::shared_ptr<boost::asio::steady_timer> again = nullptr;
  };

  // Makes backends of what `granted` has of them; the run's folder is there.
  absl::StatusOr<std::shared_ptr<LiveRun>> Make(run::Opened opened, Granted& granted);
  // `told`: the run that hears of what the server says, once it is there.
  absl::StatusOr<std::unique_ptr<backend::Backend>> MakeServer(
      const std::string& alias, std::shared_ptr<const upstream::McpSystem> system,
      const run::Opened& opened, std::shared_ptr<const std::weak_ptr<LiveRun>> told);
  absl::StatusOr<std::shared_ptr<LiveRun>> Restore(const ledger::StoredRun& stored);
  absl::StatusOr<std::shared_ptr<Channel>> MakeChannel(const std::string& run,
                                                       const std::string& name);
  absl::StatusOr<std::string> PrepareChannel(const std::string& run, const OpenRequest& request);
  absl::Status WriteToken(const run::Opened& opened, std::string& path);
  absl::Status ListenVsock();
  // `close`: and closes it, before anything else of it goes on.
  void Repair(Entry& entry, const run::CloseAsked* close = nullptr);
  // A run whose time is out is closed also when nobody asks for it any more.
  void RepairWhenOver(Entry& entry);
  // The run when it can take part; else why not.
  absl::StatusOr<std::shared_ptr<LiveRun>> FindUsable(const std::string& run,
                                                      absl::string_view not_done);
  void Ended(const std::string& run, const absl::Status& how);
  std::string RunFolder(const std::string& run) const;

  const config::Config& config_;
  const Surroundings around_;
  const std::string gate_program_;
  const std::string audience_;
  std::map<std::string, Entry> runs_;
  std::vector<std::shared_ptr<Channel>> retired_;
  std::unique_ptr<VsockListener> vsock_;
  std::shared_ptr<upstream::HttpClient> http_;  // of all runs, once one needs it
};

}  // namespace tipstaff::host
