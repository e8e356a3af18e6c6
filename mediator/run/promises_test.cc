// The run's promises under random schedules and crashes: guests, disk, backends, the receiver, an
// operator and the clock take turns in whatever order a seed draws. What was sent outside may act
// at any later time, and answers, stops and queries may never come.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/run/testing/playbook.h"
#include "mediator/run/testing/world.h"

namespace tipstaff::run {
namespace {

using call::Effect;
using call::OutcomeKind;
using call::RecordKind;

constexpr char kRead[] = R"({"id":"r1"})";
constexpr char kWrite[] = R"({"id":"r1","text":"a"})";
constexpr char kOther[] = R"({"id":"r1","text":"b"})";

// What the ledger says, read independently of the state machine.
struct Facts {
  bool barred = false;  // a submission began, and no definite refusal of it is durable
  bool ended = false;   // expired, revoked or closing
  bool result_open = true;
  bool unknown = false, refused_for_good = false;
  int accepted = 0;
  std::set<uint64_t> decided;
  size_t read = 0;  // records

  void ReadOn(const std::vector<call::Record>& records) {
    for (; read < records.size(); ++read) Take(records[read]);
  }
  void Take(const call::Record& record);
  void TakeDecided(const Decided& call);
};

void Facts::TakeDecided(const Decided& call) {
  decided.insert(call.number);
  const bool acts = call.decision.verdict == call::Verdict::kAllow &&
                    call.decision.effect != Effect::kRead && call.same_as == 0;
  EXPECT_TRUE(!acts || result_open) << "call " << call.number << " acts after the result";
  EXPECT_TRUE(!acts || !ended) << "call " << call.number << " acts after the end";
}

void Facts::Take(const call::Record& record) {
  switch (record.kind) {
    case RecordKind::kDecided:
      return TakeDecided(*DecodeDecided(record));
    case RecordKind::kSealing:
      result_open = false;
      return;
    case RecordKind::kSubmitting:
      EXPECT_FALSE(barred) << "a second submission";
      barred = true;
      return;
    case RecordKind::kAccepted:
      ++accepted;
      return;
    case RecordKind::kUnknown:
      unknown = true;
      return;
    case RecordKind::kRefused:
      refused_for_good = unknown;
      barred = unknown;
      result_open = !unknown;
      return;
    case RecordKind::kResolved:
      result_open = DecodeResolved(record)->as == Resolution::kOver;
      accepted += DecodeResolved(record)->as == Resolution::kAccepted ? 1 : 0;
      return;
    case RecordKind::kExpired:
    case RecordKind::kRevoked:
    case RecordKind::kClosing:
      EXPECT_FALSE(ended) << "a second end";
      ended = true;
      return;
    default:
      return;
  }
}

class Schedule {
 public:
  Schedule(uint32_t seed, StopKind outside)
      : random_(seed),
        kinds_{outside, static_cast<StopKind>(1 + Draw(3))},
        receiver_kind_(static_cast<Receiver>(Draw(3))),
        ends_early_(Chance(2)),
        slow_(Chance(2)),
        play_(outside, receiver_kind_, kinds_[1]),
        receiver_(receiver_kind_ == Receiver::kKeyed) {}

  void Play(int steps) {
    for (int i = 0; i < steps && !play_.finished; ++i) {
      Step();
      Observe();
      if (::testing::Test::HasFailure()) return;
    }
    ComeToRest();
  }

  // The seeds are of use only if they come to what the promises are about.
  static std::map<std::string, int>& Seen() {
    static auto* const seen = new std::map<std::string, int>;
    return *seen;
  }

