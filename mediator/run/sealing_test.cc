// Sealing with writes in flight: what is waited for, stopped, asked about and given up on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/run/limits.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::run {
namespace {

using call::OutcomeKind;
using call::Reason;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kArguments[] = R"({"id":"r1","text":"a"})";
constexpr char kOther[] = R"({"id":"r1","text":"b"})";

// A write to `out` that has left.
void SendWrite(Playbook& play, const char* id = "w") {
  play.Call(id, "out.write_it", kArguments);
  play.CommitAll();
}
OutcomeKind LastOutcome(const Playbook& play, uint64_t number) {
  OutcomeKind kind = OutcomeKind::kOk;
  for (const call::Record& record : play.durable) {
    if (record.kind != call::RecordKind::kOutcome) continue;
    const auto settled = DecodeSettled(record);
    if (settled->number == number) kind = settled->outcome.kind;
  }
  return kind;
}

// A write whose outcome was unknown was forgotten, and the result was submitted beside it.
TEST(Sealing, AWriteOfUnknownOutcomeIsInFlight) {
  struct Row {
    StopKind stop;
    bool crash;
    Result result;  // once nothing more happens by itself
    const char* why;
  };
  for (const Row& row : {
           Row{StopKind::kNone, false, Result::kHeld, "nothing can be done"},
           Row{StopKind::kNone, true, Result::kHeld, "nor after a crash"},
           Row{StopKind::kQueryable, false, Result::kSealing, "it can be asked, in time"},
           Row{StopKind::kQueryable, true, Result::kSealing, "and after a crash"},
           Row{StopKind::kKillable, false, Result::kSealing, "until it is stopped"},
           Row{StopKind::kKillable, true, Result::kAccepted,
               "its process died with the mediator's"},
       }) {
    SCOPED_TRACE(row.why);
    Playbook play(row.stop);
    SendWrite(play);
    if (row.crash) {
      play.Crash();
    } else {
      play.Answer(1, OutcomeKind::kUnknown);
    }
    play.CommitAll();
    play.Finalize("f", kArguments);
    play.CommitAll();
    EXPECT_EQ(play.run->result(), row.result);
    const bool killed = row.stop == StopKind::kKillable && !row.crash;
    EXPECT_EQ(play.stopped.size(), killed ? 1u : 0u);
    EXPECT_EQ(play.run->MayStillAct().size(), row.result == Result::kAccepted ? 0u : 1u);
  }
}

TEST(Sealing, AKilledWriteOfUnknownOutcomeIsOver) {
  Playbook play(StopKind::kKillable);
  SendWrite(play);
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  play.Finalize("f", kArguments);
  play.CommitAll();
  EXPECT_THAT(play.stopped, ElementsAre(1)) << "at once: no answer is to be waited for";
  play.Give(BackendStopped{1});
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kAccepted);
}

// What was stopped while its unknown outcome was being committed is not taken for in flight.
TEST(Sealing, AStopThatIsConfirmedWhileTheOutcomeIsCommittedCounts) {
  Playbook play(StopKind::kKillable);
  SendWrite(play);
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.FireInTime(Timer::kSealDeadline);
  play.Answer(1, OutcomeKind::kUnknown);
  play.Give(BackendStopped{1});
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kAccepted);
  EXPECT_THAT(play.run->MayStillAct(), IsEmpty());
}

TEST(Sealing, NobodyStopsAWriteUnasked) {
  Playbook play(StopKind::kKillable);
  SendWrite(play);
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.Give(BackendStopped{1});
  play.Give(QueryAnswered{1, TookPlace::kDone});
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kSealing);
}

// A write whose intent was being committed at the deadline was sent after sealing had given up.
TEST(Sealing, AWriteThatWasNotSentByTheDeadlineIsNotSentAnyMore) {
  for (const StopKind stop : {StopKind::kNone, StopKind::kQueryable, StopKind::kKillable}) {
    SCOPED_TRACE(static_cast<int>(stop));
    Playbook play(stop);
    play.Call("w", "out.write_it", kArguments);
    play.Finalize("f", kArguments);
    play.FireInTime(Timer::kSealDeadline);
    play.CommitAll();
    EXPECT_THAT(play.Dispatched(), ElementsAre("in.finalize_it#2"));
    EXPECT_EQ(LastOutcome(play, 1), OutcomeKind::kCancelled);
    EXPECT_EQ(play.run->result(), Result::kAccepted);
  }
}

TEST(Sealing, AWriteThatIsSentBeforeTheDeadlineIsWaitedFor) {
  Playbook play;
  play.Call("w", "out.write_it", kArguments);
  play.Finalize("f", kArguments);
  play.CommitAll();
  EXPECT_THAT(play.Dispatched(), ElementsAre("out.write_it#1"));
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kAccepted);
}

// A write that has answered and is being committed was a reason to hold.
TEST(Sealing, AWriteThatOnlySettlesIsNoReasonToHold) {
  Playbook play;
  SendWrite(play);
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kOk);
  play.FireInTime(Timer::kSealDeadline);
  play.FireInTime(Timer::kSealDeadline);
  EXPECT_EQ(play.run->result(), Result::kSealing);
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kAccepted);
}

