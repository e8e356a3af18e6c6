#include "mediator/run/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::run {
namespace {

using call::OutcomeKind;
using call::Reason;
using call::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kRead[] = R"({"id":"r1"})";
constexpr char kWrite[] = R"({"id":"r1","text":"a"})";
constexpr char kOther[] = R"({"id":"r1","text":"b"})";

// ---- from call to reply ----

TEST(Call, InTheProcessIsOneCommitAndRepliesOnlyAfterIt) {
  Playbook play;
  const StreamId stream = play.Call("c1", "in.write_it", kWrite);
  ASSERT_THAT(play.commits, SizeIs(1));
  EXPECT_THAT(play.KindsOf(play.commits[0]), ElementsAre("decided", "outcome"));
  EXPECT_THAT(play.replies, IsEmpty()) << "no reply before the commit";
  play.CommitNext();
  EXPECT_EQ(play.replies.at(stream).verdict, Verdict::kAllow);
  EXPECT_EQ(play.replies.at(stream).number, 1);
}

TEST(Call, WriteOutsideIsDispatchedOnlyAfterItsDecisionIsDurable) {
  Playbook play;
  const StreamId stream = play.Call("c1", "out.write_it", kWrite);
  EXPECT_THAT(play.dispatched, IsEmpty());
  EXPECT_THAT(play.KindsOf(play.commits[0]), ElementsAre("decided"));
  play.CommitNext();
  EXPECT_THAT(play.dispatched, SizeIs(1));
  play.CommitAll();
  play.Answer(1, OutcomeKind::kOk);
  EXPECT_THAT(play.replies, IsEmpty()) << "a write's outcome is durable before the reply";
  play.CommitAll();
  EXPECT_TRUE(play.replies.contains(stream));
  EXPECT_THAT(play.DurableKinds(), ElementsAre("decided", "dispatched", "outcome"));
}

TEST(Call, ReadOutsideIsAnsweredBeforeItsOutcomeIsDurable) {
  Playbook play;
  const StreamId stream = play.Call("c1", "out.read_it", kRead);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kOk);
  EXPECT_TRUE(play.replies.contains(stream));
  EXPECT_THAT(play.commits, SizeIs(1));
}

TEST(Call, DenialIsDurableBeforeTheReplyAndNothingIsDispatched) {
  Playbook play;
  const StreamId stream = play.Call("c1", "in.write_it", R"({"id":"r2","text":"a"})");
  EXPECT_THAT(play.replies, IsEmpty());
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).reason, Reason::kOutOfScope);
  EXPECT_THAT(play.dispatched, IsEmpty());
  EXPECT_THAT(play.DurableKinds(), ElementsAre("decided"));
}

TEST(Call, MalformedIsADenialOnRecord) {
  Playbook play;
  const StreamId stream = play.Malformed("the arguments: not JSON at byte 1");
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).reason, Reason::kMalformed);
  EXPECT_EQ(DecodeDecided(play.durable[0])->arguments_size, 4);
  EXPECT_EQ(DecodeDecided(play.durable[0])->arguments, "") << "a tool has sensitive arguments";
}

TEST(Call, SeventeenthInFlightIsRefusedForNow) {
  Playbook play;
  for (int i = 0; i < 16; ++i) play.Call(absl::StrCat("c", i), "out.read_it", kRead);
  const StreamId stream = play.Call("c16", "out.read_it", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).reason, Reason::kLimitExceeded);
  EXPECT_TRUE(play.replies.at(stream).retry);
}

// Its outcome may still wait to be durable: whoever made it has the answer, and goes on.
TEST(Call, AnAnsweredReadIsNotInFlight) {
  Playbook play;
  for (int i = 0; i < 16; ++i) play.Call(absl::StrCat("c", i), "out.read_it", kRead);
  play.CommitAll();
  for (int number = 1; number <= 16; ++number) play.Answer(number, OutcomeKind::kOk);
  ASSERT_THAT(play.replies, SizeIs(16));
  const StreamId stream = play.Call("c16", "out.read_it", kRead);
  play.CommitAll();
  play.Answer(17, OutcomeKind::kOk);
  EXPECT_EQ(play.replies.at(stream).verdict, Verdict::kAllow);
}

