// A run with a disk, backends and guests that a test plays by hand.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mediator/policy/grant.h"
#include "mediator/run/run.h"

namespace tipstaff::run {

// What backends offer: each tool's effect is in its name (read_*, write_*, finalize*).
class PlayCatalog final : public policy::Catalog {
 public:
  absl::StatusOr<std::vector<call::Tool>> ToolsOf(const policy::BackendRef&) const override;
  std::vector<std::string> NamesOf(policy::BackendRef::Kind) const override {
    return {"inside", "outside"};
  }
};

// Who receives the result: a stub, or a tool outside the process, which may declare a key.
enum class Receiver { kStub, kPlain, kKeyed };

// The grant that the tests use: aliases `in` (in the process), `out` and `odd` (outside of it);
// bindings {"id":"r1"}. Results go to in.finalize_it, or to out.finalize_it. Ends the process when
// the skill does not check.
std::shared_ptr<const policy::Grant> PlayGrant(bool finalize_outside = false,
                                               absl::Span<const std::string> canaries = {});

// Carries out commands as far as a test lets it: commits queue until Commit(), dispatched calls
// wait until Answer().
class Playbook {
 public:
  // How writes to `out` and to `odd` can be stopped.
  explicit Playbook(StopKind outside = StopKind::kNone, Receiver receiver = Receiver::kStub,
                    StopKind odd = StopKind::kNone);

  // Begins anew with a run that may fill so many bytes.
  void Budget(uint64_t bytes) {
    budget_ = bytes;
    Begin();
  }

  // Events.
  StreamId Call(const std::string& id, const std::string& tool, const std::string& arguments);
  StreamId Malformed(const std::string& why);
  // Of the receiver's tool.
  StreamId Finalize(const std::string& id, const std::string& arguments);
  void Fire(Timer timer) { Give(TimerFired{timer}); }
  // Advances to the time that the timer was set to, and fires it.
  void FireInTime(Timer timer);
  // The number to look its answer up with in `resolved`.
  uint64_t Resolve(Resolution as);
  // The same, of a call that is held.
  uint64_t Approve(uint64_t number, bool approves = true);
  void CommitNext();  // the oldest queued commit becomes durable
  void CommitAll();   // and all that follow from it
  void FailNext();    // the disk refuses it
  void Answer(uint64_t number, call::OutcomeKind kind);
  void Give(const Event& event);
  void Advance(absl::Duration by) { now += by; }
  // The process is gone: what was not durable is lost; a new one begins with the records, and
  // closes the run first of all where that is asked for.
  void Crash(const CloseAsked* close = nullptr);

  // What happened.
  struct Sent {
    uint64_t number;
    std::string tool;
    call::Effect effect;
    std::string arguments = {};
    std::string key = {};
  };
  friend void PrintTo(const Sent& sent, std::ostream* out) {
    *out << sent.tool << "#" << sent.number;
  }
  // What was dispatched by this process: "out.write_it#1".
  std::vector<std::string> Dispatched() const;
  std::vector<std::string> KindsOf(const Commit& commit) const;
  std::vector<std::string> DurableKinds() const;

  std::unique_ptr<Run> run;
  absl::Time now = absl::FromUnixSeconds(1'777'000'000);
  std::deque<Commit> commits;         // queued, not durable
  std::vector<call::Record> durable;  // all records after run_opened
  std::vector<Sent> dispatched;       // ever, by this process
  std::map<StreamId, Reply> replies;
  std::map<StreamId, ReplyRecorded> recorded;
  std::vector<uint64_t> stopped, queried, cancelled;
  std::map<uint64_t, absl::Status> resolved;
  std::map<Timer, absl::Time> timers;
  bool finished = false;
  bool no_room = false;  // what the ledger says to new calls
  // Answers calls to `in` at once with this, as a stub does.
  call::OutcomeKind inside_answers = call::OutcomeKind::kOk;

 private:
  void Begin();
  void Carry(Commands commands);

  const StopKind outside_, odd_;
  const Receiver receiver_;
  uint64_t budget_ = 0;
  StreamId next_stream_ = 1;
};

}  // namespace tipstaff::run
