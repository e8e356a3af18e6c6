// The run's promises under random schedules and crashes: guests, disk and backends take turns in
// whatever order a seed draws.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::run {
namespace {

using call::Effect;
using call::OutcomeKind;
using call::RecordKind;

class Schedule {
 public:
  Schedule(uint32_t seed, StopKind outside) : random_(seed), play_(outside) {}

  void Run(int steps) {
    for (int i = 0; i < steps && !play_.finished; ++i) {
      Step();
      Check();
      if (::testing::Test::HasFailure()) return;
    }
  }

 private:
  int Draw(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  void Step() {
    switch (Draw(12)) {
      case 0:
      case 1:
        NewCall("out.write_it");
        break;
      case 2:
        NewCall("in.write_it");
        break;
      case 3:
        NewCall("out.read_it");
        break;
      case 4:
        Finalize();
        break;
      case 5:
      case 6:
      case 7:
        if (!play_.commits.empty()) play_.CommitNext();
        break;
      case 8:
      case 9:
        AnswerOne();
        break;
      case 10:
        play_.Advance(absl::Seconds(31));
        play_.Give(TimerFired{Timer::kSealDeadline});
        for (const uint64_t number : std::exchange(play_.stopped, {})) {
          play_.Give(BackendStopped{number});
        }
        break;
      case 11:
        if (Draw(4) == 0) {
          open_.clear();
          play_.Crash();
          sent_ = 0;
        }
        break;
    }
    for (; sent_ < play_.dispatched.size(); ++sent_) Dispatched(play_.dispatched[sent_]);
  }

  void NewCall(const char* tool) {
    play_.Call(
        absl::StrCat("c", ++ids_), tool,
        absl::string_view(tool) == "out.read_it" ? R"({"id":"r1"})" : R"({"id":"r1","text":"a"})");
  }
  void Finalize() {
    static constexpr OutcomeKind kKinds[] = {OutcomeKind::kOk, OutcomeKind::kRefused,
                                             OutcomeKind::kUnknown, OutcomeKind::kToolError};
    const OutcomeKind before = play_.inside_answers;
    play_.inside_answers = kKinds[Draw(4)];
    play_.Call(absl::StrCat("f", ++ids_), "in.finalize_it", R"({"id":"r1","text":"a"})");
    play_.inside_answers = before;
  }
  void AnswerOne() {
    if (open_.empty()) return;
    const uint64_t number = *open_.begin();
    open_.erase(open_.begin());
    play_.Answer(number, Draw(3) == 0 ? OutcomeKind::kUnknown : OutcomeKind::kOk);
  }

  void Dispatched(const Playbook::Sent& sent) {
    const bool outside = sent.tool.substr(0, 4) == "out.";
    if (outside) open_.insert(sent.number);
    // Promise 1: a call leaves the process only with its decision on record.
    if (outside) {
      EXPECT_TRUE(IsDurable(RecordKind::kDecided, sent.number)) << sent.number;
    }
    // Promise 5: never a second time.
    if (outside) {
      EXPECT_TRUE(ever_.insert(sent.number).second) << sent.number;
    }
    // Promise 2: no write once a submission has begun, unless its refusal is durable.
    if (sent.effect == Effect::kWrite && outside) {
      EXPECT_FALSE(Submitted()) << "write " << sent.number << " after a submission";
    }
    if (sent.effect == Effect::kFinalize) {
      EXPECT_FALSE(Submitted()) << "a second submission";
      for (const uint64_t number : open_) {
        EXPECT_TRUE(IsDurable(RecordKind::kOutcome, number) || !IsWrite(number))
            << "submitted while write " << number << " was in flight";
      }
    }
  }

  bool IsDurable(RecordKind kind, uint64_t number) const {
    for (const call::Record& record : play_.durable) {
      if (record.kind == kind && *DecodeStep(record) == number) return true;
    }
    return false;
  }
  bool IsWrite(uint64_t number) const {
    for (const call::Record& record : play_.durable) {
      if (record.kind != RecordKind::kDecided) continue;
      const auto decided = DecodeDecided(record);
      if (decided->number == number) return decided->decision.effect == Effect::kWrite;
    }
    return false;
  }
  bool Submitted() const {
    bool submitted = false;
    for (const call::Record& record : play_.durable) {
      if (record.kind == RecordKind::kSubmitting) submitted = true;
      if (record.kind == RecordKind::kRefused) submitted = false;
    }
    return submitted;
  }

  void Check() {
    int accepted = 0;
    bool final = false;
    for (const call::Record& record : play_.durable) {
      if (record.kind == RecordKind::kAccepted) ++accepted;
      if (record.kind == RecordKind::kDecided && final) {
        const auto decided = DecodeDecided(record);
        const bool acts = decided->decision.verdict == call::Verdict::kAllow &&
                          decided->decision.effect != Effect::kRead && decided->same_as == 0;
        EXPECT_FALSE(acts) << "decision " << decided->number << " acts after the result";
      }
      if (record.kind == RecordKind::kAccepted || record.kind == RecordKind::kUnknown ||
          record.kind == RecordKind::kHeld) {
        final = true;
      }
    }
    EXPECT_LE(accepted, 1);
  }

  std::mt19937 random_;
  Playbook play_;
  int ids_ = 0;
  size_t sent_ = 0;
  std::set<uint64_t> open_, ever_;
};

class Promises : public ::testing::TestWithParam<StopKind> {};

TEST_P(Promises, HoldUnderRandomSchedulesAndCrashes) {
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Schedule(seed, GetParam()).Run(120);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(EachStopKind, Promises,
                         ::testing::Values(StopKind::kNone, StopKind::kQueryable,
                                           StopKind::kKillable));

}  // namespace
}  // namespace tipstaff::run