TEST(Call, CancelledBeforeDispatchNeverLeaves) {
  Playbook play;
  const StreamId stream = play.Call("c1", "out.write_it", kWrite);
  play.Give(CancelAsked{stream});
  play.CommitAll();
  EXPECT_THAT(play.dispatched, IsEmpty());
  EXPECT_EQ(DecodeSettled(play.durable[1])->outcome.kind, OutcomeKind::kCancelled);
}

TEST(Call, CancelReachesTheBackendOnce) {
  Playbook play;
  const StreamId stream = play.Call("c1", "out.read_it", kRead);
  play.CommitAll();
  play.Give(CancelAsked{stream});
  play.Give(CancelAsked{stream});
  EXPECT_THAT(play.cancelled, ElementsAre(1));
}

// ---- call ids ----

TEST(CallId, RepeatedInFlightAttaches) {
  Playbook play;
  const StreamId first = play.Call("c1", "out.write_it", kWrite);
  const StreamId second = play.Call("c1", "out.write_it", kWrite);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_THAT(play.dispatched, SizeIs(1));
  EXPECT_EQ(play.replies.at(first).number, 1);
  EXPECT_EQ(play.replies.at(second).number, 1);
}

TEST(CallId, RepeatedAfterwardsGetsTheRecordedOutcome) {
  Playbook play;
  play.Call("c1", "in.write_it", kWrite);
  play.CommitAll();
  const StreamId again = play.Call("c1", "in.write_it", kWrite);
  EXPECT_EQ(play.recorded.at(again).number, 1);
  EXPECT_EQ(play.recorded.at(again).outcome_seq, 3);
  EXPECT_THAT(play.dispatched, SizeIs(1));
  play.Crash();
  const StreamId after = play.Call("c1", "in.write_it", kWrite);
  EXPECT_EQ(play.recorded.at(after).outcome_seq, 3) << "also after a restart";
  EXPECT_THAT(play.dispatched, IsEmpty());
}

TEST(CallId, WithOtherArgumentsIsRefusedAndTheFirstStands) {
  Playbook play;
  play.Call("c1", "in.write_it", kWrite);
  play.CommitAll();
  const StreamId reused = play.Call("c1", "in.write_it", kOther);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(reused).reason, Reason::kCallIdReused);
  const StreamId again = play.Call("c1", "in.write_it", kWrite);
  EXPECT_EQ(play.recorded.at(again).number, 1);
}

TEST(CallId, OfADenialIsAnsweredWithTheDenial) {
  Playbook play;
  play.Call("c1", "in.read_it", R"({"id":"r2"})");
  play.CommitAll();
  const StreamId again = play.Call("c1", "in.read_it", R"({"id":"r2"})");
  EXPECT_EQ(play.recorded.at(again).reason, Reason::kOutOfScope);
  EXPECT_EQ(play.recorded.at(again).outcome_seq, 0);
}

TEST(Limits, CountAllowedCallsAndHoldAfterARestart) {
  Playbook play;
  play.Call("c1", "in.write_few", kRead);
  play.CommitAll();
  play.Crash();
  const StreamId second = play.Call("c2", "in.write_few", kRead);
  const StreamId third = play.Call("c3", "in.write_few", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(second).verdict, Verdict::kAllow);
  EXPECT_EQ(play.replies.at(third).reason, Reason::kLimitExceeded);
}

// ---- finalization ----

