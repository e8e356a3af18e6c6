// Planted texts: large calls are searched for them while other runs go on, and what is found is
// denied and explained.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

using ::testing::HasSubstr;

constexpr char kPlanted[] = "Schl\u00fcssel \u00fcbergeben Nr 4";
// As git quotes a path, in JSON.
constexpr char kQuoted[] = R"(\\"Schl\\303\\274ssel \\303\\274bergeben Nr 4\\")";

// More than is searched at once.
std::string LargeArguments(absl::string_view among) {
  std::string lines;
  for (int i = 0; lines.size() < 60'000; ++i) absl::StrAppend(&lines, "See a/", i * 7919, "-c.\n");
  return absl::StrCat(R"({"report_id":"rep_demo0001","name":"a.txt","content":)",
                      json::Quote(absl::StrCat(lines, among)), "}");
}

class CanaryTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage({"--canary", kPlanted});
    agent_ = StartAgent(run_);
  }

  harness::OpenedRun run_;
  std::unique_ptr<harness::Agent> agent_;
};

TEST_F(CanaryTest, LargeCallsAreSearchedWhileOtherRunsGoOn) {
  const harness::OpenedRun other = OpenTriage({"--canary", kPlanted});
  Bystander bystander(other, StartAgent(other));
  constexpr int kCalls = 3;
  for (int i = 0; i < kCalls; ++i) {
    Must(agent_->Send(absl::StrCat(
        R"({"jsonrpc":"2.0","id":"c)", i,
        R"(","method":"tools/call","params":{"name":"reports_attach_evidence","arguments":)",
        LargeArguments(""), "}}")));
  }
  for (int i = 0; i < 10; ++i) bystander.ExpectUndisturbed();
  for (int i = 0; i < kCalls; ++i) {
    const json::Document answer = Must(agent_->Receive());
    EXPECT_FALSE(answer.root().Find("result").BoolOr("isError", false))
        << json::Dump(answer.root());
  }
  EXPECT_EQ(Decisions(run_.run).size(), 3u);
  EXPECT_GE(Decisions(other.run).size(), 10u);
}

TEST_F(CanaryTest, WhatIsFoundIsDeniedAndExplained) {
  for (const std::string& arguments :
       {LargeArguments(kQuoted), absl::StrCat(R"({"report_id":"rep_demo0001","name":)",
                                              json::Quote(kQuoted), R"(,"content":"a"})")}) {
    const harness::CallResult call = Must(agent_->Call("reports_attach_evidence", arguments));
    EXPECT_EQ(call.reason, "canary") << call.text;
    const harness::Finished shown = Tipstaff({"show", call.decision_id});
    EXPECT_THAT(shown.out, HasSubstr("planted text 1, escaped")) << shown.err;
    const harness::Finished asked =
        Tipstaff({"call", "reports.attach_evidence", arguments, "--run", run_.run, "--dry-run"});
    EXPECT_EQ(asked.status, 1) << asked.err;
    EXPECT_THAT(asked.out, HasSubstr("canary"));
  }
  EXPECT_EQ(Decisions(run_.run).size(), 2u);
}

}  // namespace
}  // namespace tipstaff::e2e
