#include "mediator/backend/test_system_backend.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/backend/child_process.h"
#include "mediator/backend/limits.h"
#include "mediator/backend/structured_result.h"
#include "mediator/backend/test_system_lines.h"
#include "mediator/base/crash_point.h"

namespace tipstaff::backend {

const engine::DeclaredTool* TestSystem::Find(absl::string_view tool) const {
  const auto it = std::find_if(tools.begin(), tools.end(), [tool](const engine::DeclaredTool& one) {
    return one.tool.name == tool;
  });
  return it == tools.end() ? nullptr : &*it;
}

namespace {

constexpr char kNotAsked[] = "answered what it was not asked";

call::Outcome Unknown(std::string note) {
  call::Outcome outcome =
      call::Failure(call::OutcomeKind::kUnknown,
                    "the system gave no usable answer; whether the call took effect is not known");
  outcome.note = std::move(note);
  return outcome;
}

class TestSystemBackend final : public Backend {
 public:
  TestSystemBackend(boost::asio::io_context& loop, std::shared_ptr<const TestSystem> system,
                    std::string run, std::string lock_path)
      : loop_(loop),
        system_(std::move(system)),
        run_(std::move(run)),
        lock_path_(std::move(lock_path)) {}

  run::StopKind stop_kind() const override { return system_->stop; }

  std::string KeyArgument(absl::string_view tool) const override {
    const engine::DeclaredTool* declared = system_->Find(tool);
    return declared == nullptr ? "" : declared->tool.idempotency_key;
  }

  std::string Audience(absl::string_view tool) const override {
    const engine::DeclaredTool* declared = system_->Find(tool);
    return declared == nullptr ? "" : declared->tool.audience;
  }

  void Call(const Request& request, Done done) override {
    // Of the delivery before nothing is asked any more.
    for (auto it = calls_.begin(); it != calls_.end();) {
      const auto at = it++;
      if (at->second.number == request.number) GiveUp(at->first);
    }
    const uint64_t id = next_id_++;
    const absl::Status sent = Send(CallLine(id, run_, request));
    if (!sent.ok()) {
      call::Outcome outcome =
          call::Failure(call::OutcomeKind::kFailed, "the system could not be asked");
      outcome.note = std::string(sent.message());
      return std::move(done)(std::move(outcome));
    }
    Waiting& waiting = calls_.emplace(id, Waiting(loop_)).first->second;
    waiting.number = request.number;
    waiting.effect = request.effect;
    waiting.tool = system_->Find(request.tool);
    waiting.done = std::move(done);
    After(system_->timeout, id, &TestSystemBackend::OnTimeout);
  }

  void Cancel(uint64_t number) override {
    for (const auto& [id, waiting] : calls_) {
      if (waiting.number == number && child_ != nullptr) SendCancel(id);
    }
  }

  void Stop(uint64_t, Stopped stopped) override {
    if (child_ == nullptr) return std::move(stopped)();
    stops_.push_back(std::move(stopped));
    child_->Kill("stopped");
  }

  void Query(uint64_t number, Answered answered) override {
    const uint64_t id = next_id_++;
    if (system_->stop != run::StopKind::kQueryable || !Send(QueryLine(id, run_, number)).ok()) {
      return std::move(answered)(run::TookPlace::kUnknown);
    }
    queries_.emplace(id, std::move(answered));
  }

 private:
  struct Waiting {
    explicit Waiting(boost::asio::io_context& loop) : timer(loop) {}
    uint64_t number = 0;
    call::Effect effect = call::Effect::kRead;
    const engine::DeclaredTool* tool = nullptr;
    Done done;
    absl::Time since = absl::Now();
    boost::asio::steady_timer timer;
  };

  absl::Status Send(std::string line) {
    if (child_ == nullptr) {
      absl::StatusOr<std::unique_ptr<ChildProcess>> child = ChildProcess::Start(
          loop_, {system_->command, system_->folder, lock_path_},
          [this](absl::string_view said) { OnLine(said); },
          [this](const std::string& how) { OnGone(how); });
      if (!child.ok()) return child.status();
      child_ = *std::move(child);
    }
    return child_->Send(std::move(line));
  }

  void SendCancel(uint64_t id) {
    // Nothing depends on whether it is heard.
    child_->Send(CancelLine(id)).IgnoreError();
  }

