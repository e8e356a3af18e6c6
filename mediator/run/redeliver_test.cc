// A result of unknown fate: what makes it so, and delivering it again.
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

// A result that was sent to a receiver outside the process, and not answered.
void Submit(Playbook& play) {
  play.Finalize("f", kArguments);
  play.CommitAll();
  ASSERT_THAT(play.Dispatched(), ElementsAre("out.finalize_it#1"));
}
size_t Deliveries(const Playbook& play) { return play.dispatched.size(); }

TEST(Submission, OnlyADefiniteRefusalOpensTheRunAgain) {
  struct Row {
    OutcomeKind kind;
    Result outside, inside;
    const char* why;
  };
  for (const Row& row : {
           Row{OutcomeKind::kOk, Result::kAccepted, Result::kAccepted, "accepted"},
           Row{OutcomeKind::kRefused, Result::kNone, Result::kNone, "the receiver's own word"},
           Row{OutcomeKind::kFailed, Result::kNone, Result::kNone, "it never got there"},
           Row{OutcomeKind::kCancelled, Result::kNone, Result::kNone, "nor here"},
           Row{OutcomeKind::kToolError, Result::kUnknown, Result::kNone,
               "outside, the error may be about what came after"},
           Row{OutcomeKind::kStubError, Result::kUnknown, Result::kNone, "a stub is rolled back"},
           Row{OutcomeKind::kUnknown, Result::kUnknown, Result::kUnknown, "nobody knows"},
       }) {
    SCOPED_TRACE(row.why);
    Playbook outside(StopKind::kKillable, Receiver::kPlain);
    Submit(outside);
    outside.Answer(1, row.kind);
    outside.CommitAll();
    EXPECT_EQ(outside.run->result(), row.outside);
    outside.Crash();
    EXPECT_EQ(outside.run->result(), row.outside) << "after a restart";
    Playbook inside;
    inside.inside_answers = row.kind;
    inside.Finalize("f", kArguments);
    inside.CommitAll();
    EXPECT_EQ(inside.run->result(), row.inside);
  }
}

TEST(Submission, HasTheKeyWhereItsToolDeclaresOne) {
  for (const Receiver receiver : {Receiver::kPlain, Receiver::kKeyed}) {
    Playbook play(StopKind::kNone, receiver);
    Submit(play);
    const Playbook::Sent& sent = play.dispatched[0];
    EXPECT_EQ(sent.key.size(), 64u);
    EXPECT_EQ(sent.arguments, receiver == Receiver::kPlain
                                  ? kArguments
                                  : R"({"id":"r1","key":")" + sent.key + R"(","text":"a"})");
    EXPECT_EQ(DecodeDecided(play.durable[0])->arguments, kArguments)
        << "what the guest asked for is what is on record";
  }
}

TEST(Redelivery, HasTheKeyOfTheFirstDelivery) {
  for (const bool crash : {false, true}) {
    SCOPED_TRACE(crash);
    Playbook play(StopKind::kNone, Receiver::kKeyed);
    Submit(play);
    const Playbook::Sent first = play.dispatched[0];
    if (crash) {
      play.Crash();
    } else {
      play.Answer(1, OutcomeKind::kUnknown);
    }
    play.CommitAll();
    EXPECT_EQ(play.run->result(), Result::kUnknown);
    EXPECT_EQ(Deliveries(play), crash ? 0u : 1u) << "only after a pause";
    play.Fire(Timer::kRedelivery);
    play.CommitAll();
    EXPECT_EQ(Deliveries(play), crash ? 0u : 1u);
    play.FireInTime(Timer::kRedelivery);
    EXPECT_EQ(Deliveries(play), crash ? 0u : 1u) << "nor before it is on record";
    play.CommitAll();
    ASSERT_EQ(Deliveries(play), crash ? 1u : 2u);
    EXPECT_EQ(play.dispatched.back().key, first.key);
    EXPECT_EQ(play.dispatched.back().arguments, first.arguments);
    play.Answer(1, OutcomeKind::kOk);
    play.CommitAll();
    EXPECT_EQ(play.run->result(), Result::kAccepted);
    play.Crash();
    EXPECT_EQ(play.run->result(), Result::kAccepted);
    const StreamId same = play.Finalize("f2", kArguments);
    play.CommitAll();
    const uint64_t seq = play.recorded.at(same).outcome_seq;
    EXPECT_EQ(DecodeSettled(play.durable.at(seq - 2))->outcome.kind, OutcomeKind::kOk)
        << "the receipt";
    const StreamId repeated = play.Finalize("f", kArguments);
    EXPECT_EQ(play.recorded.at(repeated).outcome_seq, seq);
  }
}

TEST(Redelivery, NeedsAKeyAndAReceiverOutside) {
  for (const Receiver receiver : {Receiver::kPlain, Receiver::kStub}) {
    Playbook play(StopKind::kNone, receiver);
    play.inside_answers = OutcomeKind::kUnknown;
    play.Finalize("f", kArguments);
    play.CommitAll();
    if (receiver == Receiver::kPlain) play.Answer(1, OutcomeKind::kUnknown);
    play.CommitAll();
    EXPECT_EQ(play.run->result(), Result::kUnknown);
    EXPECT_FALSE(play.timers.contains(Timer::kRedelivery));
    play.Advance(absl::Minutes(5));
    play.Fire(Timer::kRedelivery);
    play.CommitAll();
    EXPECT_EQ(Deliveries(play), 1u);
    play.Crash();
    EXPECT_FALSE(play.timers.contains(Timer::kRedelivery));
  }
}

