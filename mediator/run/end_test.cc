// The end of a run, in the middle of everything else.
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

// A write to `out` that has left, and a finalize that waits for it.
void Seal(Playbook& play) {
  play.Call("w", "out.write_it", kArguments);
  play.CommitAll();
  play.Finalize("f", kArguments);
  play.CommitAll();
}
Closed LastRecord(const Playbook& play) {
  const absl::StatusOr<Closed> closed = DecodeClosed(play.durable.back());
  EXPECT_TRUE(closed.ok()) << closed.status();
  return closed.value_or(Closed{});
}

enum class Way { kClose, kRevoke, kExpire };
constexpr Way kWays[] = {Way::kClose, Way::kRevoke, Way::kExpire};

void EndIt(Playbook& play, Way way) {
  if (way == Way::kExpire) {
    play.Advance(absl::Hours(2));
    play.Fire(Timer::kExpiry);
  } else {
    play.Give(CloseAsked{"uid:0", "stop", way == Way::kRevoke});
  }
}
const char* RecordOf(Way way) {
  return way == Way::kClose ? "closing" : way == Way::kRevoke ? "revoked" : "expired";
}

// The finalize was settled as void and submitted all the same, once the write was over; then it
// was looked up, no longer there, and the mediator died.
TEST(Ending, WhileSealingSubmitsNothing) {
  for (const Way way : kWays) {
    for (const bool answered_first : {false, true}) {
      SCOPED_TRACE(RecordOf(way));
      Playbook play;
      Seal(play);
      if (answered_first) play.Answer(1, OutcomeKind::kOk);
      EndIt(play, way);
      if (!answered_first) play.Answer(1, OutcomeKind::kOk);
      play.CommitAll();
      EXPECT_THAT(play.Dispatched(), ElementsAre("out.write_it#1"));
      EXPECT_TRUE(play.finished);
      EXPECT_THAT(play.DurableKinds(), Not(Contains("accepted")));
      EXPECT_EQ(LastRecord(play).result, "none");
    }
  }
}

// The same, where the mediator dies at each commit.
TEST(Ending, WhileSealingSubmitsNothingWhateverACrashLeaves) {
  for (const Way way : kWays) {
    for (const StopKind stop : {StopKind::kNone, StopKind::kQueryable, StopKind::kKillable}) {
      for (int commits = 0; commits < 5; ++commits) {
        SCOPED_TRACE(absl::StrCat(RecordOf(way), " crash after ", commits));
        Playbook play(stop);
        Seal(play);
        EndIt(play, way);
        play.Answer(1, OutcomeKind::kOk);
        for (int i = 0; i < commits && !play.commits.empty(); ++i) play.CommitNext();
        if (play.finished) continue;
        const bool recorded = commits > 0;
        play.Crash();
        play.CommitAll();
        if (recorded || way == Way::kExpire) {
          EXPECT_TRUE(play.finished);
          EXPECT_THAT(play.Dispatched(), IsEmpty());
          EXPECT_THAT(play.DurableKinds(), Not(Contains("accepted")));
        }
      }
    }
  }
}

// An operator's close was on record at its very end only: a crash before opened the run again.
TEST(Ending, IsOnRecordFromTheTimeItIsAsked) {
  for (const Way way : kWays) {
    SCOPED_TRACE(RecordOf(way));
    Playbook play;
    play.Call("w", "out.write_it", kArguments);
    play.CommitAll();
    EndIt(play, way);
    EXPECT_THAT(play.KindsOf(play.commits.at(0)), ElementsAre(RecordOf(way)));
    play.CommitNext();
    play.Crash();
    EXPECT_EQ(play.run->access(), Access::kClosed);
    const StreamId late = play.Call("w2", "out.write_it", kArguments);
    play.CommitAll();
    EXPECT_EQ(play.replies.at(late).reason, way == Way::kClose    ? Reason::kRunClosed
                                            : way == Way::kRevoke ? Reason::kRunRevoked
                                                                  : Reason::kRunExpired);
    EXPECT_TRUE(play.finished);
    EXPECT_EQ(LastRecord(play).why, way == Way::kExpire ? "" : "stop");
    EXPECT_EQ(LastRecord(play).records, play.durable.size() + 1);
  }
}

// Only the timer closed a run: when it was late, a result was submitted after the run's time.
TEST(Ending, ExpiryStopsASubmissionWithoutTheTimer) {
  Playbook play;
  Seal(play);
  play.Advance(absl::Hours(2));
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_THAT(play.Dispatched(), ElementsAre("out.write_it#1"));
  EXPECT_TRUE(play.finished);
}

