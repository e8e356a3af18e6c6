// Calls to MCP servers of both generations, over both carriers: what is permitted comes through as
// the server gave it, what is not never gets there.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/write.h"
#include "tests/e2e/upstream_fixture.h"

namespace tipstaff::e2e {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Carried {
  const char* name;
  bool http;
  std::vector<std::string> flags;
};

class UpstreamCallsTest : public UpstreamTest, public ::testing::WithParamInterface<Carried> {
 protected:
  void StartCarried() {
    if (GetParam().http) http_.emplace(GetParam().flags, Path("server.log"));
    StartUsable(http_ ? HttpLine("fix", http_->url()) : StdioLine("fix", GetParam().flags));
  }

 private:
  std::optional<HttpServer> http_;
};

TEST_P(UpstreamCallsTest, PermittedCallsComeThroughAndOthersDoNot) {
  StartCarried();
  const harness::OpenedRun run = OpenFixture();
  const auto agent = StartAgent(run);
  EXPECT_THAT(Must(agent->ListTools()),
              AllOf(Contains("fix_echo"), Contains("fix_write_row"), Not(Contains("fix_touch"))));

  const harness::CallResult echo =
      Must(agent->Call("fix_echo", R"({"text":"9007199254740993 ü"})"));
  EXPECT_FALSE(echo.is_error) << echo.text;
  EXPECT_EQ(echo.text, R"({"text":"9007199254740993 ü"})");
  EXPECT_EQ(echo.reason, "permitted");
  EXPECT_EQ(
      json::Dump(Must(agent->Call("fix_structured", "{}")).result.root().Find("structuredContent")),
      R"({"n":1})");
  const harness::CallResult failed = Must(agent->Call("fix_test_error_handling", "{}"));
  EXPECT_TRUE(failed.is_error);
  EXPECT_THAT(failed.text, HasSubstr("intentionally returns an error"));
  EXPECT_EQ(failed.reason, "permitted") << "the server's error is not a refusal";

  EXPECT_EQ(Must(agent->Call("fix_echo", R"({"text":"a","number":1})")).reason, "argument_refused");
  EXPECT_EQ(Must(agent->Call("fix_touch", R"({"uri":"test://static-text"})")).reason,
            "no_permission");
}

TEST_P(UpstreamCallsTest, ResourcesAndPromptsAreCalls) {
  StartCarried();
  const harness::OpenedRun run = OpenFixture();
  const auto agent = StartAgent(run);
  EXPECT_THAT(json::Dump(Must(agent->Request("resources/list", "{}")).root()),
              AllOf(HasSubstr("test://static-text"), HasSubstr("test://static-binary")));
  EXPECT_THAT(
      json::Dump(Must(agent->Request("resources/read", R"({"uri":"test://static-text"})")).root()),
      HasSubstr("This is the content of the static text resource."));
  EXPECT_FALSE(agent->Request("resources/read", R"({"uri":"test://watched-resource"})").ok());
  EXPECT_THAT(json::Dump(Must(agent->Request("prompts/list", "{}")).root()),
              AllOf(HasSubstr("fix_test_prompt_with_arguments"), Not(HasSubstr("simple_prompt"))));
  EXPECT_THAT(
      json::Dump(Must(agent->Request("prompts/get", R"({"name":"fix_test_prompt_with_arguments",)"
                                                    R"("arguments":{"arg1":"one","arg2":"two"}})"))
                     .root()),
      HasSubstr("Prompt with arguments: arg1='one', arg2='two'"));
  std::vector<std::string> reasons;
  for (const review::Row& row : Decisions(run.run)) {
    reasons.emplace_back(call::ReasonName(row.decided.decision.reason));
  }
  EXPECT_EQ(reasons, (std::vector<std::string>{"permitted", "argument_refused", "permitted"}))
      << "each is on record";
}

// Progress of the server's comes to the agent under the agent's token, in order.
TEST_P(UpstreamCallsTest, ProgressComesThrough) {
  StartCarried();
  const auto agent = StartAgent(OpenFixture());
  Must(agent->Send(R"({"jsonrpc":"2.0","id":77,"method":"tools/call","params":)"
                   R"({"name":"fix_test_tool_with_progress","arguments":{},)"
                   R"("_meta":{"progressToken":"mine"}}})"));
  std::vector<double> progress;
  for (;;) {
    const json::Document message = Must(agent->Receive());
    if (message.root().IntegerOr("id", 0) == 77) break;
    if (message.root().StringOr("method", "") != "notifications/progress") continue;
    EXPECT_EQ(message.root().Find("params").StringOr("progressToken", ""), "mine");
    progress.push_back(
        static_cast<double>(message.root().Find("params").IntegerOr("progress", -1)));
  }
  EXPECT_EQ(progress, (std::vector<double>{0, 50, 100}));
}

TEST_P(UpstreamCallsTest, BigResultsComeWholeOrSaySo) {
  StartCarried();
  const auto agent = StartAgent(OpenFixture());
  const harness::CallResult big = Must(agent->Call("fix_big", R"({"bytes":6000000})"));
  EXPECT_FALSE(big.is_error) << big.text.substr(0, 200);
  EXPECT_EQ(big.text, std::string(6'000'000, 'x'));
  const harness::CallResult bigger = Must(agent->Call("fix_big", R"({"bytes":10000000})"));
  EXPECT_TRUE(bigger.is_error);
  EXPECT_THAT(bigger.text, AllOf(HasSubstr("the call was made"), HasSubstr("at most")));
  EXPECT_EQ(Must(agent->Call("fix_test_simple_text", "{}")).is_error, false) << "others go on";
}

INSTANTIATE_TEST_SUITE_P(
    Carriers, UpstreamCallsTest,
    ::testing::Values(Carried{"StdioLegacy", false, {"--generation", "legacy", "--paged", "3"}},
                      Carried{"StdioModern", false, {"--generation", "modern", "--banner"}},
                      Carried{"HttpLegacy", true, {"--generation", "legacy"}},
                      Carried{"HttpModern", true, {"--generation", "modern", "--sse"}}),
    [](const auto& tested) { return tested.param.name; });

using UpstreamWriteTest = UpstreamTest;

// What a refusal keeps back never gets to the server, whose effect would be seen.
TEST_F(UpstreamWriteTest, ARefusedWriteDoesNotHappen) {
  StartUsable(StdioLine("fix", {}, "", ", unconfined: \"it writes where the test looks\""));
  const harness::OpenedRun run = OpenFixture();
  const auto agent = StartAgent(run);
  const std::string file = Path("rows");
  const auto row = [&](const std::string& text, const std::string& more) {
    return Must(
        agent->Call("fix_write_row", absl::StrCat(R"({"file":)", json::Quote(file), R"(,"text":)",
                                                  json::Quote(text), more, "}")));
  };
  EXPECT_FALSE(row("first", "").is_error);
  EXPECT_EQ(row("second", R"(,"mode":"x")").reason, "argument_refused");
  EXPECT_EQ(row(std::string(1001, 'x'), "").reason, "argument_refused");
  EXPECT_FALSE(row("third", "").is_error);
  EXPECT_EQ(Must(base::ReadFile(file)), "first\nthird\n");
}

}  // namespace
}  // namespace tipstaff::e2e
