#include "mediator/host/mediator.h"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "mediator/backend/process_lock.h"
#include "mediator/backend/stub_backend.h"
#include "mediator/backend/test_system_backend.h"
#include "mediator/base/crash_point.h"
#include "mediator/base/digest.h"
#include "mediator/base/file.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/config/hidden_paths.h"
#include "mediator/host/approver.h"
#include "mediator/host/granting.h"
#include "mediator/host/sensitive_key.h"
#include "mediator/host/tokens.h"
#include "mediator/host/vsock_listener.h"
#include "mediator/json/parse.h"
#include "mediator/run/limits.h"
#include "mediator/transport/listen/listen.h"
#include "mediator/upstream/http_client.h"
#include "mediator/upstream/make_transport.h"
#include "mediator/upstream/mcp_backend.h"

namespace tipstaff::host {
namespace {

namespace fs = std::filesystem;

// How long guests that are still connected are told that their run is over.
constexpr absl::Duration kGraceAfterClosing = absl::Seconds(30);
constexpr absl::Duration kMaxTimeLimit = absl::Hours(24 * 7);
// A gate of a mediator that was killed listens until it has seen its mediator's end; it is gone
// within a second (kEndTime in mediator/gate/limits.h).
constexpr absl::Duration kOldGateTime = absl::Seconds(3);
constexpr absl::Duration kOldGatePause = absl::Milliseconds(5);
// How long the processes of backends that it left may take to be gone once they are killed.
constexpr absl::Duration kLeftOverTime = absl::Seconds(5);
// A run whose commits fail is tried again when its time is out, and then after such a pause.
constexpr absl::Duration kRepairPause = absl::Minutes(1);
constexpr size_t kRecordsAtOnce = 1000;
constexpr size_t kMaxOpenRuns = 1000;

const base::CrashPoint kOpening("open: before its commit");
const base::CrashPoint kOpened("open: committed");
const base::CrashPoint kRestored("restart: a run is restored");
const base::CrashPoint kGoesOn("restart: a run goes on");
const base::CrashPoint kRecovered("restart: all runs go on");
const base::CrashPoint kEnded("close: the last record is committed");
const base::CrashPoint kRemoved("close: the folder is removed");

bool IsVmName(absl::string_view name) { return call::IsToolName(name) && name.front() != '.'; }

}  // namespace

Mediator::Mediator(const config::Config& config, const Surroundings& around,
                   std::string gate_program)
    : config_(config),
      around_(around),
      gate_program_(std::move(gate_program)),
      audience_(MediatorAudience(config.ledger)) {}

Mediator::~Mediator() {
  for (auto& [id, entry] : runs_) {
    if (entry.channel != nullptr) entry.channel->Shut();
  }
  for (const std::shared_ptr<Channel>& channel : retired_) channel->Shut();
}

std::string Mediator::RunFolder(const std::string& run) const {
  return absl::StrCat(config_.runs_dir, "/", run);
}

// ---- opening ----

void Mediator::Open(const OpenRequest& request, source::Diagnostics& diagnostics, OpenDone done) {
  const auto prepare = [&]() -> absl::StatusOr<std::pair<std::shared_ptr<LiveRun>, Granted>> {
    if (runs_.size() >= kMaxOpenRuns) {
      return absl::ResourceExhaustedError(
          absl::StrCat(kMaxOpenRuns, " runs are open; close some first"));
    }
    const absl::StatusOr<json::Document> bindings =
        json::Parse(request.bindings_json.empty() ? "{}" : request.bindings_json);
    if (!bindings.ok() || !bindings->root().is_object()) {
      return absl::InvalidArgumentError("the bindings are not a JSON object");
    }
    const absl::Duration time_limit =
        request.time_limit == absl::ZeroDuration() ? run::kDefaultTimeLimit : request.time_limit;
    if (time_limit < absl::Seconds(1) || time_limit > kMaxTimeLimit) {
      return absl::InvalidArgumentError("a run's time limit is between 1s and 7d");
    }
    run::Opened opened;
    opened.run = base::NewRunId();
    opened.seed = request.seed.empty() ? base::RandomText(16) : request.seed;
    opened.canaries = request.canaries;
    TIPSTAFF_ASSIGN_OR_RETURN(Granted granted,
                              GrantFromDisk(config_, request.skills, *bindings, opened.canaries,
                                            opened.seed, diagnostics));
    opened.skills = granted.skills;
    opened.stubs = granted.stubs;
    opened.test_systems = granted.test_systems;
    opened.mcp_servers = granted.mcp_servers;
    opened.grant_digest = granted.grant->digest();
    opened.bindings = granted.grant->bindings();
    if (!config_.text.empty()) {
      const base::Digest digest = base::DigestOf(config_.text);
      granted.pinned.push_back({digest, config_.text});
      opened.config = {config_.path, base::ToHex(digest)};
    }
    opened.opened_by = request.opened_by;
    opened.opened_at = around_.clock.Now();
    opened.expires_at =
        opened.opened_at + std::min(time_limit, granted.grant->limits().wall.value_or(time_limit));
    opened.facts = request.facts;
    opened.budget = config_.run_budget;
    opened.unconfined = request.unconfined;
    opened.network = request.network;
    TIPSTAFF_ASSIGN_OR_RETURN(opened.channel, PrepareChannel(opened.run, request));
    TIPSTAFF_ASSIGN_OR_RETURN(std::shared_ptr<LiveRun> live, Make(std::move(opened), granted));
    return std::make_pair(std::move(live), std::move(granted));
  };

  auto prepared = prepare();
  if (!prepared.ok()) return std::move(done)(prepared.status());
  auto& [live, granted] = *prepared;
  const std::string id = live->id();
  const auto give_up = [&](const absl::Status& why) {
    std::error_code ignored;
    fs::remove_all(RunFolder(id), ignored);
    std::move(done)(why);
  };
  absl::StatusOr<std::shared_ptr<Channel>> channel = MakeChannel(id, live->opened().channel);
  if (!channel.ok()) return give_up(channel.status());
  OpenedRun reply;
  reply.run = id;
  reply.channel = live->opened().channel;
  reply.socket_path = (*channel)->path();
  reply.expires_at = live->opened().expires_at;
  for (const policy::PublishedTool& tool : live->grant().tools()) reply.tools.push_back(tool.name);
  if (const absl::Status written = WriteToken(live->opened(), reply.token_path); !written.ok()) {
    return give_up(written);
  }
  kOpening.Pass();
  around_.ledger.Open(
      id, std::move(granted.pinned), {run::EncodeOpened(live->opened())},
      [this, send = around_.inbox.Sender(), live = live, channel = *std::move(channel),
       reply = std::move(reply),
       done = std::move(done)](absl::StatusOr<ledger::Appended> appended) mutable {
        send([this, live = std::move(live), channel = std::move(channel), reply = std::move(reply),
              done = std::move(done), appended = std::move(appended)]() mutable {
          if (!appended.ok()) {
            channel->Shut();
            std::error_code ignored;
            fs::remove_all(RunFolder(live->id()), ignored);
            std::move(done)(appended.status());
            return;
          }
          kOpened.Pass();
          runs_[live->id()] = {live, std::move(channel), {}};
          spdlog::info("{}: opened on {}", live->id(), live->opened().channel);
          live->Start([this, id = live->id()](const absl::Status& how) { Ended(id, how); });
          std::move(done)(std::move(reply));
        });
      });
}

absl::StatusOr<std::shared_ptr<LiveRun>> Mediator::Make(run::Opened opened, Granted& granted) {
  const std::string folder = RunFolder(opened.run);
  std::string sensitive_key;
  if (granted.grant->has_sensitive()) {
    TIPSTAFF_ASSIGN_OR_RETURN(sensitive_key, SensitiveKeyIn(folder));
  }
  const keys::RunClaims claims = RunTokenClaims(opened, audience_);
  Backends backends;
  for (auto& [alias, stub] : granted.states) {
    backends.emplace(alias, std::make_unique<backend::StubBackend>(
                                std::move(stub.stub), std::move(stub.state),
                                backend::TokenCheck(around_.keys, around_.clock, claims.run,
                                                    claims.scope, claims.tenant)));
  }
  for (const auto& [alias, system] : granted.systems) {
    const std::string lock = backend::ProcessLockPath(folder, alias);
    // What a mediator that was killed left behind may still act, and is taken for gone from here.
    TIPSTAFF_RETURN_IF_ERROR(backend::TakeFromHolders(lock, kLeftOverTime).status());
    backends.emplace(alias, backend::MakeTestSystemBackend(around_.loop, system, opened.run, lock));
  }
  // The run comes after its backends, which tell it what their servers say.
  const auto told = std::make_shared<std::weak_ptr<LiveRun>>();
  for (const auto& [alias, system] : granted.servers) {
    TIPSTAFF_ASSIGN_OR_RETURN(backends[alias], MakeServer(alias, system, opened, told));
  }
  auto live = std::make_shared<LiveRun>(around_, std::move(opened), granted.grant,
                                        std::move(backends), folder, std::move(sensitive_key));
  *told = live;
  return live;
}

absl::StatusOr<std::unique_ptr<backend::Backend>> Mediator::MakeServer(
    const std::string& alias, std::shared_ptr<const upstream::McpSystem> system,
    const run::Opened& opened, std::shared_ptr<const std::weak_ptr<LiveRun>> told) {
  const std::string folder = RunFolder(opened.run);
  if (!system->server.url.empty() && http_ == nullptr) {
    http_ = std::make_shared<upstream::HttpClient>();
  }
  // Bubblewrap is started elsewhere.
  std::error_code ignored;
  const std::string here = fs::absolute(folder, ignored).string();
  upstream::Place place{.scratch = absl::StrCat(here, "/", alias, ".scratch"),
                        .lock_path = backend::ProcessLockPath(folder, alias),
                        .hidden = config::HiddenPaths(config_),
                        .http = http_};
  TIPSTAFF_RETURN_IF_ERROR(backend::TakeFromHolders(place.lock_path, kLeftOverTime).status());
  upstream::ServerEvents events{
      .on_list_changed =
          [told](call::Kind kind) {
            if (const auto live = told->lock()) live->OnListChanged(kind);
          },
      .on_resource_updated =
          [told](const std::string& uri) {
            if (const auto live = told->lock()) live->OnResourceUpdated(uri);
          },
      .on_note =
          [run = opened.run, name = system->server.name](const std::string& note) {
            spdlog::info("{}: upstream {}: {}", run, name, note);
          }};
  return upstream::MakeMcpBackend(
      around_.loop, system, opened.run,
      [&loop = around_.loop, system, place = std::move(place)](const upstream::Secret* secret,
                                                               upstream::Transport::Events events) {
        return upstream::MakeTransport(loop, system->server, secret, place, std::move(events));
      },
      std::move(events));
}

absl::StatusOr<std::string> Mediator::PrepareChannel(const std::string& run,
                                                     const OpenRequest& request) {
  std::string channel = absl::StrCat("unix:", RunFolder(run), "/guest.sock");
  if (!request.vm.empty()) {
    if (!config_.firecracker) {
      return absl::FailedPreconditionError(
          "no Firecracker-style channels are configured: add `channels.firecracker` to "
          "tipstaff.yaml");
    }
    if (!IsVmName(request.vm)) {
      return absl::InvalidArgumentError("a VM's name is 1 to 64 characters of [A-Za-z0-9_.-]");
    }
    std::error_code ignored;
    if (!fs::is_directory(config_.firecracker->dir, ignored)) {
      return absl::FailedPreconditionError(
          absl::StrCat("`channels.firecracker.dir` in tipstaff.yaml names `",
                       config_.firecracker->dir, "`, where there is no folder: make it"));
    }
    channel = absl::StrCat("firecracker:", request.vm);
  } else if (request.cid != 0) {
    if (!config_.vsock_port) {
      return absl::FailedPreconditionError(
          "AF_VSOCK is off: add `channels.vsock` to tipstaff.yaml");
    }
    if (request.cid < 3) {
      return absl::InvalidArgumentError("CIDs 0 to 2 are not guests; a VM's begins at 3");
    }
    channel = absl::StrCat("vsock:", request.cid);
  }
  for (const auto& [id, entry] : runs_) {
    if (entry.live->opened().channel == channel) {
      return absl::AlreadyExistsError(
          absl::StrCat("`", channel, "` belongs to ", id, ", which is open; close it first"));
    }
  }
  std::error_code error;
  fs::create_directories(RunFolder(run), error);
  if (!error) fs::permissions(RunFolder(run), fs::perms::owner_all, error);
  if (error) {
    return base::ErrnoToStatus(error.value(),
                               absl::StrCat("cannot make the run's folder `", RunFolder(run), "`"));
  }
  return channel;
}

absl::StatusOr<std::shared_ptr<Channel>> Mediator::MakeChannel(const std::string& run,
                                                               const std::string& name) {
  GuestContext context;
  context.run = [this, run] {
    // To repair it for each call would be of no use while it breaks again at once.
    const auto it = runs_.find(run);
    return it == runs_.end() || around_.ledger.TakesNew() ? Find(run) : it->second.live;
  };
  context.check_token = [this](absl::string_view token) {
    return around_.keys.Verify(token, audience_, around_.clock.Now());
  };
  context.closed_reason = std::make_shared<call::Reason>(call::Reason::kRunClosed);
  auto channel = std::make_shared<Channel>(around_.loop, run, gate_program_, std::move(context));
  absl::string_view rest = name;
  if (absl::ConsumePrefix(&rest, "unix:")) {
    TIPSTAFF_RETURN_IF_ERROR(channel->Listen(std::string(rest), transport::FolderLink::kFollow));
  } else if (absl::ConsumePrefix(&rest, "firecracker:") && config_.firecracker) {
    // The VM's folder is its jailer's.
    const std::string path =
        absl::StrCat(config_.firecracker->dir, "/", rest, "/v.sock_", config_.firecracker->port);
    TIPSTAFF_RETURN_IF_ERROR(channel->Listen(path, transport::FolderLink::kRefuse));
  } else if (absl::ConsumePrefix(&rest, "vsock:") && config_.vsock_port) {
    TIPSTAFF_RETURN_IF_ERROR(ListenVsock());
  } else {
    return absl::FailedPreconditionError(
        absl::StrCat("channel `", name, "` is not configured any more"));
  }
  return channel;
}

absl::Status Mediator::ListenVsock() {
  if (vsock_ != nullptr) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(base::Fd listener, transport::ListenVsock(*config_.vsock_port));
  vsock_ = std::make_unique<VsockListener>(
      around_.loop, std::move(listener), [this](uint32_t cid, base::Fd connection) {
        const std::string channel = absl::StrCat("vsock:", cid);
        for (auto& [id, entry] : runs_) {
          if (entry.live->opened().channel == channel) {
            entry.channel->HandOver(std::move(connection));
            return;
          }
        }
        spdlog::warn("a connection from CID {}, which has no open run, was closed", cid);
      });
  return absl::OkStatus();
}

absl::Status Mediator::WriteToken(const run::Opened& opened, std::string& path) {
  path = fs::absolute(absl::StrCat(RunFolder(opened.run), "/token")).string();
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string token,
                            around_.keys.Mint(RunTokenClaims(opened, audience_)));
  return base::WriteFile(path, token, 0600);
}

