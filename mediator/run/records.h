// The bodies of records: what the ledger says about each fact, and back. A body is a JSON object in
// canonical form; docs/ledger-format.md lists the members.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/call/call.h"
#include "mediator/call/outcome.h"
#include "mediator/call/record.h"
#include "mediator/run/state.h"
#include "mediator/run/stop_kind.h"
#include "mediator/run/withhold.h"

namespace tipstaff::run {

// A file that the run pinned: replay reads these bytes from the ledger.
struct PinnedFile {
  std::string path;    // as loaded; for a stub's file, relative to its folder
  std::string digest;  // hex BLAKE2b-256
};

struct PinnedSkill {
  std::string name;
  PinnedFile file;
};

struct PinnedStub {
  std::string alias;
  std::string name;
  std::vector<PinnedFile> files;
};

// A test system: how its process is started, and what it offers. The program itself is not pinned.
struct PinnedTestSystem {
  std::string alias;
  std::string name;
  std::vector<std::string> command;
  std::string folder;  // that it is started in, absolute
  StopKind stop = StopKind::kNone;
  absl::Duration timeout;
  PinnedFile tools;
};

// An MCP server, with what was approved of it.
struct PinnedMcpServer {
  std::string alias;
  std::string name;
  std::string configuration;  // canonical JSON: config::Encode()
  PinnedFile pins;
  PinnedFile sign_off;
  std::string approved_by;
  absl::Time approved_until;
};

// run_opened
struct Opened {
  std::string run;
  std::vector<PinnedSkill> skills;
  std::string grant_digest;
  json::Document bindings;
  std::vector<PinnedStub> stubs;
  std::vector<PinnedTestSystem> test_systems;
  std::vector<PinnedMcpServer> mcp_servers;
  PinnedFile config;    // digest "" when defaults hold
  std::string channel;  // "unix:<path>", "firecracker:<vm>", "vsock:<cid>"
  std::string seed;
  std::vector<std::string> canaries;  // texts that were planted for the run
  std::string opened_by;              // "uid:1000"
  absl::Time opened_at;
  absl::Time expires_at;
  std::map<std::string, std::string> facts;  // attested by the operator
  std::string unconfined, network;           // `exec`: why, "" when not asked for
  uint64_t budget = 0;                       // Setup::budget
};
call::Record EncodeOpened(const Opened& opened);
absl::StatusOr<Opened> DecodeOpened(const call::Record& record);

// decided
struct Decided {
  uint64_t number = 0;  // of the call in its run, from 1; the decision's id is "<run>#<number>"
  std::string call_id;  // "" when the guest's was not usable
  std::string tool;
  call::Decision decision;
  bool retry = false;
  std::string arguments_digest;  // hex, over all of the arguments but what is withheld
  bool keyed = false;            // it has the key of withhold.h
  uint64_t arguments_size = 0;   // of all
  uint64_t same_as = 0;          // a second finalize with the same content: the first one's number
  // The held call that this one repeats: it waits too, or was said of it what was said of that one.
  // When it is allowed, it has used that one's approval up.
  uint64_t approval = 0;
  // The payload: the arguments without what is withheld, cut to kKeptOfDenied when the call was
  // denied.
  std::string arguments;
  std::vector<Withheld> withheld;
  absl::Time time;
};
inline constexpr size_t kKeptOfDenied = 4096;
call::Record EncodeDecided(const Decided& decided);
absl::StatusOr<Decided> DecodeDecided(const call::Record& record);

// outcome
struct Settled {
  uint64_t number = 0;
  call::Outcome outcome;         // result is the payload, without what is withheld
  uint64_t result_size = 0;      // of the whole
  bool result_left_out = false;  // read, not written: by LeaveOutResult()
  std::vector<Withheld> withheld;
  bool changes_withheld = false;
  absl::Time time;
};
call::Record EncodeSettled(const Settled& settled);
absl::StatusOr<Settled> DecodeSettled(const call::Record& record);
// Of an `outcome` whose result does not fit on the disk: its digest and size stay. False when the
// record is none, or has no result.
bool LeaveOutResult(call::Record& record);

// dispatched, sealing, submitting, accepted, refused, unknown, held: a fact about one call.
call::Record EncodeStep(call::RecordKind kind, uint64_t number, absl::Time time);
absl::StatusOr<uint64_t> DecodeStep(const call::Record& record);

// expired, revoked, closing: a fact about the run, with who and why where somebody asked for it.
struct Ended {
  std::string by;
  std::string why;
};
call::Record EncodeEnded(call::RecordKind kind, const Ended& ended, absl::Time time);
absl::StatusOr<Ended> DecodeEnded(const call::Record& record);

// resolved: what a person said of a result that is held (kOver, kAbandoned) or unknown.
enum class Resolution {
  kOver,       // of the writes that made it held nothing will take effect any more
  kAbandoned,  // nothing will be submitted
  kAccepted,   // the receiver has accepted it
  kRefused,    // the receiver has not accepted it and will not
};
absl::string_view ResolutionName(Resolution resolution);  // "over", "abandoned", ...
std::optional<Resolution> ParseResolution(absl::string_view name);
struct Resolved {
  uint64_t number = 0;  // of the finalize
  Resolution as = Resolution::kOver;
  std::string by, why;
};
call::Record EncodeResolved(const Resolved& resolved, absl::Time time);
absl::StatusOr<Resolved> DecodeResolved(const call::Record& record);

// approval: what a person said of a call that is held.
struct Approval {
  uint64_t number = 0;
  bool approved = false;  // else denied
  std::string by, why;
  absl::Time until;  // when it was not used by then, it is void; InfinitePast of a denial
  std::string note;  // the payload: what the person signed, or ""
};
call::Record EncodeApproval(const Approval& approval, absl::Time time);
absl::StatusOr<Approval> DecodeApproval(const call::Record& record);

// cleaned: what was checked to be gone.
call::Record EncodeCleaned(const std::vector<std::string>& checked, absl::Time time);

// closed: the last record, with the count of all records, itself included.
struct Closed {
  std::string ended;  // "expired", "revoked" or "closed"; "" in older ledgers
  std::string by, why;
  uint64_t records = 0;
  Tally tally;
  std::string result;  // ResultName()
};
call::Record EncodeClosed(const Closed& closed, absl::Time time);
absl::StatusOr<Closed> DecodeClosed(const call::Record& record);

}  // namespace tipstaff::run