TEST(Limits, CallsPerMinuteHoldAfterARestartAndPassLater) {
  Playbook play;
  play.Call("c1", "in.read_few", kRead);
  play.Advance(absl::Seconds(40));
  play.Call("c2", "in.read_few", kRead);
  play.CommitAll();
  play.Crash();
  StreamId stream = play.Call("c3", "in.read_few", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).reason, Reason::kLimitExceeded);
  EXPECT_TRUE(play.replies.at(stream).retry);
  play.Advance(absl::Seconds(20));
  stream = play.Call("c4", "in.read_few", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).verdict, Verdict::kAllow) << "c1 is a minute ago";
  stream = play.Call("c5", "in.read_few", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).reason, Reason::kLimitExceeded);
}

TEST(Limits, WhatDoesNotComeBackIsNotKept) {
  Playbook play;
  const StreamId stream = play.Call("c1", "in.read_part", kRead);
  play.CommitAll();
  // `number` is what the backend answers, and `a` what may come back.
  EXPECT_EQ(play.replies.at(stream).result,
            R"({"content":[{"type":"text","text":"{}"}],"structuredContent":{}})");
  EXPECT_EQ(play.durable.back().payload, play.replies.at(stream).result);
}

TEST(Sensitive, ArgumentsAreNotKeptAndTheCallIsKnownAgain) {
  Playbook play;
  const char* const arguments = R"({"id":"r1","text":"hunter22"})";
  StreamId stream = play.Call("c1", "in.write_secret", arguments);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).reason, Reason::kPermitted);
  const absl::StatusOr<Decided> decided = DecodeDecided(play.durable.front());
  ASSERT_TRUE(decided.ok());
  EXPECT_EQ(decided->arguments_size, 29);
  ASSERT_THAT(decided->withheld, SizeIs(1));
  EXPECT_EQ(decided->withheld[0].pointer, "/text");
  EXPECT_THAT(decided->withheld[0].holds, ElementsAre("type", "maxLength", "pattern"));
  for (const char* state : {"before", "after a restart"}) {
    stream = play.Call("c1", "in.write_secret", arguments);
    EXPECT_TRUE(play.recorded.contains(stream)) << state;
    play.Crash();
  }
  // Of a denied call neither, nor what was found; of what is no call, nothing.
  play.Call("c2", "in.write_secret", R"({"id":"r1","text":"jackpot777"})");
  play.Malformed("bad");
  play.CommitAll();
  const absl::StatusOr<Decided> denied = DecodeDecided(play.durable[2]);
  ASSERT_TRUE(denied.ok());
  EXPECT_EQ(denied->decision.reason, Reason::kArgumentRefused);
  ASSERT_THAT(denied->withheld, SizeIs(1));
  EXPECT_THAT(denied->withheld[0].fails, ElementsAre("maxLength", "pattern"));
  for (const call::Record& record : play.durable) {
    for (const char* secret : {"hunter22", "jackpot777", "{bad"}) {
      EXPECT_EQ(absl::StrCat(record.body, record.payload).find(secret), std::string::npos)
          << record.body;
    }
  }
}

TEST(Sensitive, WhatMissesItsPlaceIsNotKeptEither) {
  Playbook play;
  const struct {
    const char* tool;
    const char* arguments;
    const char* kept;
  } kRows[] = {
      {"in.write_secret", R"({"id":"r1","txet":"hunter22"})", R"({"id":"r1"})"},
      {"in.write_secret", R"({"id":{"x":1},"text":["hunter22"]})", R"("id":{"x":1})"},
      {"in.write_sceret", R"({"id":"r1","text":"hunter22"})", "{}"},
      {"in.write_it", R"({"id":"r1","note":"hunter22"})", R"({"id":"r1"})"},
  };
  size_t at = 0;
  for (const auto& row : kRows) {
    play.Call(absl::StrCat("c", at), row.tool, row.arguments);
    play.CommitAll();
    const absl::StatusOr<Decided> decided = DecodeDecided(play.durable[at++]);
    ASSERT_TRUE(decided.ok());
    EXPECT_EQ(decided->decision.verdict, Verdict::kDeny) << row.arguments;
    EXPECT_NE(decided->arguments.find(row.kept), std::string::npos) << decided->arguments;
    EXPECT_FALSE(decided->withheld.empty()) << row.arguments;
    EXPECT_EQ(absl::StrCat(play.durable[at - 1].body, play.durable[at - 1].payload).find("hunter"),
              std::string::npos)
        << row.arguments;
  }
}