// ---- restoring ----

absl::Status Mediator::Recover() {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<ledger::StoredRun> stored_runs,
                            around_.reader.Runs());
  const absl::Time patience = absl::Now() + kOldGateTime;
  for (const ledger::StoredRun& stored : stored_runs) {
    if (stored.closed) continue;
    absl::StatusOr<std::shared_ptr<LiveRun>> live = Restore(stored);
    if (!live.ok()) {
      spdlog::error("{}: cannot be restored and stays shut: {}", stored.run,
                    std::string(live.status().message()));
      continue;
    }
    absl::StatusOr<std::shared_ptr<Channel>> channel =
        MakeChannel(stored.run, (*live)->opened().channel);
    while (absl::IsAlreadyExists(channel.status()) && absl::Now() < patience) {
      absl::SleepFor(kOldGatePause);
      channel = MakeChannel(stored.run, (*live)->opened().channel);
    }
    if (!channel.ok()) {
      spdlog::error("{}: its channel cannot be made again: {}", stored.run,
                    std::string(channel.status().message()));
    }
    kRestored.Pass();
    runs_[stored.run] = {*live, channel.ok() ? *channel : nullptr, {}};
    spdlog::info("{}: restored with {} decisions", stored.run, (*live)->state().tally().all());
    (*live)->Start([this, id = stored.run](const absl::Status& how) { Ended(id, how); });
    kGoesOn.Pass();
  }
  kRecovered.Pass();
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<LiveRun>> Mediator::Restore(const ledger::StoredRun& stored) {
  TIPSTAFF_RETURN_IF_ERROR(around_.reader.VerifyRun(stored.run));
  std::vector<ledger::StoredRecord> records;
  do {
    TIPSTAFF_ASSIGN_OR_RETURN(std::vector<ledger::StoredRecord> more,
                              around_.reader.Records(stored.run, records.size() + 1, kRecordsAtOnce,
                                                     ledger::Reader::Payload::kFetch));
    if (more.empty()) break;
    std::move(more.begin(), more.end(), std::back_inserter(records));
  } while (records.size() < stored.records);
  if (records.empty()) return absl::DataLossError("it has no records");
  TIPSTAFF_ASSIGN_OR_RETURN(run::Opened opened, run::DecodeOpened(records.front().record));
  records.erase(records.begin());
  TIPSTAFF_ASSIGN_OR_RETURN(
      Granted granted,
      GrantFromPins(opened, [this](const std::string& hex) -> absl::StatusOr<std::string> {
        const std::optional<base::Digest> digest = base::DigestFromHex(hex);
        if (!digest) return absl::DataLossError("a pinned file without a digest");
        return around_.reader.PinnedContent(*digest);
      }));
  TIPSTAFF_ASSIGN_OR_RETURN(std::shared_ptr<LiveRun> live, Make(std::move(opened), granted));
  TIPSTAFF_RETURN_IF_ERROR(live->Restore(records));
  return live;
}

