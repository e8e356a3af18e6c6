#include "tests/crash/hammer.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "mediator/base/status.h"
#include "tests/crash/scenarios.h"
#include "tests/crash/servers.h"

namespace tipstaff::crash {
namespace {

constexpr size_t kWorkers = 3;
// Within which a point is come to, or not at all.
constexpr absl::Duration kPatience = absl::Seconds(12);
constexpr absl::Duration kLongestLoad = absl::Milliseconds(300);
constexpr absl::Duration kPause = absl::Milliseconds(1);

}  // namespace

absl::StatusOr<std::vector<std::string>> CrashPoints(const std::string& bin) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      const harness::Finished listed,
      harness::RunCommand({bin + "/tipstaff"}, {.environment = {"TIPSTAFF_CRASH_POINTS=list"}}));
  if (listed.status != 0) return std::vector<std::string>();  // it does not know the variable
  return std::vector<std::string>(absl::StrSplit(listed.out, '\n', absl::SkipEmpty()));
}

absl::StatusOr<std::unique_ptr<Hammer>> Hammer::Start(const harness::MediatorOptions& options,
                                                      std::vector<std::string> environment,
                                                      bool mcp) {
  std::unique_ptr<Hammer> hammer(new Hammer(std::move(environment)));
  TIPSTAFF_ASSIGN_OR_RETURN(hammer->mediator_, harness::Mediator::Start(options));
  if (mcp) TIPSTAFF_RETURN_IF_ERROR(MakeAllUsable(*hammer->mediator_));
  hammer->mediator_->Kill();
  return hammer;
}

void Hammer::Problem(const std::string& what) {
  problems_.push_back(absl::StrCat("round ", rounds_, " (", round_, "): ", what));
}

bool Hammer::Round(const std::string& point, int time) {
  ++rounds_;
  round_ = point.empty() ? "a random moment" : absl::StrCat(point, "*", time);
  std::vector<std::string> environment = environment_;
  if (!point.empty()) environment.push_back(absl::StrCat("TIPSTAFF_CRASH_AT=", round_));
  const absl::Status started = mediator_->StartAgain(environment);
  // It may die while it is asked whether it has started.
  bool hit = !started.ok() && mediator_->HasEnded(absl::Seconds(5));
  if (!started.ok() && !hit) Problem(absl::StrCat("it does not start: ", started.message()));
  if (started.ok()) hit = Load(/*until_it_dies=*/!point.empty());
  mediator_->Kill();
  JudgeAll();
  return hit && !point.empty();
}

bool Hammer::Load(bool until_it_dies) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> workers;
  const std::map<std::string, harness::OpenedRun> interrupted = told_.runs();
  Operator by(*mediator_);
  workers.emplace_back([&] {
    try {
      for (const auto& [id, run] : interrupted) {
        if (!stop) GoOn(by, run, told_);
      }
    } catch (const std::exception&) {
    }
  });
  for (size_t worker = 0; worker < kWorkers; ++worker) {
    workers.emplace_back([&, worker] {
      const std::vector<Scenario>& scenarios = Scenarios();
      try {
        for (size_t next = worker; !stop; ++next) scenarios[next % scenarios.size()](by, told_);
      } catch (const std::exception&) {
        // The mediator is gone.
      }
    });
  }
  const absl::Time deadline =
      absl::Now() +
      (until_it_dies ? kPatience : kLongestLoad * std::uniform_real_distribution<>(0, 1)(random_));
  while (!mediator_->HasEnded() && absl::Now() < deadline) absl::SleepFor(kPause);
  const bool hit = mediator_->HasEnded();
  stop = true;
  mediator_->Kill();
  for (std::thread& worker : workers) worker.join();
  return hit;
}

void Hammer::JudgeAll() {
  absl::StatusOr<std::unique_ptr<ledger::Reader>> reader =
      ledger::Reader::Open(mediator_->ledger());
  if (!reader.ok()) return Problem(std::string(reader.status().message()));
  for (const auto& [id, opened] : told_.runs()) {
    const absl::StatusOr<Decisions> decisions = DecisionsOf(**reader, id);
    const auto account = harness::ReadAccount(mediator_->accounts(), id);
    const absl::StatusOr<ledger::StoredRun> run = (*reader)->FindRun(id);
    const absl::Status read = !decisions.ok() ? decisions.status()
                              : !account.ok() ? account.status()
                                              : run.status();
    if (!read.ok()) {
      Problem(absl::StrCat(id, ": ", read.message()));
      told_.Forget(id);
      continue;
    }
    const std::vector<std::string> broken = Judge(*decisions, *account, told_.Of(id));
    for (const std::string& one : broken) Problem(absl::StrCat(id, ": ", one));
    if (run->closed || !broken.empty()) told_.Forget(id);
  }
}

void Hammer::Finish() {
  ++rounds_;
  round_ = "the end";
  if (const absl::Status started = mediator_->StartAgain(environment_); !started.ok()) {
    return Problem(absl::StrCat("it does not start: ", started.message()));
  }
  Operator by(*mediator_);
  try {
    for (const auto& [id, run] : told_.runs()) {
      const std::vector<std::string> open = by.OpenRuns();
      if (std::find(open.begin(), open.end(), id) != open.end()) GoOn(by, run, told_);
    }
    // Those whose opener never heard of them.
    for (const std::string& run : by.OpenRuns()) by.Close(run);
  } catch (const std::exception& problem) {
    Problem(problem.what());
  }
  const absl::StatusOr<int> stopped = mediator_->Stop();
  if (!stopped.ok() || *stopped != 0) Problem("it does not stop");
  JudgeAll();
  const auto verified = mediator_->Tipstaff({"verify"});
  if (!verified.ok() || verified->status != 0) {
    Problem(
        absl::StrCat("`tipstaff verify`: ", verified.ok() ? verified->out + verified->err : ""));
  }
}

}  // namespace tipstaff::crash