TEST(Sensitive, ALaterResultThatSaysItAgainIsNotKept) {
  Playbook play;
  play.Call("c1", "in.write_secret", R"({"id":"r1","text":"hunter22"})");
  play.CommitAll();
  const auto result_of = [&play](const char* id, const char* text) {
    play.Call(id, "out.read_it", kRead);
    play.CommitAll();
    call::Outcome outcome;
    outcome.kind = OutcomeKind::kOk;
    outcome.result = absl::StrCat(R"({"content":[{"type":"text","text":")", text, R"("}]})");
    play.Give(BackendReplied{play.dispatched.back().number, outcome});
    play.CommitAll();
    return DecodeSettled(play.durable.back())->outcome.result;
  };
  EXPECT_NE(result_of("c2", "all is well").find("all is well"), std::string::npos);
  EXPECT_EQ(result_of("c3", "it was hunter22").find("hunter22"), std::string::npos);
  play.Crash();
  EXPECT_EQ(result_of("c4", "all is well").find("all is well"), std::string::npos)
      << "after a restart nobody knows the values";
}

TEST(Sensitive, AResultIsAnsweredAndNotKept) {
  Playbook play;
  const StreamId stream = play.Call("c1", "out.read_secret", kRead);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_NE(play.replies.at(stream).result.find(R"("number":1)"), std::string::npos);
  const absl::StatusOr<Settled> settled = DecodeSettled(play.durable.back());
  ASSERT_TRUE(settled.ok());
  EXPECT_EQ(settled->result_size, play.replies.at(stream).result.size());
  ASSERT_THAT(settled->withheld, SizeIs(1));
  EXPECT_EQ(settled->withheld[0].pointer, "/number");
  EXPECT_EQ(settled->outcome.result.find(R"("number":1)"), std::string::npos);
}

TEST(Limits, AMarkHoldsAfterARestart) {
  Playbook play;
  StreamId stream = play.Call("c1", "in.write_clean", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).verdict, Verdict::kAllow);
  play.Call("c2", "in.read_few", kRead);
  play.CommitAll();
  play.Crash();
  stream = play.Call("c3", "in.write_clean", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).reason, Reason::kMarked);
}

TEST(Finalize, WithNothingInFlightIsOneCommit) {
  Playbook play;
  const StreamId stream = play.Call("f", "in.finalize_it", kWrite);
  ASSERT_THAT(play.commits, SizeIs(1));
  EXPECT_THAT(play.KindsOf(play.commits[0]),
              ElementsAre("decided", "sealing", "submitting", "outcome", "accepted"));
  play.CommitAll();
  EXPECT_EQ(play.replies.at(stream).verdict, Verdict::kAllow);
  EXPECT_EQ(play.run->result(), Result::kAccepted);
  EXPECT_EQ(play.run->access(), Access::kReadOnly);
}

TEST(Finalize, AfterItWritesAreRefusedAndReadsPermitted) {
  Playbook play;
  play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  const StreamId write = play.Call("w", "in.write_it", kWrite);
  const StreamId read = play.Call("r", "in.read_it", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(write).reason, Reason::kRunFinal);
  EXPECT_EQ(play.replies.at(read).verdict, Verdict::kAllow);
}

