// What a person says of a result that is held or unknown.
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

constexpr Resolution kAll[] = {Resolution::kOver, Resolution::kAbandoned, Resolution::kAccepted,
                               Resolution::kRefused};

// A write nobody knows anything about, and a finalize: the result is held.
void MakeHeld(Playbook& play, bool answered) {
  play.Call("w", "out.write_it", kArguments);
  play.CommitAll();
  if (answered) play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  play.Finalize("f", kArguments);
  play.CommitAll();
  if (!answered) play.FireInTime(Timer::kSealDeadline);
  play.CommitAll();
  ASSERT_EQ(play.run->result(), Result::kHeld);
}
void MakeUnknown(Playbook& play) {
  play.Finalize("f", kArguments);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  ASSERT_EQ(play.run->result(), Result::kUnknown);
}

TEST(Resolve, OverOpensTheRunAndTheGuestMayFinalizeAgain) {
  for (const bool answered : {true, false}) {
    for (const bool restarted : {false, true}) {
      SCOPED_TRACE(absl::StrCat(answered, restarted));
      Playbook play;
      MakeHeld(play, answered);
      const uint64_t request = play.Resolve(Resolution::kOver);
      EXPECT_FALSE(play.resolved.contains(request)) << "not before it is durable";
      EXPECT_EQ(play.run->access(), Access::kReadOnly);
      play.CommitAll();
      EXPECT_TRUE(play.resolved.at(request).ok());
      if (restarted) play.Crash();
      EXPECT_EQ(play.run->result(), Result::kNone);
      EXPECT_EQ(play.run->access(), Access::kOpen);
      EXPECT_EQ(play.run->in_flight(), 0u);
      EXPECT_THAT(play.run->MayStillAct(), IsEmpty());
      play.Call("w2", "in.write_it", kArguments);
      play.Finalize("f2", kArguments);
      play.CommitAll();
      EXPECT_EQ(play.run->result(), Result::kAccepted);
    }
  }
}

TEST(Resolve, AWriteAfterThatIsWaitedForAsAnyOther) {
  Playbook play;
  MakeHeld(play, true);
  play.Resolve(Resolution::kOver);
  play.CommitAll();
  play.Call("w2", "out.write_it", kArguments);
  play.CommitAll();
  play.Answer(3, OutcomeKind::kUnknown);
  play.CommitAll();
  play.Finalize("f2", kArguments);
  play.CommitAll();
  EXPECT_EQ(play.run->result(), Result::kHeld);
  EXPECT_THAT(play.run->MayStillAct(), ElementsAre(3));
}

TEST(Resolve, AbandonedIsFinal) {
  Playbook play;
  MakeHeld(play, true);
  const uint64_t request = play.Resolve(Resolution::kAbandoned);
  play.CommitAll();
  EXPECT_TRUE(play.resolved.at(request).ok());
  for (const bool restarted : {false, true}) {
    if (restarted) play.Crash();
    EXPECT_EQ(play.run->result(), Result::kRefused);
    EXPECT_EQ(play.run->access(), Access::kReadOnly);
    EXPECT_THAT(play.run->MayStillAct(), ElementsAre(1)) << "it was not said to be over";
    for (const Resolution as : kAll) {
      EXPECT_EQ(play.resolved.at(play.Resolve(as)).code(), absl::StatusCode::kFailedPrecondition);
    }
  }
}

TEST(Resolve, AnUnknownResultIsWhatThePersonSays) {
  for (const bool accepted : {true, false}) {
    SCOPED_TRACE(accepted);
    Playbook play(StopKind::kNone, Receiver::kPlain);
    MakeUnknown(play);
    const uint64_t request = play.Resolve(accepted ? Resolution::kAccepted : Resolution::kRefused);
    play.CommitAll();
    EXPECT_TRUE(play.resolved.at(request).ok());
    for (const bool restarted : {false, true}) {
      SCOPED_TRACE(restarted);
      if (restarted) play.Crash();
      EXPECT_EQ(play.run->result(), accepted ? Result::kAccepted : Result::kRefused);
      // A guest that asks again, by the same call or with the same content.
      const StreamId repeated = play.Finalize("f", kArguments);
      const uint64_t seq = play.recorded.at(repeated).outcome_seq;
      EXPECT_THAT(DecodeSettled(play.durable.at(seq - 2))->outcome.result,
                  HasSubstr("an operator says"));
      const StreamId same = play.Finalize(restarted ? "f3" : "f2", kArguments);
      play.CommitAll();
      if (accepted) {
        EXPECT_EQ(play.recorded.at(same).outcome_seq, seq);
      } else {
        EXPECT_EQ(play.replies.at(same).reason, Reason::kRunFinal);
      }
      const StreamId other = play.Finalize(restarted ? "g3" : "g2", kOther);
      play.CommitAll();
      EXPECT_EQ(play.replies.at(other).reason, Reason::kRunFinal);
    }
    const absl::StatusOr<Resolved> resolved = [&]() -> absl::StatusOr<Resolved> {
      for (const call::Record& record : play.durable) {
        if (record.kind == call::RecordKind::kResolved) return DecodeResolved(record);
      }
      return absl::NotFoundError("no record");
    }();
    ASSERT_TRUE(resolved.ok());
    EXPECT_EQ(resolved->by, "uid:0");
    EXPECT_EQ(resolved->why, "looked");
    EXPECT_EQ(resolved->number, 1u);
  }
}