  void After(absl::Duration time, uint64_t id, void (TestSystemBackend::*then)(uint64_t)) {
    boost::asio::steady_timer& timer = calls_.at(id).timer;
    timer.expires_after(absl::ToChronoMilliseconds(time));
    // One that has expired already is not called off by the timer's end.
    timer.async_wait(
        [this, id, then, alive = std::weak_ptr(alive_)](boost::system::error_code error) {
          if (!error && !alive.expired() && calls_.contains(id)) (this->*then)(id);
        });
  }

  // What each of these calls back may destroy this object, so nothing follows it.
  void OnLine(absl::string_view line) {
    absl::StatusOr<SystemAnswer> answer = ParseAnswer(line);
    if (!answer.ok()) return child_->Kill(absl::StrCat("said ", answer.status().message()));
    if (!answer->outcome.has_value()) {
      auto node = queries_.extract(answer->id);
      if (node.empty()) return child_->Kill(kNotAsked);
      return std::move(node.mapped())(*answer->took_place);
    }
    const auto it = calls_.find(answer->id);
    if (it == calls_.end()) {
      if (given_up_.erase(answer->id) == 0) child_->Kill(kNotAsked);
      return;
    }
    if (*answer->outcome == call::OutcomeKind::kRefused &&
        it->second.effect != call::Effect::kFinalize) {
      return child_->Kill("refused what is no result of a run");
    }
    call::Outcome outcome = OutcomeOf(*answer, it->second);
    Settle(it->first, std::move(outcome));
  }

  static call::Outcome OutcomeOf(const SystemAnswer& answer, const Waiting& waiting) {
    call::Outcome outcome;
    outcome.kind = *answer.outcome;
    if (outcome.kind != call::OutcomeKind::kOk) {
      outcome.result = call::ErrorResult(answer.message);
      return outcome;
    }
    if (waiting.tool != nullptr && waiting.tool->checks_output) {
      const auto failure = waiting.tool->checks_output->Check(answer.result);
      if (failure) return Unknown("it answered other than its `output` declares");
    }
    outcome.result = StructuredResult(answer.result);
    return outcome;
  }

  void OnTimeout(uint64_t id) {
    const bool stops = system_->stop == run::StopKind::kKillable &&
                       !base::IsLeftOut("stop-before-giving-up");  // by a test only
    if (child_ == nullptr || !stops) return OnNoAnswer(id);
    // A later call would have to wait for what hangs, too. OnGone() answers this one, unless even
    // that takes too long.
    child_->Kill("did not answer in time");
    After(kGoneTime, id, &TestSystemBackend::OnNoAnswer);
  }

  void OnNoAnswer(uint64_t id) {
    if (child_ != nullptr) SendCancel(id);
    given_up_.insert(id);
    Settle(id, Unknown("it did not answer in time"));
  }

  void GiveUp(uint64_t id) {
    given_up_.insert(id);
    calls_.erase(id);
  }

  void Settle(uint64_t id, call::Outcome outcome) {
    auto node = calls_.extract(id);
    Finish(node.mapped(), std::move(outcome));
  }

  static void Finish(Waiting& waiting, call::Outcome outcome) {
    outcome.duration = absl::Now() - waiting.since;
    std::move(waiting.done)(std::move(outcome));
  }

  void OnGone(const std::string& how) {
    child_.reset();
    given_up_.clear();  // a new process was asked none of it
    auto stops = std::exchange(stops_, {});
    auto calls = std::exchange(calls_, {});
    auto queries = std::exchange(queries_, {});
    const std::weak_ptr<const bool> alive = alive_;
    for (Stopped& stopped : stops) {
      if (!alive.expired()) std::move(stopped)();
    }
    for (auto& [id, waiting] : calls) {
      if (!alive.expired()) Finish(waiting, Unknown(absl::StrCat("its process ", how)));
    }
    for (auto& [id, answered] : queries) {
      if (!alive.expired()) std::move(answered)(run::TookPlace::kUnknown);
    }
  }

  boost::asio::io_context& loop_;
  const std::shared_ptr<const TestSystem> system_;
  const std::string run_, lock_path_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, Waiting> calls_;  // by the id of their line
  std::set<uint64_t> given_up_;        // what the process may still answer, and nobody asks
  std::map<uint64_t, Answered> queries_;
  std::vector<Stopped> stops_;
  std::unique_ptr<ChildProcess> child_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace

std::unique_ptr<Backend> MakeTestSystemBackend(boost::asio::io_context& loop,
                                               std::shared_ptr<const TestSystem> system,
                                               std::string run, std::string lock_path) {
  return std::make_unique<TestSystemBackend>(loop, std::move(system), std::move(run),
                                             std::move(lock_path));
}

}  // namespace tipstaff::backend