TEST(Finalize, WaitsForWritesInFlightAndRefusesNewOnes) {
  Playbook play;
  play.Call("w1", "out.write_it", kWrite);
  play.CommitAll();
  const StreamId finalize = play.Call("f", "in.finalize_it", kWrite);
  const StreamId late = play.Call("w2", "in.write_it", kOther);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(late).reason, Reason::kRunSealing);
  EXPECT_TRUE(play.replies.at(late).retry);
  EXPECT_THAT(play.dispatched, SizeIs(1)) << "not submitted while a write is in flight";
  play.Answer(1, OutcomeKind::kOk);
  EXPECT_THAT(play.dispatched, SizeIs(1)) << "nor before its outcome is durable";
  play.CommitAll();
  EXPECT_THAT(play.dispatched, SizeIs(2));
  EXPECT_EQ(play.replies.at(finalize).verdict, Verdict::kAllow);
}

TEST(Finalize, DefinitelyRefusedLeavesTheRunOpenOnceThatIsDurable) {
  Playbook play;
  play.inside_answers = OutcomeKind::kRefused;
  play.Call("f", "in.finalize_it", kWrite);
  play.inside_answers = OutcomeKind::kOk;
  const StreamId early = play.Call("w1", "in.write_it", kWrite);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(early).reason, Reason::kRunSealing) << "not durable yet";
  const StreamId late = play.Call("w2", "in.write_it", kWrite);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(late).verdict, Verdict::kAllow);
  EXPECT_EQ(play.run->result(), Result::kNone);
}

TEST(Finalize, OfUnknownFateIsNeverOpenAgain) {
  Playbook play;
  play.inside_answers = OutcomeKind::kUnknown;
  play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  play.Crash();
  EXPECT_EQ(play.run->result(), Result::kUnknown);
  const StreamId write = play.Call("w", "in.write_it", kWrite);
  const StreamId again = play.Call("f2", "in.finalize_it", kWrite);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(write).reason, Reason::kRunFinal);
  EXPECT_EQ(play.replies.at(again).reason, Reason::kRunFinal);
  EXPECT_THAT(play.dispatched, IsEmpty());
}

TEST(Finalize, SecondWithTheSameContentGetsTheFirstReceiptAnotherIsRefused) {
  Playbook play;
  play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  for (const bool restarted : {false, true}) {
    if (restarted) play.Crash();
    const std::string suffix = restarted ? "r" : "";
    const StreamId same = play.Call("same" + suffix, "in.finalize_it", kWrite);
    const StreamId other = play.Call("other" + suffix, "in.finalize_it", kOther);
    play.CommitAll();
    EXPECT_EQ(play.recorded.at(same).outcome_seq, 5) << restarted;
    EXPECT_EQ(play.recorded.at(same).verdict, Verdict::kAllow) << restarted;
    EXPECT_EQ(play.replies.at(other).reason, Reason::kRunFinal) << restarted;
  }
  EXPECT_THAT(play.dispatched, IsEmpty()) << "the receiver was asked once, before the restart";
}

TEST(Finalize, OneThatThePolicyRefusesChangesNothing) {
  Playbook play;
  play.Call("f", "in.finalize_it", R"({"id":"r1"})");
  play.CommitAll();
  EXPECT_EQ(play.run->access(), Access::kOpen);
  EXPECT_EQ(play.run->result(), Result::kNone);
}

TEST(SealDeadline, StopsWhatCanBeStopped) {
  Playbook play(StopKind::kKillable);
  play.Call("w1", "out.write_it", kWrite);
  play.CommitAll();
  const StreamId finalize = play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  play.Advance(absl::Seconds(31));
  play.Give(TimerFired{Timer::kSealDeadline});
  EXPECT_THAT(play.stopped, ElementsAre(1));
  EXPECT_THAT(play.dispatched, SizeIs(1)) << "stopped first, only then given up on";
  play.Give(BackendStopped{1});
  play.CommitAll();
  EXPECT_EQ(play.replies.at(finalize).verdict, Verdict::kAllow);
  EXPECT_EQ(play.run->result(), Result::kAccepted);
}

