// What a guest can put into a call: each is a recorded refusal, and the session goes on.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTool[] = "reports.get_report";

class GuestCallsTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
    guest_ = std::make_unique<RawGuest>(run_.socket);
    guest_->HelloFrom(run_.token_file);
  }
  void ExpectGoesOn(const std::string& call_id) {
    const RawAnswer answer = guest_->Call(call_id, kTool, kReadArguments);
    EXPECT_EQ(answer.code, "OK") << answer.message;
    EXPECT_EQ(answer.reason, "permitted") << answer.result;
  }

  harness::OpenedRun run_;
  std::unique_ptr<RawGuest> guest_;
};

struct Malformed {
  const char* name;  // and the reason
  std::string call_id, tool, arguments;
  const char* says;
};

std::vector<Malformed> MalformedCalls() {
  const std::string deep(200'000, '[');
  const std::string large = absl::StrCat(R"({"report_id":")", std::string(257 << 10, 'x'), R"("})");
  return {
      {"no end", "", kTool, R"({"report_id":"rep_demo0001")", "not JSON at byte"},
      {"no JSON at all", "", kTool, "report_id=rep_demo0001", "not JSON at byte"},
      {"more after the end", "", kTool, R"({"report_id":"rep_demo0001"} {})", "not JSON at byte"},
      {"an array", "", kTool, R"(["rep_demo0001"])", "not a JSON object"},
      {"a string", "", kTool, R"("rep_demo0001")", "not a JSON object"},
      {"a number", "", kTool, "5", "not a JSON object"},
      {"null", "", kTool, "null", "not a JSON object"},
      {"a key twice: the last one would win here and the first one there", "", kTool,
       R"({"report_id":"rep_demo0001","report_id":"rep_demo0002"})", "a key twice"},
      {"a key twice, once escaped", "", kTool,
       R"({"report_id":"rep_demo0001","report\u005fid":"rep_demo0002"})", "a key twice"},
      {"a NUL in a key", "", kTool, R"({"report_id\u0000":"rep_demo0001"})", "a key with U+0000"},
      {"half a surrogate pair", "", kTool, R"({"report_id":"\ud800"})", "not JSON at byte"},
      {"no UTF-8", "", kTool, "{\"report_id\":\"\xff\"}", "not JSON at byte"},
      {"deep nesting", "", kTool, deep, "nested deeper than"},
      {"a number beyond a double", "", kTool, R"({"report_id":1e400})", "out of range"},
      {"an integer beyond 64 bits", "", kTool, R"({"report_id":18446744073709551616})",
       "outside the range of 64 bits"},
      {"257 KiB of arguments", "", kTool, large, "larger than 262144 bytes"},
      {"no tool", "", "", "{}", "the tool name"},
      {"a zero-width space in the tool's name", "", "reports.get\xe2\x80\x8b_report",
       kReadArguments, "the tool name"},
      {"a Cyrillic letter in the tool's name", "", "r\xd0\xb5ports.get_report", kReadArguments,
       "the tool name"},
      {"a tool's name of 65 bytes", "", std::string(65, 'x'), "{}", "the tool name"},
      {"a slash in the call id", "../1", kTool, kReadArguments, "the call id"},
      {"a line end in the call id", "a\nb", kTool, kReadArguments, "the call id"},
      {"an operator's call id", "operator:1", kTool, kReadArguments, "`tipstaff call`"},
      {"a call id of 65 bytes", std::string(65, 'x'), kTool, kReadArguments, "the call id"},
  };
}

TEST_F(GuestCallsTest, WhatIsNoCallIsARecordedDenial) {
  const std::vector<Malformed> calls = MalformedCalls();
  for (size_t i = 0; i < calls.size(); ++i) {
    const Malformed& call = calls[i];
    SCOPED_TRACE(call.name);
    const std::string id = call.call_id.empty() ? absl::StrCat("c", i) : call.call_id;
    const RawAnswer answer = guest_->Call(id, call.tool, call.arguments);
    EXPECT_EQ(answer.code, "OK") << answer.message;
    EXPECT_EQ(answer.verdict, "deny");
    EXPECT_EQ(answer.reason, "malformed");
    EXPECT_FALSE(answer.retry);
    EXPECT_EQ(answer.decision_id, absl::StrCat(run_.run, "#", i + 1));
    EXPECT_THAT(answer.result, HasSubstr(R"("isError":true)"));
    EXPECT_THAT(answer.result, HasSubstr(call.says));
    EXPECT_THAT(answer.result, Not(HasSubstr("xxxx"))) << "the guest's bytes come back";
  }
  ExpectGoesOn("c0");
  const std::vector<review::Row> rows = Decisions(run_.run);
  ASSERT_EQ(rows.size(), calls.size() + 1);
  for (size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(calls[i].name);
    EXPECT_EQ(rows[i].decided.decision.reason, call::Reason::kMalformed);
    EXPECT_EQ(rows[i].decided.call_id, "") << "what is no call takes no id";
    EXPECT_EQ(rows[i].decided.arguments_size, calls[i].arguments.size());
    EXPECT_LE(rows[i].decided.arguments.size(), run::kKeptOfDenied);
    EXPECT_FALSE(rows[i].settled) << "a denied call has no outcome";
  }
}

TEST_F(GuestCallsTest, ACallWithoutAnIdIsDenied) {
  const RawAnswer answer = guest_->Call("", kTool, kReadArguments);
  EXPECT_EQ(answer.code, "OK") << answer.message;
  EXPECT_EQ(answer.reason, "malformed");
  EXPECT_THAT(answer.result, HasSubstr("the call id"));
  ExpectGoesOn("good");
}

// Larger than the gate takes: the mediator never sees it, so it is on no record.
TEST_F(GuestCallsTest, ALargeMessageEndsAtTheGate) {
  for (const size_t size : {size_t{300 << 10}, size_t{5 << 20}}) {
    const RawAnswer answer = guest_->Call(absl::StrCat("c", size), kTool, std::string(size, ' '));
    EXPECT_EQ(answer.code, "RESOURCE_EXHAUSTED") << size;
  }
  ExpectGoesOn("good");
  EXPECT_EQ(Decisions(run_.run).size(), 1u);
}

TEST_F(GuestCallsTest, AnUnknownToolIsARecordedDenial) {
  const RawAnswer answer = guest_->Call("c1", "shell.exec", R"({"cmd":"id"})");
  EXPECT_EQ(answer.code, "OK");
  EXPECT_EQ(answer.reason, "unknown_tool");
  const std::vector<review::Row> rows = Decisions(run_.run);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].decided.tool, "shell.exec");
  EXPECT_EQ(rows[0].decided.decision.reason, call::Reason::kUnknownTool);
}