std::shared_ptr<LiveRun> Mediator::Find(const std::string& run) {
  const auto it = runs_.find(run);
  if (it == runs_.end()) return nullptr;
  if (it->second.live->state().broken()) Repair(it->second);
  return it->second.live;
}

// A commit failed, so what is in memory is ahead of what is on record: begin again from there.
void Mediator::Repair(Entry& entry, const run::CloseAsked* close) {
  const std::string id = entry.live->id();
  // What the new one takes for gone must be gone.
  entry.live->DestroyBackends();
  around_.outbox.Send();
  around_.ledger.Flush();
  around_.ledger.Reset(id);
  const absl::StatusOr<ledger::StoredRun> stored = around_.reader.FindRun(id);
  absl::StatusOr<std::shared_ptr<LiveRun>> again =
      stored.ok() ? Restore(*stored) : absl::StatusOr<std::shared_ptr<LiveRun>>(stored.status());
  if (!again.ok()) {
    spdlog::error("{}: still cannot go on: {}", id, std::string(again.status().message()));
    RepairWhenOver(entry);
    return;
  }
  spdlog::info("{}: goes on after a failed commit", id);
  entry.again.reset();
  entry.live = *std::move(again);
  entry.live->Start([this, id](const absl::Status& how) { Ended(id, how); }, close);
}