TEST(SealDeadline, HoldsTheResultWhenNobodyCanPromise) {
  Playbook play(StopKind::kNone);
  play.Call("w1", "out.write_it", kWrite);
  play.CommitAll();
  const StreamId finalize = play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  play.FireInTime(Timer::kSealDeadline);
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kHeld);
  EXPECT_TRUE(play.replies.contains(finalize));
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_THAT(play.dispatched, SizeIs(1)) << "nothing is submitted later either";
  play.Crash();
  EXPECT_EQ(play.run->result(), Result::kHeld);
}

// ---- the end of a run ----

TEST(End, ExpiryRefusesEverythingAndClosesWithTheCount) {
  Playbook play;
  play.Call("c1", "in.read_it", kRead);
  play.CommitAll();
  play.Advance(absl::Hours(2));
  play.Give(TimerFired{Timer::kExpiry});
  const StreamId late = play.Call("c2", "in.read_it", kRead);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(late).reason, Reason::kRunExpired);
  EXPECT_TRUE(play.finished);
  EXPECT_THAT(play.DurableKinds(),
              ElementsAre("decided", "outcome", "expired", "decided", "cleaned", "closed"));
  const absl::StatusOr<Closed> closed = DecodeClosed(play.durable.back());
  ASSERT_TRUE(closed.ok());
  EXPECT_EQ(closed->records, play.durable.size() + 1) << "run_opened included";
  EXPECT_EQ(closed->tally.allowed, 1);
  EXPECT_EQ(closed->tally.denied, 1);
}

// The timer of a machine that was asleep is late; the clock is not.
TEST(End, ACallAfterTheTimeIsRefusedWithoutTheTimer) {
  Playbook play;
  play.Advance(absl::Hours(2));
  const StreamId late = play.Call("c1", "in.write_it", kWrite);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(late).reason, Reason::kRunExpired);
  EXPECT_THAT(play.dispatched, ElementsAre());
  EXPECT_TRUE(play.finished);
  EXPECT_THAT(play.DurableKinds(), ElementsAre("expired", "decided", "cleaned", "closed"));
}

TEST(End, ExpiryTimerThatFiresEarlyIsSetAgain) {
  Playbook play;
  play.Give(TimerFired{Timer::kExpiry});
  EXPECT_EQ(play.run->access(), Access::kOpen);
  EXPECT_TRUE(play.timers.contains(Timer::kExpiry));
}

TEST(End, ClosingWaitsForWhatIsInFlight) {
  Playbook play;
  play.Call("w1", "out.write_it", kWrite);
  play.CommitAll();
  play.Give(CloseAsked{"uid:0", "done"});
  play.CommitAll();
  EXPECT_FALSE(play.finished);
  EXPECT_THAT(play.cancelled, ElementsAre(1));
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_TRUE(play.finished);
  EXPECT_EQ(DecodeClosed(play.durable.back())->why, "done");
}

TEST(End, AWriteWhoseDecisionWasNotDurableBeforeTheEndIsNotSent) {
  Playbook play;
  play.Call("w1", "out.write_it", kWrite);
  play.Give(CloseAsked{"uid:0", "", true});
  play.CommitAll();
  EXPECT_THAT(play.dispatched, IsEmpty());
  EXPECT_TRUE(play.finished);
}

TEST(End, ClosingWhileSealingSubmitsNothing) {
  Playbook play;
  play.Call("w1", "out.write_it", kWrite);
  play.CommitAll();
  play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  play.Give(CloseAsked{"uid:0", "stop"});
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_THAT(play.dispatched, SizeIs(1));
  EXPECT_TRUE(play.finished);
}

// ---- failure and recovery ----