 private:
  int Draw(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  bool Chance(int in) { return Draw(in) == 0; }

  void Step() {
    // Few schedules would come to a second delivery and its answer otherwise.
    if (awaits_receipt_ && Chance(5)) return AnswerOne();
    if (play_.run->result() == Result::kUnknown && Chance(5)) {
      return LetTimePass(absl::Seconds(30));
    }
    switch (Draw(20)) {
      case 0:
      case 1:
        return Ask("out.write_it", kWrite);
      case 2:
        return Ask("odd.write_it", kWrite);
      case 3:
        return Ask(Chance(2) ? "in.write_it" : "in.read_it", Chance(2) ? kWrite : kRead);
      case 4:
        return Ask("out.read_it", kRead);
      case 5:
      case 6:
        return AskToFinalize();
      case 7:
      case 8:
      case 9:
        return Commit();
      case 10:
        return TakeEffect();
      case 11:
      case 12:
        return AnswerOne();
      case 13:
        return LetTimePass(absl::Seconds(Chance(2) ? Draw(4) : Draw(40)));
      case 14:
        return ConfirmStop();
      case 15:
        return AnswerQuery();
      case 16:
        if (receiver_.MayAct()) receiver_.Act(Chance(2), Chance(2));
        return;
      case 17:
        if (Chance(3)) Crash();
        return;
      case 18:
        return EndTheRun();
      case 19:
        return Resolve();
    }
  }

  // ---- guests ----

  void Ask(const char* tool, const char* arguments) {
    streams_.push_back(play_.Call(absl::StrCat("c", ++ids_), tool, arguments));
  }
  void AskToFinalize() {
    static constexpr OutcomeKind kKinds[] = {OutcomeKind::kOk, OutcomeKind::kRefused,
                                             OutcomeKind::kUnknown, OutcomeKind::kToolError};
    play_.inside_answers = kKinds[Draw(4)];
    streams_.push_back(play_.Finalize(absl::StrCat("f", ++ids_), Chance(3) ? kOther : kWrite));
    // What is sent later in this process's life gets another answer, which is as good.
  }

  // ---- disk ----

  void Commit() {
    if (play_.commits.empty()) return;
    if (!Chance(40)) return play_.CommitNext();
    play_.FailNext();
    EXPECT_TRUE(play_.run->broken());
    Crash();  // the host begins anew from what is durable
  }

  void Crash() {
    // A killable backend goes with the mediator.
    for (auto& [number, call] : calls_) {
      if (call.kind == StopKind::kKillable) call.may_act = false;
      call.awaited = false;
    }
    stops_.clear();
    queries_.clear();
    streams_.clear();
    awaits_receipt_ = false;
    seen_dispatched_ = 0;
    play_.Crash();
    if (facts_.refused_for_good) ++Seen()["crash after a final refusal"];
  }

  // ---- backends ----

  std::vector<uint64_t> CallsWhere(bool (*is)(const OutsideCall&)) const {
    std::vector<uint64_t> numbers;
    for (const auto& [number, call] : calls_) {
      if (is(call)) numbers.push_back(number);
    }
    return numbers;
  }
  void TakeEffect() {
    if (slow_ && !Chance(8)) return;
    const auto numbers = CallsWhere([](const OutsideCall& c) { return c.write && c.may_act; });
    if (numbers.empty()) return;
    OutsideCall& call = calls_.at(numbers[Draw(static_cast<int>(numbers.size()))]);
    call.may_act = false;
    call.took_effect = true;
  }
  void AnswerOne() {
    if (awaits_receipt_ && !Chance(4)) {
      awaits_receipt_ = false;
      return play_.Answer(*finalizes_.rbegin(), ReceiversAnswer());
    }
    const auto numbers = CallsWhere([](const OutsideCall& c) { return c.awaited; });
    if (numbers.empty()) return;
    const uint64_t number = numbers[Draw(static_cast<int>(numbers.size()))];
    OutsideCall& call = calls_.at(number);
    call.awaited = false;
    OutcomeKind kind = OutcomeKind::kUnknown;
    if (!Chance(slow_ ? 2 : 3)) {
      static constexpr OutcomeKind kOther[] = {OutcomeKind::kToolError, OutcomeKind::kFailed,
                                               OutcomeKind::kCancelled};
      call.took_effect |= call.may_act && Chance(2);
      call.may_act = false;
      kind = call.took_effect ? OutcomeKind::kOk : kOther[Draw(3)];
    }
    play_.Answer(number, kind);
  }
  OutcomeKind ReceiversAnswer() {
    switch (Draw(5)) {
      case 0:
        return OutcomeKind::kUnknown;
      case 1:
        return OutcomeKind::kToolError;  // whatever became of the result
      case 2:
        return receiver_.Lose() ? OutcomeKind::kFailed : receiver_.Answer();
      default:
        return receiver_.Answer();
    }
  }
  void ConfirmStop() {
    if (stops_.empty()) return;
    const uint64_t number = stops_.back();
    stops_.pop_back();
    if (Chance(6)) return;  // it never comes
    calls_.at(number).may_act = false;
    calls_.at(number).awaited = false;
    play_.Give(BackendStopped{number});
  }
  void AnswerQuery() {
    if (queries_.empty()) return;
    const uint64_t number = queries_.back();
    queries_.pop_back();
    if (Chance(6)) return;
    // One that a crash kept from being sent is asked about, too.
    const auto call = calls_.find(number);
    const bool done = call != calls_.end() && call->second.took_effect;
    const TookPlace answer = Chance(4) ? TookPlace::kUnknown
                             : done    ? TookPlace::kDone
                                       : TookPlace::kNotYet;
    play_.Give(QueryAnswered{number, answer});
  }

  // ---- operator and clock ----

  void EndTheRun() {
    if (!ends_early_ || !Chance(12)) return;
    if (Chance(2)) return play_.Give(CloseAsked{"uid:0", "why", Chance(2)});
    play_.Advance(absl::Hours(2));
    if (Chance(2)) play_.Fire(Timer::kExpiry);
  }
  void Resolve() {
    if (!Chance(3)) return;
    const auto as = static_cast<Resolution>(Draw(4));
    // The person has looked, and is right.
    const bool over = CallsWhere([](const OutsideCall& c) { return c.write && c.may_act; }).empty();
    if (as != Resolution::kOver || over) play_.Resolve(as);
  }
  void LetTimePass(absl::Duration by) {
    play_.Advance(by);
    if (Chance(3)) return;  // timers are late
    FireWhatIsDue();
    Observe();
    if (Chance(2)) ConfirmStop();
    if (Chance(2)) AnswerQuery();
  }
  void FireWhatIsDue() {
    const std::map<Timer, absl::Time> timers = play_.timers;
    for (const auto& [timer, at] : timers) {
      if (at > play_.now) continue;
      play_.timers.erase(timer);
      play_.Fire(timer);
    }
  }

  // ---- what must hold ----

  void Observe() {
    facts_.ReadOn(play_.durable);
    for (; seen_dispatched_ < play_.dispatched.size(); ++seen_dispatched_) {
      Dispatched(play_.dispatched[seen_dispatched_]);
    }
    for (const uint64_t number : std::exchange(play_.stopped, {})) {
      if (calls_.contains(number)) stops_.push_back(number);
    }
    for (const uint64_t number : std::exchange(play_.queried, {})) queries_.push_back(number);
    EXPECT_LE(facts_.accepted, 1);
    const Access access = play_.run->access();
    EXPECT_TRUE(facts_.result_open || access != Access::kOpen) << "more open than the ledger";
    EXPECT_TRUE(!facts_.ended || access == Access::kClosed) << "more open than the ledger";
    EXPECT_LE(receiver_.receipts(), 1) << "promise 3";
    if (facts_.barred) {
      // It acts when it likes, so that it can is as bad as that it does.
      for (const auto& [number, call] : calls_) {
        EXPECT_FALSE(call.write && call.may_act)
            << "promise 2: write " << number << " may take effect after a submission began";
      }
    }
    ++Seen()[std::string(ResultName(play_.run->result()))];
  }

  void Dispatched(const Playbook::Sent& sent) {
    const bool outside = sent.tool.substr(0, 3) != "in.";
    EXPECT_FALSE(facts_.ended) << sent.tool << " after the end is durable";
    EXPECT_LT(play_.now, absl::FromUnixSeconds(1'777'000'000) + absl::Hours(1));
    if (!outside) return;
    EXPECT_TRUE(facts_.decided.contains(sent.number)) << "promise 1";
    if (sent.effect == Effect::kFinalize) {
      EXPECT_TRUE(facts_.barred);
      const bool again = !finalizes_.insert(sent.number).second;
      if (again) {
        EXPECT_EQ(receiver_kind_, Receiver::kKeyed);
        EXPECT_EQ(receiver_.deliveries().back().key, sent.key);
        ++Seen()["redelivered"];
      }
      receiver_.Deliver(sent.key);
      if (Chance(2)) receiver_.Act(/*newest=*/true, Chance(2));
      awaits_receipt_ = true;
      return;
    }
    const bool write = sent.effect == Effect::kWrite;
    EXPECT_FALSE(write && facts_.barred) << "promise 2";
    const Result result = play_.run->result();
    EXPECT_TRUE(!write || result == Result::kNone || result == Result::kSealing)
        << "a write is sent while the result is " << ResultName(result);
    EXPECT_TRUE(
        calls_.try_emplace(sent.number, OutsideCall{kinds_[sent.tool[1] == 'd'], write}).second)
        << "promise 4: " << sent.number << " is sent again";
  }

  // No answer comes any more: sealing ends, and so does the run once it is closed.
  void ComeToRest() {
    const auto rest = [this] {
      for (int i = 0; i < 12 && !play_.finished; ++i) {
        for (Observe(); !play_.commits.empty(); Observe()) play_.CommitNext();
        play_.Advance(absl::Seconds(31));
        FireWhatIsDue();
        Observe();
      }
    };
    rest();
    if (Chance(2) && !play_.finished) {
      Crash();
      Observe();
      rest();
    }
    EXPECT_NE(play_.run->result(), Result::kSealing);
    const bool submits = awaits_receipt_ && play_.run->result() == Result::kSubmitting;
    EXPECT_TRUE(submits || play_.run->result() != Result::kSubmitting);
    play_.Give(CloseAsked{"uid:0", "why"});
    rest();
    EXPECT_TRUE(play_.finished) << absl::StrJoin(play_.DurableKinds(), " ");
    for (const StreamId stream : streams_) {
      EXPECT_TRUE(play_.replies.contains(stream) || play_.recorded.contains(stream))
          << "request " << stream << " was never answered";
    }
  }

  std::mt19937 random_;
  const StopKind kinds_[2];
  const Receiver receiver_kind_;
  const bool ends_early_;
  const bool slow_;  // the systems outside
  Playbook play_;
  OutsideReceiver receiver_;
  Facts facts_;
  std::map<uint64_t, OutsideCall> calls_;
  std::vector<uint64_t> stops_, queries_;  // asked for, not answered
  std::vector<StreamId> streams_;          // of this process
  std::set<uint64_t> finalizes_;
  bool awaits_receipt_ = false;
  int ids_ = 0;
  size_t seen_dispatched_ = 0;
};

class Promises : public ::testing::TestWithParam<StopKind> {};

TEST_P(Promises, HoldUnderRandomSchedulesAndCrashes) {
  Schedule::Seen().clear();
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Schedule(seed, GetParam()).Play(static_cast<int>(40 + seed % 120));
    if (HasFailure()) return;
  }
  for (const char* state : {"sealing", "submitting", "accepted", "held", "unknown", "refused",
                            "redelivered", "crash after a final refusal"}) {
    EXPECT_GT(Schedule::Seen()[state], 2) << "no schedule comes to `" << state << "`";
  }
}

INSTANTIATE_TEST_SUITE_P(EachStopKind, Promises,
                         ::testing::Values(StopKind::kNone, StopKind::kQueryable,
                                           StopKind::kKillable));

}  // namespace
}  // namespace tipstaff::run