void Mediator::RepairWhenOver(Entry& entry) {
  const absl::Duration left = entry.live->opened().expires_at - around_.clock.Now();
  entry.again = std::make_shared<boost::asio::steady_timer>(around_.loop);
  entry.again->expires_after(absl::ToChronoMilliseconds(std::max(left, kRepairPause)));
  entry.again->async_wait([this, id = entry.live->id()](boost::system::error_code error) {
    if (!error) Find(id);
  });
}

std::vector<std::shared_ptr<LiveRun>> Mediator::Runs() const {
  std::vector<std::shared_ptr<LiveRun>> runs;
  for (const auto& [id, entry] : runs_) runs.push_back(entry.live);
  return runs;
}

// ---- closing ----

absl::StatusOr<std::shared_ptr<LiveRun>> Mediator::FindUsable(const std::string& run,
                                                              absl::string_view not_done) {
  const std::shared_ptr<LiveRun> live = Find(run);
  if (live == nullptr) {
    TIPSTAFF_RETURN_IF_ERROR(around_.reader.FindRun(run).status());
    return absl::FailedPreconditionError(absl::StrCat("`", run, "` is closed already"));
  }
  if (live->state().broken()) {
    return absl::UnavailableError(
        absl::StrCat("`", run, "` is not ", not_done, ": its record cannot be read; see the log"));
  }
  return live;
}

