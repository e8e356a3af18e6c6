#include "mediator/host/live_run.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/backend/process_lock.h"
#include "mediator/base/crash_point.h"
#include "mediator/base/status.h"
#include "mediator/host/commit_points.h"
#include "mediator/host/sensitive_key.h"
#include "mediator/host/stub_calls.h"
#include "mediator/host/tokens.h"
#include "mediator/json/parse.h"
#include "mediator/keys/token.h"

namespace tipstaff::host {
namespace {

const base::CrashPoint kBeforeSending("call: before it is sent");
const base::CrashPoint kSent("call: sent");
const base::CrashPoint kBeforeSubmitting("result: before it is sent");
const base::CrashPoint kSubmitted("result: sent");
const base::CrashPoint kAnswered("call: answered by its system");
const base::CrashPoint kBeforeReply("call: before its reply");
const base::CrashPoint kReplied("call: replied");
const base::CrashPoint kRepeated("call: its recorded outcome is read");
const base::CrashPoint kStopping("stop: before it is asked for");
const base::CrashPoint kStopped("stop: done");
const base::CrashPoint kAsking("query: before it is asked");
const base::CrashPoint kAsked("query: answered");
const base::CrashPoint kCleaning("cleanup: before it");
const base::CrashPoint kCleaned("cleanup: done");

// What a system answers goes on record and to the guest, who must never have a token that
// submits: neither of this call nor of any other.
void KeepTokensBack(call::Outcome& outcome) {
  if (!keys::HoldsSubmissionToken(outcome.result) && !keys::HoldsSubmissionToken(outcome.note))
    return;
  const absl::Duration took = outcome.duration;
  outcome = call::Failure(call::OutcomeKind::kUnknown,
                          "the system's answer is kept back; whether the call took effect is not "
                          "known");
  outcome.note = "it answered with a submission token";
  outcome.duration = took;
}

bool IsKeptWhole(const call::Record& outcome) {
  const absl::StatusOr<run::Settled> settled = run::DecodeSettled(outcome);
  return settled.ok() && settled->withheld.empty() && !settled->result_left_out;
}

}  // namespace

// An answer that is held back to simulate a slow system.
struct LiveRun::Delayed {
  explicit Delayed(boost::asio::io_context& loop) : timer(loop) {}
  boost::asio::steady_timer timer;
  Answer answer;
  absl::Duration step;
  int reports = 0, reported = 0;
};

LiveRun::LiveRun(const Surroundings& around, run::Opened opened,
                 std::shared_ptr<const policy::Grant> grant, Backends backends, std::string folder,
                 std::string sensitive_key)
    : around_(around),
      opened_(std::move(opened)),
      grant_(std::move(grant)),
      folder_(std::move(folder)),
      backends_(std::move(backends)),
      run_({grant_, opened_.expires_at,
            [this](absl::string_view alias) {
              const backend::Backend* backend = BackendOf(alias);
              return backend ? backend->stop_kind() : run::StopKind::kNone;
            },
            opened_.run,
            [this](absl::string_view name) {
              const auto [alias, tool] = call::SplitName(name);
              const backend::Backend* backend = BackendOf(alias);
              return backend ? backend->KeyArgument(tool) : "";
            },
            std::move(sensitive_key), opened_.budget,
            [this](absl::string_view name) -> std::optional<call::Reason> {
              const auto [alias, tool] = call::SplitName(name);
              const backend::Backend* backend = BackendOf(alias);
              if (backend == nullptr) return std::nullopt;
              return backend->Refuses(call::KindOf(name), tool);
            }}) {}

backend::Backend* LiveRun::BackendOf(absl::string_view alias) const {
  const auto it = backends_.find(std::string(alias));
  return it == backends_.end() ? nullptr : it->second.get();
}

std::string LiveRun::DecisionId(uint64_t number) const {
  return number == 0 ? "" : absl::StrCat(opened_.run, "#", number);
}

absl::Status LiveRun::Restore(const std::vector<ledger::StoredRecord>& records) {
  StubCalls calls(opened_.run, *grant_, backends_);
  for (const ledger::StoredRecord& stored : records) {
    TIPSTAFF_RETURN_IF_ERROR(run_.Restore(stored.record, stored.seq));
    TIPSTAFF_RETURN_IF_ERROR(calls.Take(stored.record));
  }
  return absl::OkStatus();
}

void LiveRun::Start(std::function<void(const absl::Status&)> on_ended,
                    const run::CloseAsked* close) {
  on_ended_ = std::move(on_ended);
  calls_ =
      std::make_unique<CallQueue>(weak_from_this(), grant_, run_, around_.searches, around_.inbox,
                                  [this](run::CallArrived arrived, CallQueue::Preview preview) {
                                    HandOver(std::move(arrived), std::move(preview));
                                  });
  draining_ = true;
  Carry(run_.Start(around_.clock.Now(), close));
  draining_ = false;
  Drain();
  if (run_.access() != run::Access::kOpen) return;
  for (const auto& [alias, backend] : backends_) backend->Begin();
}

// ---- requests ----

run::StreamId LiveRun::Call(Incoming incoming, std::shared_ptr<Waiter> waiter) {
  const run::StreamId stream = next_stream_++;
  waiters_[stream] = std::move(waiter);
  calls_->Add(std::move(incoming), stream);
  return stream;
}

void LiveRun::Preview(Incoming incoming, CallQueue::Preview done) {
  calls_->Add(std::move(incoming), /*stream=*/0, std::move(done));
}

void LiveRun::HandOver(run::CallArrived arrived, CallQueue::Preview preview) {
  if (preview == nullptr) {
    arrived.no_room = !around_.ledger.TakesNew();
    return Feed(std::move(arrived));
  }
  if (!arrived.malformed.empty()) {
    return std::move(preview)(absl::InvalidArgumentError(arrived.malformed));
  }
  if (run_.broken()) {
    return std::move(preview)(absl::UnavailableError("the ledger could not be written"));
  }
  const policy::CanaryResult* searched = arrived.searched ? &*arrived.searched : nullptr;
  std::move(preview)(run_.Preview(arrived.call, searched, around_.clock.Now()));
}

void LiveRun::Cancel(run::StreamId stream) {
  waiters_.erase(stream);
  if (const auto it = delayed_.find(stream); it != delayed_.end()) {
    it->second->timer.cancel();
    delayed_.erase(it);
  }
  if (calls_->Cancel(stream)) return;
  Feed(run::CancelAsked{stream});
}

void LiveRun::Close(const std::string& by, const std::string& why, bool revoke) {
  Feed(run::CloseAsked{by, why, revoke});
}

void LiveRun::Resolve(run::Resolution as, const std::string& by, const std::string& why,
                      Resolved done) {
  const uint64_t request = next_request_++;
  resolving_.emplace(request, std::move(done));
  Feed(run::ResolveAsked{request, as, by, why});
}

void LiveRun::Approve(run::ApprovalAsked asked, Resolved done) {
  if (!around_.ledger.TakesNew()) {
    return std::move(done)(
        absl::UnavailableError("not recorded, as the disk is full; make room and try again"));
  }
  asked.request = next_request_++;
  resolving_.emplace(asked.request, std::move(done));
  Feed(std::move(asked));
}

void LiveRun::Execute(run::ResolveAnswered command) {
  AnswerPerson(command.request, command.status);
}
void LiveRun::Execute(run::ApprovalAnswered command) {
  AnswerPerson(command.request, command.status);
}

void LiveRun::AnswerPerson(uint64_t request, const absl::Status& status) {
  const auto it = resolving_.find(request);
  if (it == resolving_.end()) return;
  Resolved done = std::move(it->second);
  resolving_.erase(it);
  std::move(done)(status);
}

void LiveRun::DestroyBackends() {
  alias_of_.clear();
  backends_.clear();
}

// ---- carrying out ----

void LiveRun::Feed(run::Event event) {
  events_.push_back(std::move(event));
  Drain();
}

void LiveRun::Drain() {
  if (draining_) return;
  draining_ = true;
  const auto keep = shared_from_this();
  while (!events_.empty()) {
    const run::Event next = std::move(events_.front());
    events_.pop_front();
    Carry(run_.Handle(next, around_.clock.Now()));
    calls_->RunChanged();
  }
  draining_ = false;
  if (run_.broken()) End(absl::UnavailableError("the ledger could not be written"));
}

void LiveRun::Carry(run::Commands commands) {
  for (run::Command& command : commands) {
    std::visit([this](auto& c) { Execute(std::move(c)); }, command);
  }
}

void LiveRun::Execute(run::Commit command) {
  const uint64_t ticket = command.ticket;
  const call::RecordKind last = command.records.back().kind;
  PassBeforeCommit(last);
  around_.outbox.Append(command.awaited, opened_.run, std::move(command.records),
                        [send = around_.inbox.Sender(), weak = weak_from_this(), ticket,
                         last](absl::StatusOr<ledger::Appended> appended) {
                          send([weak, ticket, last, appended = std::move(appended)] {
                            const std::shared_ptr<LiveRun> self = weak.lock();
                            if (self == nullptr) return;
                            PassAfterCommit(last);
                            self->Feed(run::CommitDone{ticket, appended.ok(),
                                                       appended.ok() ? appended->first_seq : 0});
                          });
                        });
}

void LiveRun::Execute(run::Dispatch command) {
  const auto [alias, tool] = call::SplitName(command.tool);
  backend::Backend* backend = BackendOf(alias);
  if (backend == nullptr) {
    Feed(run::BackendReplied{command.number, call::Failure(call::OutcomeKind::kFailed,
                                                           "the tool's system is not there")});
    return;
  }
  absl::StatusOr<std::string> token = TokenFor(tool, command.submission_key, *backend);
  if (!token.ok()) {
    call::Outcome outcome = call::Failure(call::OutcomeKind::kFailed,
                                          "the result was not sent: no token could be made for it");
    outcome.note = std::string(token.status().message());
    return Feed(run::BackendReplied{command.number, std::move(outcome)});
  }
  alias_of_[command.number] = alias;
  const bool finalizes = command.effect == call::Effect::kFinalize;
  (finalizes ? kBeforeSubmitting : kBeforeSending).Pass();
  backend::Request request{.number = command.number,
                           .kind = call::KindOf(command.tool),
                           .tool = tool,
                           .arguments = std::move(command.arguments),
                           .canonical = std::move(command.canonical),
                           .effect = command.effect,
                           .submission_key = std::move(command.submission_key),
                           .token = *std::move(token)};
  ReportTo(command.stream, request);
  const std::string uri = request.kind == call::Kind::kSubscription
                              ? std::string(request.arguments.root().StringOr("uri", ""))
                              : "";
  backend->Call(request,
                [weak = weak_from_this(), number = command.number, uri](call::Outcome outcome) {
                  const std::shared_ptr<LiveRun> self = weak.lock();
                  if (self == nullptr) return;
                  kAnswered.Pass();
                  self->alias_of_.erase(number);
                  KeepTokensBack(outcome);
                  if (!uri.empty() && outcome.kind == call::OutcomeKind::kOk) {
                    self->subscribed_.insert(uri);
                  }
                  self->Feed(run::BackendReplied{number, std::move(outcome)});
                });
  (finalizes ? kSubmitted : kSent).Pass();
}

void LiveRun::OnResourceUpdated(const std::string& uri) {
  if (subscribed_.count(uri) > 0) changes_.Tell({.list = call::Kind::kResource, .uri = uri});
}

// What comes before the answer goes to whoever asked first.
void LiveRun::ReportTo(run::StreamId stream, backend::Request& request) {
  const auto it = waiters_.find(stream);
  if (it == waiters_.end()) return;
  const std::weak_ptr<Waiter> waiter = it->second;
  request.log_level = it->second->log_level();
  request.on_progress = [waiter](const backend::Request::Progress& progress) {
    if (const auto waits = waiter.lock()) {
      waits->OnProgress(progress.progress, progress.total, progress.message);
    }
  };
  if (request.log_level.empty()) return;
  request.on_log = [waiter](const std::string& params) {
    if (const auto waits = waiter.lock()) waits->OnLog(params);
  };
}

absl::StatusOr<std::string> LiveRun::TokenFor(const std::string& tool, const std::string& key,
                                              const backend::Backend& backend) const {
  const std::string audience = backend.Audience(tool);
  if (audience.empty()) return "";
  return around_.keys.MintSubmission(
      SubmissionTokenClaims(opened_, audience, key, around_.clock.Now()));
}

void LiveRun::Execute(run::CancelCall command) {
  const auto it = alias_of_.find(command.number);
  if (it != alias_of_.end()) BackendOf(it->second)->Cancel(command.number);
}

void LiveRun::Execute(run::StopCall command) {
  backend::Backend* backend = BackendOf(call::SplitName(command.tool).first);
  if (backend == nullptr) return;
  kStopping.Pass();
  backend->Stop(command.number, [weak = weak_from_this(), number = command.number] {
    kStopped.Pass();
    if (const auto self = weak.lock()) self->Feed(run::BackendStopped{number});
  });
}

void LiveRun::Execute(run::QueryCall command) {
  backend::Backend* backend = BackendOf(call::SplitName(command.tool).first);
  if (backend == nullptr) return;
  kAsking.Pass();
  backend->Query(command.number,
                 [weak = weak_from_this(), number = command.number](run::TookPlace took_place) {
                   kAsked.Pass();
                   if (const auto self = weak.lock())
                     self->Feed(run::QueryAnswered{number, took_place});
                 });
}

void LiveRun::Execute(run::Reply command) {
  Answer answer{DecisionId(command.number), command.verdict, command.reason, command.retry,
                std::move(command.result)};
  if (command.verdict != call::Verdict::kAllow) {
    answer.result =
        RefusalResult(answer.decision_id, command.reason, command.retry, command.detail);
  }
  if (command.delay > absl::ZeroDuration()) {
    AnswerLater(command.stream, std::move(answer), command.delay, command.progress_reports);
  } else {
    AnswerNow(command.stream, answer);
  }
}

void LiveRun::Execute(run::ReplyRecorded command) {
  Answer answer{DecisionId(command.number), command.verdict, command.reason, command.retry, ""};
  if (command.verdict != call::Verdict::kAllow) {
    answer.result = RefusalResult(answer.decision_id, command.reason, command.retry, "");
  } else {
    const absl::StatusOr<ledger::StoredRecord> stored =
        around_.reader.Record(opened_.run, command.outcome_seq);
    kRepeated.Pass();
    const bool kept = stored.ok() && IsKeptWhole(stored->record);
    if (kept) {
      answer.result = stored->record.payload;
    } else {
      answer.verdict = call::Verdict::kDeny;
      answer.reason = call::Reason::kResultNotKept;
      answer.result = RefusalResult(answer.decision_id, answer.reason, false, "");
    }
  }
  AnswerNow(command.stream, answer);
}

absl::StatusOr<std::string> LiveRun::ArgumentsOf(const run::HeldCall& held) const {
  TIPSTAFF_ASSIGN_OR_RETURN(const ledger::StoredRecord stored,
                            around_.reader.Record(opened_.run, held.seq));
  TIPSTAFF_ASSIGN_OR_RETURN(run::Decided decided, run::DecodeDecided(stored.record));
  return std::move(decided.arguments);
}

void LiveRun::AnswerNow(run::StreamId stream, const Answer& answer) {
  const auto it = waiters_.find(stream);
  if (it == waiters_.end()) return;
  const std::shared_ptr<Waiter> waiter = std::move(it->second);
  waiters_.erase(it);
  kBeforeReply.Pass();
  waiter->OnAnswer(answer);
  kReplied.Pass();
}

void LiveRun::AnswerLater(run::StreamId stream, Answer answer, absl::Duration delay, int reports) {
  auto delayed = std::make_shared<Delayed>(around_.loop);
  delayed->answer = std::move(answer);
  delayed->reports = reports;
  delayed->step = delay / (reports + 1);
  delayed_[stream] = delayed;
  // A step is a wait; between two waits stands a progress report, after the last the answer.
  auto step = std::make_shared<std::function<void()>>();
  *step = [weak = weak_from_this(), stream, delayed, again = std::weak_ptr(step)] {
    delayed->timer.expires_after(absl::ToChronoNanoseconds(delayed->step));
    delayed->timer.async_wait(
        [weak, stream, delayed, again = again.lock()](boost::system::error_code error) {
          const std::shared_ptr<LiveRun> self = weak.lock();
          if (error || self == nullptr) return;
          if (delayed->reported == delayed->reports) {
            self->delayed_.erase(stream);
            self->AnswerNow(stream, delayed->answer);
            return;
          }
          ++delayed->reported;
          if (const auto it = self->waiters_.find(stream); it != self->waiters_.end()) {
            it->second->OnProgress(delayed->reported, delayed->reports, "");
          }
          (*again)();
        });
  };
  (*step)();
}

void LiveRun::Execute(run::SetTimer command) {
  const auto [it, fresh] = timers_.try_emplace(command.timer, around_.loop);
  const absl::Duration wait = std::max(command.at - around_.clock.Now(), absl::ZeroDuration());
  it->second.expires_after(absl::ToChronoMilliseconds(wait));
  it->second.async_wait(
      [weak = weak_from_this(), timer = command.timer](boost::system::error_code error) {
        const std::shared_ptr<LiveRun> self = weak.lock();
        if (!error && self != nullptr) self->Feed(run::TimerFired{timer});
      });
}

void LiveRun::Execute(run::Cleanup) {
  std::vector<std::string> checked, with_processes;
  for (const auto& [alias, backend] : backends_) {
    if (backend->stop_kind() == run::StopKind::kInProcess) {
      checked.push_back(absl::StrCat("state of ", alias));
    } else {
      with_processes.push_back(alias);
    }
  }
  kCleaning.Pass();
  DestroyBackends();
  for (const std::string& alias : with_processes) {
    const absl::Status gone =
        backend::TakeProcessLock(backend::ProcessLockPath(folder_, alias)).status();
    if (gone.ok()) {
      checked.push_back(absl::StrCat("processes of ", alias));
    } else {
      spdlog::error("{}: {}", opened_.run, std::string(gone.message()));
    }
  }
  if (grant_->has_sensitive()) {
    const absl::Status destroyed = DestroySensitiveKeyIn(folder_);
    if (destroyed.ok()) {
      checked.push_back("key of sensitive values");
    } else {
      spdlog::error("{}: {}", opened_.run, std::string(destroyed.message()));
    }
  }
  kCleaned.Pass();
  Feed(run::CleanupDone{std::move(checked)});
}

void LiveRun::Execute(run::Finished) { End(absl::OkStatus()); }

void LiveRun::End(const absl::Status& how) {
  timers_.clear();
  for (auto& [request, done] : std::exchange(resolving_, {})) {
    std::move(done)(how.ok() ? absl::FailedPreconditionError("the run was closed meanwhile") : how);
  }
  // What is held back is on record: its time was simulated.
  for (const auto& [stream, delayed] : std::exchange(delayed_, {})) {
    delayed->timer.cancel();
    AnswerNow(stream, delayed->answer);
  }
  if (const auto on_ended = std::exchange(on_ended_, nullptr)) on_ended(how);
}

}  // namespace tipstaff::host
