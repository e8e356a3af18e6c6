#include "tests/bench/ledger_load.h"

#include <condition_variable>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/digest.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/run/records.h"

namespace tipstaff::bench {
namespace {

constexpr uint64_t kRecordsOfARun = 1000;
constexpr size_t kArgumentsBytes = 512, kResultBytes = 256;

// What the `done`s of appends in flight have said.
struct Answers {
  std::mutex mutex;
  std::condition_variable change;
  int in_flight = 0;
  absl::Status status;
};

call::Record DecidedOf(uint64_t number, absl::Time time) {
  run::Decided decided{.number = number,
                       .call_id = absl::StrCat("call-", number),
                       .tool = "reports.attach_evidence",
                       .time = time};
  decided.decision.verdict = call::Verdict::kAllow;
  decided.decision.reason = call::Reason::kPermitted;
  decided.decision.skill = "steady-work";
  decided.decision.permission = "attach";
  decided.decision.effect = call::Effect::kWrite;
  decided.arguments = absl::StrCat(R"({"number":)", number, R"(,"text":")",
                                   std::string(kArgumentsBytes, 'a' + number % 26), "\"}");
  decided.arguments_size = decided.arguments.size();
  decided.arguments_digest = base::ToHex(base::DigestOf(decided.arguments));
  return run::EncodeDecided(decided);
}

call::Record SettledOf(uint64_t number, absl::Time time) {
  run::Settled settled{.number = number, .time = time};
  settled.outcome.kind = call::OutcomeKind::kOk;
  settled.outcome.result = absl::StrCat(R"({"content":[{"type":"text","text":")",
                                        std::string(kResultBytes, 'a' + number % 26), "\"}]}");
  settled.result_size = settled.outcome.result.size();
  return run::EncodeSettled(settled);
}

}  // namespace

absl::StatusOr<std::unique_ptr<LedgerLoad>> LedgerLoad::Open(const std::string& path) {
  TIPSTAFF_ASSIGN_OR_RETURN(auto ledger, ledger::Ledger::Open(path));
  return std::unique_ptr<LedgerLoad>(new LedgerLoad(std::move(ledger)));
}

// The first is for Ledger::Open, when the run is a new one.
std::vector<call::Record> LedgerLoad::Next() {
  const absl::Time now = absl::Now();
  ++records_;
  if (in_run_ == 0) {
    run_ = base::NewRunId();
    run::Opened opened{.run = run_, .channel = "unix:bench", .seed = "s", .opened_by = "uid:0"};
    opened.opened_at = now;
    opened.expires_at = now + absl::Hours(1);
    ++in_run_;
    return {run::EncodeOpened(opened)};
  }
  const uint64_t in_run = in_run_++;
  if (in_run_ == kRecordsOfARun) {
    in_run_ = 0;
    run::Closed closed{.by = "uid:0", .why = "over", .records = kRecordsOfARun, .result = "none"};
    closed.tally.allowed = in_run / 2;
    return {run::EncodeClosed(closed, now)};
  }
  const uint64_t call = (in_run + 1) / 2;
  return {in_run % 2 == 1 ? DecidedOf(call, now) : SettledOf(call, now)};
}

absl::StatusOr<double> LedgerLoad::Append(uint64_t count, int in_flight) {
  Answers answers;
  const auto done = [&answers](absl::StatusOr<ledger::Appended> appended) {
    const std::lock_guard<std::mutex> guard(answers.mutex);
    --answers.in_flight;
    answers.status.Update(appended.status());
    answers.change.notify_one();
  };
  const absl::Time start = absl::Now();
  for (uint64_t i = 0; i < count; ++i) {
    {
      std::unique_lock<std::mutex> lock(answers.mutex);
      answers.change.wait(lock, [&] { return answers.in_flight < in_flight; });
      if (!answers.status.ok()) break;
      ++answers.in_flight;
    }
    const bool opens = in_run_ == 0;
    std::vector<call::Record> records = Next();
    opens ? ledger_->Open(run_, {}, std::move(records), done)
          : ledger_->Append(run_, std::move(records), done);
  }
  std::unique_lock<std::mutex> lock(answers.mutex);
  answers.change.wait(lock, [&] { return answers.in_flight == 0; });
  if (!answers.status.ok()) return answers.status;
  return static_cast<double>(count) / absl::ToDoubleSeconds(absl::Now() - start);
}

}  // namespace tipstaff::bench
