// What an agent can get wrong in MCP: each has an error of its own, and the session goes on.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

using ::testing::HasSubstr;

class AgentCallsTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
    agent_ = StartAgent(run_);
  }
  void ExpectGoesOn() {
    EXPECT_EQ(Must(agent_->Call("reports_get_report", kReadArguments)).reason, "permitted");
  }
  // Sends a line as it is; what comes back.
  json::Document Ask(const std::string& line) {
    Must(agent_->Send(line));
    return Must(agent_->Receive());
  }
  static std::string CallLine(absl::string_view arguments) {
    return absl::StrCat(R"({"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":)",
                        R"("reports_get_report","arguments":)", arguments, "}}");
  }

  harness::OpenedRun run_;
  std::unique_ptr<harness::Agent> agent_;
};

struct BadLine {
  const char* name;
  std::string line;
  int code;
  const char* says;
  bool has_id;  // whether the request could be told
};

TEST_F(AgentCallsTest, WhatIsNoRequestIsAJsonRpcError) {
  const BadLine kLines[] = {
      {"no JSON", "tools/call", -32700, "parse error", false},
      {"no UTF-8", "\xff\xfe", -32700, "parse error", false},
      {"deep nesting", std::string(200'000, '['), -32700, "nested deeper", false},
      {"a batch", "[]", -32600, "batches", false},
      {"a number", "5", -32600, "not an object", false},
      {"no method", R"({"jsonrpc":"2.0","id":"x"})", -32600, "`method`", true},
      {"an unknown method", R"({"jsonrpc":"2.0","id":"x","method":"tools/steal"})", -32601,
       "tools/steal", true},
      {"arguments: an array", CallLine(R"(["rep_demo0001"])"), -32602, "`arguments`", true},
      {"arguments: a string", CallLine(R"("rep_demo0001")"), -32602, "`arguments`", true},
      {"arguments: a number", CallLine("5"), -32602, "`arguments`", true},
      {"arguments: null", CallLine("null"), -32602, "`arguments`", true},
      {"a key twice", CallLine(R"({"report_id":"rep_demo0001","report_id":"rep_demo0002"})"),
       -32700, "a key twice", false},
      {"an integer beyond 64 bits", CallLine(R"({"report_id":18446744073709551616})"), -32700,
       "64 bits", false},
      {"5 MiB of arguments",
       CallLine(absl::StrCat(R"({"report_id":")", std::string(5 << 20, 'x'), R"("})")), -32600,
       "longer than", false},
  };
  for (const BadLine& bad : kLines) {
    SCOPED_TRACE(bad.name);
    const json::Document answer = Ask(bad.line);
    const json::Value error = answer.root().Find("error");
    EXPECT_EQ(error.IntegerOr("code", 0), bad.code) << json::Dump(answer.root());
    EXPECT_THAT(std::string(error.StringOr("message", "")), HasSubstr(bad.says));
    EXPECT_EQ(answer.root().Find("id").is_string(), bad.has_id);
    ExpectGoesOn();
  }
  EXPECT_EQ(Decisions(run_.run).size(), std::size(kLines)) << "only the good calls are calls";
}

TEST_F(AgentCallsTest, AnUnknownToolIsAnErrorWithItsRecordedDenial) {
  const absl::StatusOr<json::Document> called =
      agent_->Request("tools/call", R"({"name":"shell_exec","arguments":{"cmd":"id"}})");
  ASSERT_FALSE(called.ok());
  EXPECT_THAT(std::string(called.status().message()), HasSubstr(R"("code":-32602)"));
  EXPECT_THAT(std::string(called.status().message()), HasSubstr("unknown tool: `shell_exec`"));
  EXPECT_THAT(std::string(called.status().message()), HasSubstr(absl::StrCat(run_.run, "#1")));
  ExpectGoesOn();
  const std::vector<review::Row> rows = Decisions(run_.run);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].decided.tool, "shell_exec");
  EXPECT_EQ(rows[0].decided.decision.reason, call::Reason::kUnknownTool);
}

TEST_F(AgentCallsTest, MoreArgumentsThanACallTakesAreRefused) {
  for (const size_t size : {size_t{256 << 10}, size_t{1 << 20}}) {
    const harness::CallResult call = Must(agent_->Call(
        "reports_get_report", absl::StrCat(R"({"report_id":")", std::string(size, 'x'), R"("})")));
    EXPECT_TRUE(call.is_error);
    EXPECT_EQ(call.verdict, "deny");
    EXPECT_EQ(call.reason, "malformed");
    EXPECT_THAT(call.text, HasSubstr("at most 262144"));
  }
  ExpectGoesOn();
}

TEST_F(AgentCallsTest, TheLargestArgumentsArePassedOn) {
  const std::string around = R"({"report_id":""})";
  const harness::CallResult call = Must(agent_->Call(
      "reports_get_report",
      absl::StrCat(R"({"report_id":")", std::string((256 << 10) - around.size(), 'x'), R"("})")));
  EXPECT_EQ(call.reason, "out_of_scope") << call.text;
  const std::vector<review::Row> rows = Decisions(run_.run);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].decided.arguments_size, size_t{256 << 10});
  EXPECT_EQ(rows[0].decided.arguments.size(), run::kKeptOfDenied);
}

}  // namespace
}  // namespace tipstaff::e2e