TEST(Ending, ExpiryWhileNoMediatorRanStopsASubmissionAtTheStart) {
  Playbook play(StopKind::kKillable);
  Seal(play);
  play.Advance(absl::Hours(2));
  play.Crash();
  play.CommitAll();
  EXPECT_THAT(play.Dispatched(), IsEmpty());
  EXPECT_THAT(play.DurableKinds(), Contains("expired"));
  EXPECT_TRUE(play.finished);
}

TEST(Ending, AResultWhoseSubmissionIsBeingCommittedIsNotSent) {
  for (const Way way : kWays) {
    SCOPED_TRACE(RecordOf(way));
    Playbook play(StopKind::kNone, Receiver::kPlain);
    play.Finalize("f", kArguments);
    EndIt(play, way);
    play.CommitAll();
    EXPECT_THAT(play.Dispatched(), IsEmpty());
    EXPECT_EQ(LastRecord(play).result, "none");
  }
}

// A backend that never answered kept its run from closing for ever.
TEST(Ending, GivesUpOnWhatDoesNotAnswer) {
  struct Row {
    StopKind stop;
    const char* tool;
  };
  for (const Row& row :
       {Row{StopKind::kNone, "out.write_it"}, Row{StopKind::kQueryable, "out.write_it"},
        Row{StopKind::kKillable, "out.write_it"}, Row{StopKind::kNone, "out.read_it"}}) {
    for (const Way way : kWays) {
      SCOPED_TRACE(row.tool);
      const bool write = row.tool[4] == 'w';
      Playbook play(row.stop);
      play.Call("c", row.tool, write ? kArguments : R"({"id":"r1"})");
      play.CommitAll();
      EndIt(play, way);
      play.CommitAll();
      EXPECT_EQ(play.stopped.size(), row.stop == StopKind::kKillable ? 1u : 0u);
      EXPECT_EQ(play.queried.size(), row.stop == StopKind::kQueryable ? 1u : 0u);
      play.Advance(kCloseTime - absl::Seconds(1));
      play.Fire(Timer::kCloseDeadline);
      play.CommitAll();
      EXPECT_FALSE(play.finished) << "not before its time";
      play.FireInTime(Timer::kCloseDeadline);
      play.CommitAll();
      EXPECT_TRUE(play.finished);
      EXPECT_THAT(play.DurableKinds(), Contains("outcome"));
    }
  }
}

TEST(Ending, AResultThatTheReceiverDoesNotAnswerIsUnknown) {
  Playbook play(StopKind::kNone, Receiver::kPlain);
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.Give(CloseAsked{"uid:0", "stop"});
  play.CommitAll();
  EXPECT_FALSE(play.finished);
  play.FireInTime(Timer::kCloseDeadline);
  play.CommitAll();
  EXPECT_EQ(LastRecord(play).result, "unknown");
}

TEST(Ending, AnAnswerInTimeCounts) {
  for (const Way way : kWays) {
    Playbook play(StopKind::kNone, Receiver::kPlain);
    play.Finalize("f", kArguments);
    play.CommitAll();
    EndIt(play, way);
    play.Answer(1, OutcomeKind::kOk);
    play.CommitAll();
    EXPECT_EQ(LastRecord(play).result, "accepted") << "it was sent before";
  }
}

TEST(Ending, StopsWritesOfUnknownOutcome) {
  Playbook play(StopKind::kKillable);
  play.Call("w", "out.write_it", kArguments);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  EXPECT_THAT(play.stopped, IsEmpty());
  play.Give(CloseAsked{"uid:0", "stop", true});
  play.CommitAll();
  EXPECT_THAT(play.stopped, ElementsAre(1));
  EXPECT_TRUE(play.finished);
}

// The denial was to be recorded behind the run's last record, which no ledger takes.
TEST(Ending, ACallBesideTheLastRecordIsRefusedWithoutARecord) {
  Playbook play;
  play.Give(CloseAsked{"uid:0", "stop"});
  play.CommitNext();
  ASSERT_THAT(play.KindsOf(play.commits.at(0)), ElementsAre("cleaned", "closed"));
  const StreamId late = play.Call("w", "in.write_it", kArguments);
  EXPECT_EQ(play.replies.at(late).reason, Reason::kRunClosed);
  EXPECT_EQ(play.replies.at(late).number, 0u);
  play.CommitAll();
  EXPECT_EQ(play.durable.back().kind, call::RecordKind::kClosed);
}

