// Each case is a durable denial with its reason, and nothing of it reaches a backend.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"
#include "tests/security/check_cases.h"

namespace tipstaff::security {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class GuardedRun : public e2e::E2eTest {
 protected:
  void SetUp() override {
    Start({.test_files = true});
    run_ = Open({"--skill", "guarded", "--bind", "report_id=rep_demo0001", "--canary", kPlanted});
    guest_ = std::make_unique<e2e::RawGuest>(run_.socket);
    guest_->HelloFrom(run_.token_file);
  }
  e2e::RawAnswer Call(const std::string& tool, const std::string& arguments) {
    return guest_->Call(absl::StrCat("c", ++calls_), tool, arguments);
  }
  // What reached the backend that keeps everything.
  std::string Done() { return Call("work.list_done", "{}").result; }

  harness::OpenedRun run_;
  std::unique_ptr<e2e::RawGuest> guest_;
  int calls_ = 0;
};

class HostileCall : public GuardedRun, public ::testing::WithParamInterface<Case> {};

TEST_P(HostileCall, IsDeniedOnRecord) {
  const Case& one = GetParam();
  const e2e::RawAnswer answer = Call(one.tool, one.arguments);
  EXPECT_EQ(answer.code, "OK") << answer.message;
  EXPECT_EQ(answer.verdict, "deny") << one.why;
  EXPECT_EQ(answer.reason, one.reason) << answer.result;
  const std::vector<review::Row> rows = Decisions(run_.run);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(call::ReasonName(rows[0].decided.decision.reason), one.reason);
  EXPECT_FALSE(rows[0].settled) << "a backend was asked";
  EXPECT_THAT(Done(), Not(HasSubstr("done_0001")));
  // A reviewer's terminal shows nothing that it would act on or hide.
  const std::string log = Tipstaff({"log", run_.run}).out;
  EXPECT_THAT(log, HasSubstr(one.reason));
  for (const char c : absl::StrReplaceAll(log, {{"…", ""}})) {
    ASSERT_TRUE((c >= ' ' && c <= '~') || c == '\n') << log;
  }
}

INSTANTIATE_TEST_SUITE_P(Guest, HostileCall, ::testing::ValuesIn(CheckCases()),
                         [](const ::testing::TestParamInfo<Case>& info) {
                           return absl::StrCat("Case", info.param.number, info.param.name);
                         });

// Else every row above could be a denial for another reason than its own.
TEST_F(GuardedRun, WhatIsAskedPlainlyIsPermitted) {
  const struct {
    const char* tool;
    const char* arguments;
  } kCalls[] = {
      {"reports.get_report", R"({"report_id":"rep_demo0001"})"},
      {"work.write_file", R"({"folder":"w","path":"w/safe/x.txt","content":"a\nb"})"},
      {"work.write_file", R"({"folder":"w","path":"w/safe/notes/x.md","content":"x"})"},
      {"work.push",
       R"({"folder":"w","remote":"https://git.example/team/safe.git","branch":"feature/x-1"})"},
      {"work.fetch", R"({"url":"https://docs.example/pages/x?y=1"})"},
      {"work.fetch", R"({"url":"https://en.docs.example/pages/x"})"},
      {"work.find", R"({"text":"aaaa","number":9007199254740993})"},
      {"mail.send_message",
       R"({"to":["dana@acme.example","lee@acme.example"],"subject":"s","body":"a\nb"})"},
      {"mail.draft_message", R"({"to":["x@customer.example"],"subject":"s","body":"b"})"},
  };
  for (const auto& call : kCalls) {
    EXPECT_EQ(Call(call.tool, call.arguments).reason, "permitted") << call.arguments;
  }
  EXPECT_THAT(Done(), HasSubstr("done_0003"));
}

// Case 26: what was checked is what is sent.
TEST_F(GuardedRun, Case26NumbersReachTheBackendExactly) {
  for (const char* number : {"9007199254740993", "9007199254740991", "0"}) {
    const e2e::RawAnswer answer = Call("work.find", absl::StrCat(R"({"number":)", number, "}"));
    EXPECT_EQ(answer.reason, "permitted");
    EXPECT_THAT(answer.result, HasSubstr(absl::StrCat(R"("number":)", number, "}")));
  }
  EXPECT_THAT(Call("work.find", R"({"number":1.0e1})").result, HasSubstr(R"("number":10})"));
}

}  // namespace
}  // namespace tipstaff::security