TEST(Sealing, HoldsOnlyWhenStopsAreConfirmed) {
  Playbook play(StopKind::kKillable, Receiver::kStub, StopKind::kNone);
  SendWrite(play);
  play.Call("w2", "odd.write_it", kArguments);
  play.CommitAll();
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.FireInTime(Timer::kSealDeadline);
  EXPECT_THAT(play.stopped, ElementsAre(1));
  EXPECT_EQ(play.run->result(), Result::kSealing) << "the killable one is stopped first";
  play.Give(BackendStopped{1});
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kHeld);
  EXPECT_THAT(play.run->MayStillAct(), ElementsAre(2));
}

TEST(Sealing, HoldsWhenAStopDoesNotCome) {
  for (const StopKind stop : {StopKind::kKillable, StopKind::kQueryable}) {
    Playbook play(stop);
    SendWrite(play);
    play.Finalize("f", kArguments);
    play.CommitAll();
    play.FireInTime(Timer::kSealDeadline);
    EXPECT_EQ(play.run->result(), Result::kSealing);
    EXPECT_EQ(play.timers.at(Timer::kSealDeadline), play.now + kStopTime);
    play.FireInTime(Timer::kSealDeadline);
    play.CommitAll();
    EXPECT_EQ(play.run->result(), Result::kHeld);
    EXPECT_THAT(play.run->MayStillAct(), ElementsAre(1));
  }
}

TEST(Sealing, AQueryTellsWhetherAWriteIsOver) {
  struct Row {
    TookPlace answer;
    bool answered_before;  // the write, as unknown
    Result result;
  };
  for (const Row& row :
       {Row{TookPlace::kDone, false, Result::kAccepted},
        Row{TookPlace::kDone, true, Result::kAccepted},
        Row{TookPlace::kNotYet, false, Result::kHeld}, Row{TookPlace::kNotYet, true, Result::kHeld},
        Row{TookPlace::kUnknown, false, Result::kHeld}}) {
    SCOPED_TRACE(static_cast<int>(row.answer));
    Playbook play(StopKind::kQueryable);
    SendWrite(play);
    if (row.answered_before) play.Answer(1, OutcomeKind::kUnknown);
    play.CommitAll();
    play.Finalize("f", kArguments);
    play.CommitAll();
    EXPECT_THAT(play.queried, IsEmpty()) << "asked at the deadline: it may be done by then";
    play.FireInTime(Timer::kSealDeadline);
    EXPECT_THAT(play.queried, ElementsAre(1));
    play.Give(QueryAnswered{1, row.answer});
    play.CommitAll();
    EXPECT_EQ(play.run->result(), row.result);
    if (!row.answered_before && row.answer == TookPlace::kDone) {
      EXPECT_EQ(LastOutcome(play, 1), OutcomeKind::kOk) << "known to have taken place";
    }
  }
}

TEST(Sealing, TheDeadlineIsComparedWithTheTimeAndSetAgain) {
  Playbook play;
  SendWrite(play);
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.Advance(kSealDeadline - absl::Seconds(1));
  play.timers.clear();
  play.Fire(Timer::kSealDeadline);
  EXPECT_EQ(play.run->result(), Result::kSealing);
  EXPECT_EQ(play.timers.at(Timer::kSealDeadline), play.now + absl::Seconds(1));
  // The queryable one keeps a restarted run sealing.
  Playbook again(StopKind::kQueryable);
  SendWrite(again);
  again.Finalize("f", kArguments);
  again.CommitAll();
  again.Crash();
  again.CommitAll();
  EXPECT_EQ(again.run->result(), Result::kSealing);
  EXPECT_EQ(again.timers.at(Timer::kSealDeadline), again.now + kSealDeadline);
  again.FireInTime(Timer::kSealDeadline);
  EXPECT_THAT(again.queried, ElementsAre(1));
  again.Give(QueryAnswered{1, TookPlace::kDone});
  again.CommitAll();
  EXPECT_EQ(again.run->result(), Result::kAccepted);
}

TEST(Sealing, AWriteAfterADefiniteRefusalIsNotStoppedBeforeItsTime) {
  Playbook play(StopKind::kKillable);
  SendWrite(play);
  play.inside_answers = OutcomeKind::kRefused;
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.FireInTime(Timer::kSealDeadline);
  play.Give(BackendStopped{1});
  play.CommitAll();
  ASSERT_EQ(play.run->result(), Result::kNone);
  play.stopped.clear();
  play.Call("w2", "out.write_it", kArguments);
  play.CommitAll();
  play.Answer(3, OutcomeKind::kUnknown);
  play.CommitAll();
  EXPECT_THAT(play.stopped, IsEmpty());
  play.Finalize("f2", kArguments);
  play.CommitAll();
  EXPECT_THAT(play.stopped, ElementsAre(3));
}

TEST(Sealing, WhileHeldCallsAreToldWhatIsWaitedFor) {
  Playbook play;
  SendWrite(play);
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  play.Finalize("f", kArguments);
  play.CommitAll();
  for (const char* id : {"again", "w"}) {
    const bool finalize = id[0] == 'a';
    const StreamId stream =
        finalize ? play.Finalize(id, kArguments) : play.Call("w2", "in.write_it", kArguments);
    play.CommitAll();
    EXPECT_EQ(play.replies.at(stream).reason, Reason::kRunFinal);
    EXPECT_EQ(play.replies.at(stream).detail, "its result is held until an operator decides");
    EXPECT_FALSE(play.replies.at(stream).retry);
  }
}

}  // namespace
}  // namespace tipstaff::run