TEST(Ending, TheFirstOneCounts) {
  Playbook play;
  play.Call("w", "out.write_it", kArguments);
  play.CommitAll();
  play.Give(CloseAsked{"uid:0", "first"});
  play.Give(CloseAsked{"uid:1", "second", true});
  play.Advance(absl::Hours(2));
  play.Fire(Timer::kExpiry);
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_THAT(play.DurableKinds(), Contains("closing"));
  EXPECT_THAT(play.DurableKinds(), Not(Contains("revoked")));
  EXPECT_THAT(play.DurableKinds(), Not(Contains("expired")));
  EXPECT_EQ(LastRecord(play).why, "first");
}

TEST(Ending, APreviewAfterTheTimeSaysSo) {
  Playbook play;
  play.Advance(absl::Hours(2));
  call::Call call;
  call.tool = "in.write_it";
  call.canonical = kOther;
  EXPECT_EQ(play.run->Preview(call, nullptr, play.now).reason, Reason::kRunExpired);
}

// `run list` said that a run is closed whose close had failed.
TEST(Ending, ThatCouldNotBeRecordedHasNotHappened) {
  for (const Way way : kWays) {
    SCOPED_TRACE(RecordOf(way));
    Playbook play;
    EndIt(play, way);
    play.FailNext();
    EXPECT_TRUE(play.run->broken());
    EXPECT_EQ(play.run->access(), Access::kOpen);
    play.Crash();
    if (way != Way::kExpire) {
      EXPECT_EQ(play.run->access(), Access::kOpen);
      EndIt(play, way);
    }
    play.CommitAll();
    EXPECT_TRUE(play.finished);
  }
}

TEST(Ending, OnRecordStaysWhenWhatFollowsCannotBeRecorded) {
  Playbook play;
  EndIt(play, Way::kClose);
  play.CommitNext();
  play.FailNext();  // cleaned and closed
  EXPECT_TRUE(play.run->broken());
  EXPECT_EQ(play.run->access(), Access::kClosed);
}

TEST(Ending, AResultIsAsFarAsItIsOnRecord) {
  Playbook play(StopKind::kNone, Receiver::kPlain);
  play.Finalize("f", kArguments);
  EXPECT_EQ(play.run->result(), Result::kSubmitting);
  play.FailNext();
  EXPECT_EQ(play.run->result(), Result::kNone);
  EXPECT_EQ(play.run->access(), Access::kOpen);

  Playbook sealing;
  Seal(sealing);
  EXPECT_EQ(sealing.run->result(), Result::kSealing);
  sealing.Answer(1, OutcomeKind::kOk);
  sealing.CommitNext();
  EXPECT_NE(sealing.run->result(), Result::kSealing) << "it is at the receiver";
  sealing.FailNext();
  EXPECT_EQ(sealing.run->result(), Result::kSealing);

  Playbook accepted;
  accepted.Finalize("f", kArguments);
  accepted.CommitAll();
  ASSERT_EQ(accepted.run->result(), Result::kAccepted);
  accepted.Call("r", "in.read_it", R"({"id":"r1"})");
  accepted.FailNext();
  EXPECT_EQ(accepted.run->result(), Result::kAccepted);
  EXPECT_EQ(accepted.run->access(), Access::kReadOnly);
}

// On a full disk the submission that a restart goes on with cannot be recorded, and every record
// after it, the close among them, failed with it.
TEST(Ending, BeginsBeforeASubmissionGoesOn) {
  Playbook play(StopKind::kNone, Receiver::kPlain);
  Seal(play);
  play.Answer(1, OutcomeKind::kOk);
  play.CommitNext();
  play.FailNext();  // submitting
  ASSERT_TRUE(play.run->broken());
  const CloseAsked asked{"uid:0", "stop", false};
  play.Crash(&asked);
  for (const Commit& commit : play.commits) {
    EXPECT_THAT(play.KindsOf(commit), Not(Contains("submitting")));
  }
  play.CommitAll();
  EXPECT_TRUE(play.finished);
  EXPECT_THAT(play.DurableKinds(), Not(Contains("submitting")));
  EXPECT_EQ(LastRecord(play).by, "uid:0");
  EXPECT_EQ(LastRecord(play).result, "none");
}

}  // namespace
}  // namespace tipstaff::run
