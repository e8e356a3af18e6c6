#include "mediator/host/stub_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/backend/lost_backend.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kRun = "run_aaaaaaaaaaaa";
const std::string kChanges = R"({"t":[{"key":"a","op":"insert","row":{"id":"a"}}]})";
const std::string kResult = R"({"content":[]})";

// Answers every call with the same.
class Stub final : public backend::Backend {
 public:
  Stub(std::vector<uint64_t>& made, call::Outcome outcome)
      : made_(made), outcome_(std::move(outcome)) {}
  run::StopKind stop_kind() const override { return run::StopKind::kInProcess; }
  void Call(const backend::Request&, Done) override { FAIL() << "a call is made, not made again"; }
  call::Outcome MakeAgain(const backend::Request& request, call::OutcomeKind) override {
    made_.push_back(request.number);
    return outcome_;
  }
  void Cancel(uint64_t) override {}
  void Stop(uint64_t, Stopped) override {}

 private:
  std::vector<uint64_t>& made_;
  const call::Outcome outcome_;
};

call::Outcome OutcomeOf(call::OutcomeKind kind, const std::string& changes = kChanges,
                        const std::string& result = kResult) {
  call::Outcome outcome;
  outcome.kind = kind;
  outcome.changes = changes;
  outcome.result = result;
  return outcome;
}

class StubCallsTest : public ::testing::Test {
 protected:
  StubCallsTest() {
    backends_["in"] =
        std::make_unique<Stub>(made_, OutcomeOf(call::OutcomeKind::kOk, kChanges, kResult));
  }

  // A call as it is on record, its outcome last.
  absl::Status Take(uint64_t number, const std::string& tool, call::Outcome outcome,
                    std::vector<run::Withheld> withheld = {}, bool changes_withheld = false) {
    run::Decided decided{.number = number, .call_id = absl::StrCat("c", number), .tool = tool};
    decided.decision = {
        .verdict = call::Verdict::kAllow, .skill = "play", .permission = "write-in"};
    decided.arguments = R"({"id":"r1"})";
    decided.withheld = std::move(withheld);
    if (absl::Status status = calls_.Take(run::EncodeDecided(decided)); !status.ok()) return status;
    run::Settled settled{.number = number, .outcome = std::move(outcome)};
    settled.changes_withheld = changes_withheld;
    return calls_.Take(run::EncodeSettled(settled));
  }

  std::vector<uint64_t> made_;
  backend::Backends backends_;
  const std::shared_ptr<const policy::Grant> grant_ = run::PlayGrant();
  StubCalls calls_{kRun, *grant_, backends_};
};

TEST_F(StubCallsTest, MakesThoseThatTheStubAnswered) {
  EXPECT_EQ(Take(1, "in.write_it", OutcomeOf(call::OutcomeKind::kOk)), absl::OkStatus());
  EXPECT_TRUE(Take(2, "in.write_it", OutcomeOf(call::OutcomeKind::kCancelled, "")).ok());
  EXPECT_TRUE(Take(3, "in.write_it", OutcomeOf(call::OutcomeKind::kFailed, "")).ok());
  EXPECT_TRUE(Take(4, "out.write_it", OutcomeOf(call::OutcomeKind::kOk, "")).ok());
  call::Outcome turned_away = OutcomeOf(call::OutcomeKind::kRefused, "");
  turned_away.turned_away = true;
  EXPECT_TRUE(Take(5, "in.finalize_it", turned_away).ok());
  EXPECT_THAT(made_, ElementsAre(1));
}

TEST_F(StubCallsTest, WhatComesOutOtherwiseIsDamage) {
  const absl::Status result =
      Take(1, "in.write_it",
           OutcomeOf(call::OutcomeKind::kOk, kChanges, R"({"content":[],"isError":false})"));
  EXPECT_EQ(result.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(result.message(), HasSubstr("stub `in` does not answer call run_aaaaaaaaaaaa#1"));
  for (const char* changes : {"", R"({"t":[{"key":"b","op":"insert","row":{"id":"b"}}]})"}) {
    const absl::Status status =
        Take(2, "in.write_it", OutcomeOf(call::OutcomeKind::kOk, changes, kResult));
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << changes;
    EXPECT_THAT(status.message(), HasSubstr("change its tables in call run_aaaaaaaaaaaa#2"));
  }
}

TEST_F(StubCallsTest, WhatIsNotOnRecordIsNotCompared) {
  EXPECT_TRUE(
      Take(1, "in.write_it", OutcomeOf(call::OutcomeKind::kOk, ""), {}, /*changes_withheld=*/true)
          .ok());
  EXPECT_THAT(made_, ElementsAre(1));
}

TEST_F(StubCallsTest, AStubWhoseArgumentsWereNotKeptIsLost) {
  EXPECT_TRUE(
      Take(1, "in.write_it", OutcomeOf(call::OutcomeKind::kOk), {{"/text", 12, {}, {}}}).ok());
  EXPECT_TRUE(Take(2, "in.write_it", OutcomeOf(call::OutcomeKind::kOk)).ok());
  EXPECT_THAT(made_, IsEmpty());
  EXPECT_NE(dynamic_cast<backend::LostBackend*>(backends_["in"].get()), nullptr);
}

}  // namespace
}  // namespace tipstaff::host