TEST(Redelivery, ARefusalOfItIsFinal) {
  Playbook play(StopKind::kNone, Receiver::kKeyed);
  Submit(play);
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  play.FireInTime(Timer::kRedelivery);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kRefused);
  play.CommitAll();
  for (const bool restarted : {false, true}) {
    SCOPED_TRACE(restarted);
    if (restarted) play.Crash();
    EXPECT_EQ(play.run->result(), Result::kRefused);
    EXPECT_EQ(play.run->access(), Access::kReadOnly);
    const StreamId late = play.Finalize(restarted ? "f3" : "f2", kOther);
    play.CommitAll();
    EXPECT_EQ(play.replies.at(late).reason, Reason::kRunFinal);
    EXPECT_EQ(play.replies.at(late).detail, "its result was refused for good");
  }
}

// That a second delivery failed says nothing of the first.
TEST(Redelivery, AFailureOfItLeavesTheResultUnknown) {
  for (const OutcomeKind kind :
       {OutcomeKind::kFailed, OutcomeKind::kCancelled, OutcomeKind::kToolError,
        OutcomeKind::kStubError, OutcomeKind::kUnknown}) {
    Playbook play(StopKind::kNone, Receiver::kKeyed);
    Submit(play);
    play.Answer(1, OutcomeKind::kUnknown);
    play.CommitAll();
    play.FireInTime(Timer::kRedelivery);
    play.CommitAll();
    play.Answer(1, kind);
    play.CommitAll();
    EXPECT_EQ(play.run->result(), Result::kUnknown) << call::OutcomeKindName(kind);
    play.Crash();
    EXPECT_EQ(play.run->result(), Result::kUnknown) << call::OutcomeKindName(kind);
  }
}

TEST(Redelivery, IsTriedSoOftenAtMostCrashesOrNot) {
  for (const bool crash : {false, true}) {
    SCOPED_TRACE(crash);
    Playbook play(StopKind::kNone, Receiver::kKeyed);
    Submit(play);
    size_t again = 0;
    for (int i = 0; i < kMaxRedeliveries + 3; ++i) {
      if (crash) {
        play.Crash();
      } else if (i == 0) {
        play.Answer(1, OutcomeKind::kUnknown);
      } else {
        play.FireInTime(Timer::kRedelivery);  // no answer in time
      }
      play.CommitAll();
      play.Advance(kRedeliveryPause);
      const size_t before = Deliveries(play);
      play.Fire(Timer::kRedelivery);
      play.CommitAll();
      again += Deliveries(play) - before;
    }
    EXPECT_EQ(again, static_cast<size_t>(kMaxRedeliveries));
    EXPECT_EQ(play.run->result(), Result::kUnknown);
  }
}

TEST(Redelivery, ALateAnswerAfterItsTimeIsNotTakenForTheNextOnes) {
  Playbook play(StopKind::kNone, Receiver::kKeyed);
  Submit(play);
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  play.FireInTime(Timer::kRedelivery);
  play.CommitAll();
  play.FireInTime(Timer::kRedelivery);  // no answer in time
  EXPECT_THAT(play.cancelled, ElementsAre(1));
  play.CommitAll();
  play.Answer(1, OutcomeKind::kRefused);
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kUnknown);
}

TEST(Redelivery, EndsWithTheRun) {
  for (const bool committing : {false, true}) {
    Playbook play(StopKind::kNone, Receiver::kKeyed);
    Submit(play);
    play.Answer(1, OutcomeKind::kUnknown);
    play.CommitAll();
    if (committing) play.FireInTime(Timer::kRedelivery);
    play.Give(CloseAsked{"uid:0", "stop"});
    play.CommitAll();
    EXPECT_TRUE(play.finished);
    EXPECT_EQ(Deliveries(play), 1u);
    EXPECT_EQ(DecodeClosed(play.durable.back())->result, "unknown");
  }
}

TEST(Redelivery, MeanwhileARepeatedCallWaitsForIt) {
  Playbook play(StopKind::kNone, Receiver::kKeyed);
  Submit(play);
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  play.FireInTime(Timer::kRedelivery);
  play.CommitAll();
  const StreamId same_id = play.Finalize("f", kArguments);
  const StreamId same = play.Finalize("f2", kArguments);
  const StreamId other = play.Finalize("f3", kOther);
  play.CommitAll();
  EXPECT_FALSE(play.replies.contains(same_id));
  EXPECT_EQ(play.replies.at(same).detail,
            "this result was sent, and what became of it is not known");
  EXPECT_EQ(play.replies.at(other).detail, "what became of its result is not known");
  play.Answer(1, OutcomeKind::kOk);
  play.CommitAll();
  EXPECT_THAT(play.replies.at(same_id).result, HasSubstr(R"("number":1)"));
}

// A refused submission that is made anew is another one: a receiver that keeps answers by key
// would only repeat its refusal.
TEST(Redelivery, IsNotWhatFollowsADefiniteRefusal) {
  Playbook play(StopKind::kNone, Receiver::kKeyed);
  Submit(play);
  play.Answer(1, OutcomeKind::kRefused);
  play.CommitAll();
  EXPECT_FALSE(play.timers.contains(Timer::kRedelivery));
  play.Finalize("f2", kArguments);
  play.CommitAll();
  ASSERT_EQ(Deliveries(play), 2u);
  EXPECT_NE(play.dispatched[1].key, play.dispatched[0].key);
}

}  // namespace
}  // namespace tipstaff::run