// A new call on a full disk made the outcome of each write in flight unknown.
TEST(NoRoom, ForANewCallLeavesAloneWhatIsInFlight) {
  Playbook play;
  const StreamId first = play.Call("w", "out.write_it", R"({"id":"r1","text":"a"})");
  play.CommitAll();
  play.no_room = true;
  const StreamId refused = play.Call("x", "out.write_it", R"({"id":"r1","text":"b"})");
  const StreamId malformed = play.Malformed("no call");
  for (const StreamId stream : {refused, malformed}) {
    EXPECT_EQ(play.replies.at(stream).reason, Reason::kUndecided);
    EXPECT_EQ(play.replies.at(stream).number, 0u) << "it is not on record";
    EXPECT_TRUE(play.replies.at(stream).retry);
  }
  EXPECT_TRUE(play.commits.empty());
  EXPECT_EQ(play.run->tally().all(), 1u);

  const StreamId attached = play.Call("w", "out.write_it", R"({"id":"r1","text":"a"})");
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_EQ(play.replies.at(first).verdict, Verdict::kAllow);
  EXPECT_EQ(play.replies.at(attached).verdict, Verdict::kAllow);
  const StreamId again = play.Call("w", "out.write_it", R"({"id":"r1","text":"a"})");
  EXPECT_EQ(play.recorded.at(again).number, 1u) << "what is on record is answered";

  play.no_room = false;
  play.Call("x", "out.write_it", R"({"id":"r1","text":"b"})");
  play.CommitAll();
  EXPECT_EQ(play.Dispatched().back(), "out.write_it#2") << "the id was not used up";
}

TEST(Failure, OfACommitDeniesWithoutARecordUntilRestored) {
  Playbook play;
  const StreamId first = play.Call("c1", "in.write_it", kWrite);
  const StreamId second = play.Call("c2", "in.write_it", kOther);
  play.FailNext();
  EXPECT_TRUE(play.run->broken());
  EXPECT_EQ(play.replies.at(first).reason, Reason::kUndecided);
  EXPECT_EQ(play.replies.at(first).number, 0) << "on no record";
  EXPECT_EQ(play.replies.at(second).reason, Reason::kUndecided);
  const StreamId later = play.Call("c3", "in.read_it", kRead);
  EXPECT_EQ(play.replies.at(later).reason, Reason::kUndecided);
  EXPECT_THAT(play.durable, IsEmpty());
}

TEST(Recovery, SettlesAnIntentOutsideAsUnknownAndNeverSendsItAgain) {
  Playbook play;
  play.Call("w1", "out.write_it", kWrite);
  play.CommitNext();
  play.Crash();
  play.CommitAll();
  EXPECT_THAT(play.dispatched, IsEmpty());
  EXPECT_EQ(DecodeSettled(play.durable.back())->outcome.kind, OutcomeKind::kUnknown);
  const StreamId again = play.Call("w1", "out.write_it", kWrite);
  EXPECT_TRUE(play.recorded.contains(again));
}

TEST(Recovery, GoesOnSealing) {
  Playbook play(StopKind::kKillable);
  play.Call("w1", "out.write_it", kWrite);
  play.CommitAll();
  play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  play.Crash();  // takes the killable backend with it
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kAccepted);
  EXPECT_THAT(play.Dispatched(), ElementsAre("in.finalize_it#2"));
}

TEST(Recovery, HoldsASealWithAnIntentThatMayStillAct) {
  Playbook play(StopKind::kNone);
  play.Call("w1", "out.write_it", kWrite);
  play.CommitAll();
  play.Call("f", "in.finalize_it", kWrite);
  play.CommitAll();
  play.Crash();
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kHeld);
  EXPECT_THAT(play.dispatched, IsEmpty());
}

TEST(Preview, DecidesWithoutARecord) {
  Playbook play;
  call::Call call;
  call.id = "p";
  call.tool = "in.write_it";
  call.arguments = json::MustParse(kWrite);
  call.canonical = kWrite;
  EXPECT_EQ(play.run->Preview(call, nullptr, play.now).verdict, Verdict::kAllow);
  EXPECT_THAT(play.commits, IsEmpty());
  EXPECT_EQ(play.run->tally().all(), 0);
}

}  // namespace
}  // namespace tipstaff::run