void Mediator::Close(const std::string& run, const std::string& by, const std::string& why,
                     bool revoke, CloseDone done) {
  const run::CloseAsked asked{by, why, revoke};
  if (const auto it = runs_.find(run); it != runs_.end() && it->second.live->state().broken()) {
    // What else would go on of it, the ledger may still not take: not before the close.
    Repair(it->second, &asked);
    if (!it->second.live->state().broken()) {
      it->second.on_closed.push_back(std::move(done));
      return;
    }
  }
  const absl::StatusOr<std::shared_ptr<LiveRun>> live = FindUsable(run, "closed");
  if (!live.ok()) return std::move(done)(live.status());
  runs_.at(run).on_closed.push_back(std::move(done));
  (*live)->Close(by, why, revoke);
}

void Mediator::Resolve(const std::string& run, run::Resolution as, const std::string& by,
                       const std::string& why, SaidDone done) {
  const absl::StatusOr<std::shared_ptr<LiveRun>> live = FindUsable(run, "resolved");
  if (!live.ok()) return std::move(done)(live.status());
  (*live)->Resolve(as, by, why, [run, done = std::move(done)](const absl::Status& status) mutable {
    if (status.ok()) return std::move(done)(absl::OkStatus());
    std::move(done)(absl::Status(status.code(),
                                 absl::StrCat("`", run, "` is not resolved: ", status.message())));
  });
}