TEST_F(GuestCallsTest, ACallIdNamesOneCall) {
  const RawAnswer first = guest_->Call("c1", "reports.attach_evidence", EvidenceArguments("a.txt"));
  EXPECT_EQ(first.reason, "permitted") << first.result;
  EXPECT_THAT(first.result, HasSubstr("ev_0001"));

  // The same once more, spelled differently: the recorded outcome, and nothing done.
  const std::string spelled =
      R"({ "content":"Received: from mx.outside.example","name":"a.txt","report_id":"rep_demo0001"})";
  for (const std::string& arguments : {EvidenceArguments("a.txt"), spelled}) {
    const RawAnswer again = guest_->Call("c1", "reports.attach_evidence", arguments);
    EXPECT_EQ(again.decision_id, first.decision_id);
    EXPECT_EQ(again.reason, "permitted");
    EXPECT_EQ(again.result, first.result);
  }

  struct Row {
    const char* name;
    const char* tool;
    std::string arguments;
  };
  for (const Row& row :
       {Row{"other arguments", "reports.attach_evidence", EvidenceArguments("b.txt")},
        Row{"another tool", kTool, kReadArguments}}) {
    const RawAnswer other = guest_->Call("c1", row.tool, row.arguments);
    EXPECT_EQ(other.verdict, "deny") << row.name;
    EXPECT_EQ(other.reason, "call_id_reused") << row.name;
    EXPECT_NE(other.decision_id, first.decision_id) << row.name;
  }
  const RawAnswer second =
      guest_->Call("c2", "reports.attach_evidence", EvidenceArguments("b.txt"));
  EXPECT_THAT(second.result, HasSubstr("ev_0002")) << "a repeated call acted again";
}

}  // namespace
}  // namespace tipstaff::e2e
