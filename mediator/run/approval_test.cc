// Calls that wait for a person: bound to tool and arguments, used once, void after the result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/run/limits.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::run {
namespace {

using call::Reason;
using call::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kA[] = R"({"id":"r1","text":"a"})";
constexpr char kB[] = R"({"id":"r1","text":"b"})";

class ApprovalTest : public ::testing::Test {
 protected:
  // The answer, once it is durable. An allowed call is left with its backend.
  struct Told {
    Verdict verdict;
    Reason reason;
    std::string detail;
    uint64_t number;
  };
  Told Ask(const char* arguments = kA, const std::string& tool = "out.write_asked") {
    const StreamId stream = play_.Call(absl::StrCat("c", ++ids_), tool, arguments);
    play_.CommitAll();
    const auto it = play_.replies.find(stream);
    if (it == play_.replies.end()) return {Verdict::kAllow, Reason::kPermitted, "", 0};
    return {it->second.verdict, it->second.reason, it->second.detail, it->second.number};
  }
  absl::Status Say(uint64_t number, bool approves = true) {
    const uint64_t request = play_.Approve(number, approves);
    play_.CommitAll();
    return play_.resolved.at(request);
  }
  std::vector<uint64_t> Waiting() {
    std::vector<uint64_t> numbers;
    for (const HeldCall& held : play_.run->HeldCalls(play_.now)) numbers.push_back(held.number);
    return numbers;
  }
  uint64_t Hold(const char* arguments = kA) {
    const Told told = Ask(arguments);
    EXPECT_EQ(told.verdict, Verdict::kHold);
    EXPECT_EQ(told.reason, Reason::kApprovalPending);
    return told.number;
  }