void Mediator::Approve(const std::string& run, uint64_t number, bool approves,
                       const std::string& asker, const std::string& why, const std::string& note,
                       SaidDone done) {
  const absl::StatusOr<std::shared_ptr<LiveRun>> live = FindUsable(run, "asked");
  if (!live.ok()) return std::move(done)(live.status());
  run::ApprovalAsked asked{0, number, approves, "", why, note};
  // Of a call that does not wait the state machine says why not.
  for (const run::HeldCall& held : (*live)->state().HeldCalls(around_.clock.Now())) {
    if (held.number != number) continue;
    const policy::Grant& grant = (*live)->grant();
    const policy::Approval rule = grant.ApprovalOf(held.permission).value_or(policy::Approval());
    const Statement statement{absl::StrCat(run, "#", number),
                              held.tool,
                              held.arguments_digest,
                              grant.digest(),
                              approves,
                              why};
    absl::StatusOr<std::string> by =
        CheckApprover(config_.people, rule, (*live)->opened().opened_by, asker, statement, note);
    if (!by.ok()) return std::move(done)(by.status());
    asked.by = *std::move(by);
  }
  (*live)->Approve(std::move(asked), std::move(done));
}

void Mediator::Ended(const std::string& run, const absl::Status& how) {
  const auto it = runs_.find(run);
  if (it == runs_.end()) return;
  if (!how.ok()) {
    // The run stays; Find() repairs it. Whoever closes it must not wait for that.
    RepairWhenOver(it->second);
    for (CloseDone& done : std::exchange(it->second.on_closed, {})) {
      std::move(done)(absl::Status(
          how.code(), absl::StrCat("`", run, "` is not closed: ", how.message(), "; try again")));
    }
    return;
  }
  kEnded.Pass();
  Entry entry = std::move(it->second);
  runs_.erase(it);
  std::erase_if(retired_, [](const auto& channel) { return channel->over(); });
  if (entry.channel != nullptr) {
    entry.channel->Retire(entry.live->state().closed_reason(), kGraceAfterClosing);
    retired_.push_back(std::move(entry.channel));
  }
  std::error_code ignored;
  fs::remove_all(RunFolder(run), ignored);
  kRemoved.Pass();
  spdlog::info("{}: closed", run);
  for (CloseDone& done : entry.on_closed) std::move(done)(entry.live);
}

}  // namespace tipstaff::host