TEST(Resolve, WhatDoesNotFitIsRefusedWithTheReason) {
  Playbook open;
  for (const Resolution as : kAll) {
    const absl::Status status = open.resolved.at(open.Resolve(as));
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("the result is none"));
  }
  Playbook held;
  MakeHeld(held, true);
  EXPECT_THAT(std::string(held.resolved.at(held.Resolve(Resolution::kAccepted)).message()),
              HasSubstr("the result is held: `accepted` is said of one that is unknown"));
  Playbook unknown(StopKind::kNone, Receiver::kPlain);
  MakeUnknown(unknown);
  EXPECT_THAT(std::string(unknown.resolved.at(unknown.Resolve(Resolution::kOver)).message()),
              HasSubstr("the result is unknown: `over` is said of one that is held"));
  EXPECT_THAT(held.commits, IsEmpty());
  EXPECT_THAT(unknown.commits, IsEmpty());
}

TEST(Resolve, NotBeforeTheHoldIsOnRecordAndOnlyOnce) {
  Playbook play;
  play.Call("w", "out.write_it", kArguments);
  play.CommitAll();
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  play.Finalize("f", kArguments);
  EXPECT_FALSE(play.resolved.at(play.Resolve(Resolution::kOver)).ok());
  play.CommitAll();
  const uint64_t first = play.Resolve(Resolution::kOver);
  const uint64_t second = play.Resolve(Resolution::kAbandoned);
  EXPECT_FALSE(play.resolved.at(second).ok());
  play.CommitAll();
  EXPECT_TRUE(play.resolved.at(first).ok());
  EXPECT_EQ(play.run->result(), Result::kNone);
}

TEST(Resolve, WaitsForARedeliveryAndEndsThem) {
  Playbook play(StopKind::kNone, Receiver::kKeyed);
  MakeUnknown(play);
  play.FireInTime(Timer::kRedelivery);
  play.CommitAll();
  EXPECT_THAT(std::string(play.resolved.at(play.Resolve(Resolution::kAccepted)).message()),
              HasSubstr("is being delivered again"));
  play.Answer(1, OutcomeKind::kUnknown);
  play.CommitAll();
  const uint64_t request = play.Resolve(Resolution::kRefused);
  play.FireInTime(Timer::kRedelivery);
  play.CommitAll();
  EXPECT_TRUE(play.resolved.at(request).ok());
  EXPECT_EQ(play.dispatched.size(), 2u);
  EXPECT_EQ(play.run->result(), Result::kRefused);
}

TEST(Resolve, ACrashBeforeItIsDurableLeavesTheResultHeld) {
  Playbook play;
  MakeHeld(play, false);
  play.Resolve(Resolution::kOver);
  play.CommitNext();  // the write is given up on
  play.Crash();
  EXPECT_EQ(play.run->result(), Result::kHeld);
  EXPECT_THAT(play.run->MayStillAct(), ElementsAre(1));
  play.Resolve(Resolution::kOver);
  play.CommitAll();
  EXPECT_EQ(play.run->access(), Access::kOpen);
}

TEST(Resolve, DoesNotOpenARunThatIsOver) {
  Playbook play;
  MakeHeld(play, false);
  play.Give(CloseAsked{"uid:0", "stop"});
  play.Resolve(Resolution::kOver);
  play.CommitAll();
  EXPECT_EQ(play.run->access(), Access::kClosed);
  EXPECT_TRUE(play.finished);
  EXPECT_FALSE(play.resolved.at(play.Resolve(Resolution::kOver)).ok());
}

}  // namespace
}  // namespace tipstaff::run