  Playbook play_;
  int ids_ = 0;
};

TEST_F(ApprovalTest, AnApprovedCallActsOnceWhenItIsAskedAgain) {
  const uint64_t held = Hold();
  EXPECT_THAT(Waiting(), ElementsAre(held));
  EXPECT_THAT(play_.Dispatched(), IsEmpty());
  EXPECT_TRUE(Say(held).ok());
  EXPECT_THAT(Waiting(), IsEmpty());
  EXPECT_THAT(play_.Dispatched(), IsEmpty()) << "the guest has to ask again";
  EXPECT_EQ(Ask().verdict, Verdict::kAllow);
  EXPECT_THAT(play_.Dispatched(), ElementsAre("out.write_asked#2"));
  const Decided decided = *DecodeDecided(play_.durable[2]);
  EXPECT_EQ(decided.approval, held);
  EXPECT_EQ(Ask().verdict, Verdict::kHold) << "the approval is used up";
  EXPECT_THAT(play_.Dispatched(), ElementsAre("out.write_asked#2"));
}

TEST_F(ApprovalTest, ACallThatWaitsIsCountedAsHeld) {
  EXPECT_TRUE(Say(Hold()).ok());
  EXPECT_EQ(Ask().verdict, Verdict::kAllow);
  Hold();
  Ask(kA, "out.no_such");
  const auto expect_counts = [this] {
    EXPECT_EQ(play_.run->tally().allowed, 1);
    EXPECT_EQ(play_.run->tally().held, 2);
    EXPECT_EQ(play_.run->tally().denied, 1);
  };
  expect_counts();
  play_.Crash();
  expect_counts();
}

TEST_F(ApprovalTest, IsOfTheseArgumentsAndThisTool) {
  const uint64_t held = Hold(kA);
  EXPECT_TRUE(Say(held).ok());
  EXPECT_EQ(Ask(kB).verdict, Verdict::kHold);
  EXPECT_EQ(Ask(kA).verdict, Verdict::kAllow);
}

TEST_F(ApprovalTest, ACallThatIsAskedAgainWaitsAsTheFirstOne) {
  const uint64_t held = Hold();
  const Told again = Ask();
  EXPECT_EQ(again.verdict, Verdict::kHold);
  EXPECT_THAT(again.detail, HasSubstr(absl::StrCat("run_play#", held)));
  EXPECT_THAT(Waiting(), ElementsAre(held));
}

TEST_F(ApprovalTest, ARefusalStays) {
  const uint64_t held = Hold();
  EXPECT_TRUE(Say(held, /*approves=*/false).ok());
  for (int i = 0; i < 2; ++i) {
    const Told told = Ask();
    EXPECT_EQ(told.verdict, Verdict::kDeny);
    EXPECT_EQ(told.reason, Reason::kApprovalDenied);
  }
  EXPECT_FALSE(Say(held).ok());
  play_.Crash();
  EXPECT_EQ(Ask().reason, Reason::kApprovalDenied);
}

TEST_F(ApprovalTest, NobodyWaitsForEver) {
  const uint64_t held = Hold();
  play_.Advance(absl::Minutes(10));
  EXPECT_THAT(Waiting(), IsEmpty());
  EXPECT_THAT(Say(held).message(), HasSubstr("its time is over"));
  EXPECT_EQ(Ask().reason, Reason::kApprovalExpired);
  EXPECT_EQ(Ask().verdict, Verdict::kHold) << "it may be asked anew";
}

TEST_F(ApprovalTest, AnApprovalThatIsNotUsedExpires) {
  const uint64_t held = Hold();
  play_.Advance(absl::Minutes(9));
  EXPECT_TRUE(Say(held).ok());
  play_.Advance(absl::Minutes(10));
  EXPECT_EQ(Ask().reason, Reason::kApprovalExpired);
  EXPECT_THAT(play_.Dispatched(), IsEmpty());
}

TEST_F(ApprovalTest, AFinalizeVoidsWhatWaitsAndWhatWasApproved) {
  const uint64_t approved = Hold(kA), waiting = Hold(kB);
  EXPECT_TRUE(Say(approved).ok());
  play_.inside_answers = call::OutcomeKind::kRefused;
  play_.Finalize("f", kA);
  play_.CommitAll();
  EXPECT_EQ(play_.run->access(), Access::kOpen) << "the receiver refused";
  EXPECT_THAT(Waiting(), IsEmpty());
  EXPECT_FALSE(Say(waiting).ok());
  EXPECT_EQ(Ask(kA).verdict, Verdict::kHold);
  play_.Crash();
  EXPECT_EQ(Ask(kA).verdict, Verdict::kHold) << "the ledger says so, too";
  EXPECT_THAT(play_.Dispatched(), IsEmpty());
}

TEST_F(ApprovalTest, TheEndOfTheRunVoidsIt) {
  const uint64_t held = Hold();
  play_.Give(CloseAsked{"uid:0", "why"});
  play_.CommitAll();
  EXPECT_THAT(Say(held).message(), HasSubstr("closed"));
  EXPECT_EQ(Ask().reason, Reason::kRunClosed);
}

TEST_F(ApprovalTest, IsDecidedAnewWhenItIsUsed) {
  const uint64_t held = Hold();
  EXPECT_TRUE(Say(held).ok());
  play_.inside_answers = call::OutcomeKind::kOk;
  play_.Finalize("f", kA);
  play_.CommitAll();
  EXPECT_EQ(Ask().reason, Reason::kRunFinal) << "whatever was approved before";
}

TEST_F(ApprovalTest, SurvivesACrashAsFarAsItIsOnRecord) {
  const uint64_t held = Hold();
  play_.Crash();
  EXPECT_THAT(Waiting(), ElementsAre(held));
  play_.Approve(held);
  play_.Crash();  // it was not durable
  EXPECT_THAT(Waiting(), ElementsAre(held));
  EXPECT_TRUE(Say(held).ok());
  play_.Crash();
  EXPECT_EQ(Ask().verdict, Verdict::kAllow);
  play_.Crash();
  EXPECT_EQ(Ask().verdict, Verdict::kHold) << "used up, before the crash";
}

TEST_F(ApprovalTest, IsNotUsedBeforeItIsDurable) {
  const uint64_t held = Hold();
  const uint64_t request = play_.Approve(held);
  EXPECT_FALSE(play_.resolved.contains(request));
  const StreamId stream = play_.Call("early", "out.write_asked", kA);
  EXPECT_THAT(play_.Dispatched(), IsEmpty());
  play_.CommitAll();
  EXPECT_TRUE(play_.resolved.at(request).ok());
  EXPECT_EQ(play_.replies.at(stream).verdict, Verdict::kHold);
}

TEST_F(ApprovalTest, OnlyWhatWaitsIsApproved) {
  EXPECT_FALSE(Say(1).ok());
  Ask(kA, "in.write_it");
  EXPECT_THAT(Say(1).message(), HasSubstr("does not wait for approval"));
  const uint64_t held = Hold();
  play_.Approve(held);
  const uint64_t second = play_.Approve(held, /*approves=*/false);
  play_.CommitAll();
  EXPECT_FALSE(play_.resolved.at(second).ok()) << "one person at a time";
}

TEST_F(ApprovalTest, OnlySoManyWait) {
  for (int i = 0; i < kMaxHeldCalls; ++i) {
    const std::string arguments = absl::StrCat(R"({"id":"r1","text":"t)", i, R"("})");
    Hold(arguments.c_str());
  }
  const Told more = Ask(R"({"id":"r1","text":"more"})");
  EXPECT_EQ(more.reason, Reason::kLimitExceeded);
  play_.Advance(absl::Minutes(10));
  EXPECT_EQ(Ask(R"({"id":"r1","text":"more"})").verdict, Verdict::kHold);
}

}  // namespace
}  // namespace tipstaff::run
