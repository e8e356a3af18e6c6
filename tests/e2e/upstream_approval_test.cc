// Which servers a run may use: pinned, signed for, and what they were when somebody looked.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/file.h"
#include "tests/e2e/upstream_fixture.h"

namespace tipstaff::e2e {
namespace {

using ::testing::HasSubstr;

class UpstreamApprovalTest : public UpstreamTest {
 protected:
  void ExpectRefused(const std::vector<std::string>& parts, int status = 5) {
    ExpectFails(Tipstaff({"run", "open", "--skill", "fixture-work"}), status, parts);
  }
};

TEST_F(UpstreamApprovalTest, NoRunOpensWithoutPinsAndASignOffForThem) {
  StartWith(StdioLine("fix", {}));
  ExpectRefused({"upstream `fix` is not pinned yet: tipstaff upstream pin fix"}, 2);
  Must(harness::Pin(mediator(), "fix"));
  ExpectRefused({"a write whose required arguments are not bound to `scope`"}, 2);
  Must(harness::SetEffects(mediator(), "fix", Reads()));
  ExpectRefused({"is not approved: tipstaff upstream approve fix --as dana"});
  Must(harness::Approve(mediator(), "fix"));
  OpenFixture();
  Must(harness::SetEffects(mediator(), "fix", {{"touch", "read"}}));
  ExpectRefused({"its pins have changed since they were approved: tipstaff upstream approve fix"});
  Must(harness::Approve(mediator(), "fix"));
  OpenFixture();
}

TEST_F(UpstreamApprovalTest, AnotherConfigurationIsNotWhatWasSignedFor) {
  StartUsable(StdioLine("fix", {}));
  OpenFixture();
  const std::string config = folder() + "/tipstaff.yaml";
  const std::string text = Must(base::ReadFile(config));
  Must(base::WriteFile(config,
                       absl::StrReplaceAll(text, {{"owner: dana", "owner: dana, timeout: 3s"}})));
  mediator().Kill();
  Must(mediator().StartAgain());
  ExpectRefused({"its configuration has changed since it was approved",
                 "tipstaff upstream approve fix --as dana"});
}

TEST_F(UpstreamApprovalTest, ASignOffByTheWrongKeyIsNone) {
  StartUsable(StdioLine("fix", {}));
  const std::string sign_off = harness::SignOffFile(mediator(), "fix");
  const std::string text = Must(base::ReadFile(sign_off));
  for (const auto& [what, forged] :
       {std::pair<const char*, std::string>{"not JSON", "signed"},
        {"another's key", absl::StrReplaceAll(text, {{"\"keyid\": \"", "\"keyid\": \"x"}})},
        {"changed", absl::StrReplaceAll(text, {{"\"payload\": \"", "\"payload\": \"e30g"}})}}) {
    SCOPED_TRACE(what);
    ASSERT_NE(forged, text);
    Must(base::WriteFile(sign_off, forged));
    ExpectRefused({"upstream `fix`", "the sign-off is not one by its owner `dana`"});
  }
}

// The run goes on; the calls to that server do not.
TEST_F(UpstreamApprovalTest, ASignOffThatEndsInTheMiddleOfARunEndsItsCalls) {
  StartUsable(StdioLine("fix", {}));
  Must(harness::ApproveUntil(mediator(), "fix", absl::Now() + absl::Seconds(4)));
  const auto agent = StartAgent(OpenFixture());
  EXPECT_EQ(Must(agent->Call("fix_test_simple_text", "{}")).reason, "permitted");
  harness::CallResult last;
  EXPECT_TRUE(Await([&] {
    last = Must(agent->Call("fix_test_simple_text", "{}"));
    return last.reason != "permitted";
  }));
  EXPECT_TRUE(last.is_error);
  EXPECT_EQ(last.reason, "backend_unapproved");
  EXPECT_EQ(last.verdict, "deny");
  ExpectRefused({"upstream `fix`: its sign-off ended on", "tipstaff upstream approve fix"});
}

// A server that lists another description each time but the first, so to speak another program by
// the time that a run uses it.
TEST_F(UpstreamApprovalTest, AToolThatIsNotWhatWasPinnedIsRefusedAndOthersGoOn) {
  StartWith(StdioLine("fix", {}));
  Must(harness::Pin(mediator(), "fix"));
  // As if `echo` had said something else when it was pinned.
  const std::string pins = harness::PinsFile(mediator(), "fix");
  const std::string config = folder() + "/tipstaff.yaml";
  const std::string text = Must(base::ReadFile(config));
  Must(harness::SetEffects(mediator(), "fix", Reads()));
  Must(base::WriteFile(
      config, absl::StrReplaceAll(text, {{"mcp-server\"]", "mcp-server\", \"--list-changed\"]"}})));
  mediator().Kill();
  Must(mediator().StartAgain());
  Must(harness::Approve(mediator(), "fix"));
  EXPECT_EQ(Tipstaff({"upstream", "diff", "fix"}).status, 0)
      << "before its first call it is the same";

  const harness::OpenedRun run = OpenFixture();
  const auto agent = StartAgent(run);
  EXPECT_EQ(Must(agent->Call("fix_echo", R"({"text":"a"})")).reason, "permitted");
  // It announces that now; the mediator looks.
  harness::CallResult echo;
  EXPECT_TRUE(Await([&] {
    echo = Must(agent->Call("fix_echo", R"({"text":"a"})"));
    return echo.reason == "backend_changed";
  }));
  EXPECT_TRUE(echo.is_error);
  EXPECT_EQ(echo.verdict, "deny");
  EXPECT_EQ(Must(agent->Call("fix_test_simple_text", "{}")).reason, "permitted");
  EXPECT_THAT(Must(base::ReadFile(mediator().log_file())),
              HasSubstr("tool `echo` is not what was approved: tipstaff upstream diff fix"));
}

TEST_F(UpstreamApprovalTest, DriftBeforeTheFirstCallIsRefusedAndShown) {
  // The first process lists what is pinned, and its second list is another one. Over HTTP one
  // process serves all.
  HttpServer server({"--drift"});
  StartWith(HttpLine("fix", server.url()));
  Must(harness::MakeUsable(mediator(), "fix", Reads()));
  const harness::Finished diff = Tipstaff({"upstream", "diff", "fix"});
  EXPECT_EQ(diff.status, 1) << diff.err;
  EXPECT_THAT(diff.out, HasSubstr("changed  tool `echo`"));
  const auto agent = StartAgent(OpenFixture());
  EXPECT_EQ(Must(agent->Call("fix_test_simple_text", "{}")).reason, "permitted");
  const harness::CallResult echo = Must(agent->Call("fix_echo", R"({"text":"a"})"));
  EXPECT_TRUE(echo.is_error);
  EXPECT_EQ(echo.reason, "backend_changed");
  Must(harness::Pin(mediator(), "fix"));
  ExpectRefused({"its pins have changed since they were approved"});
  Must(harness::Approve(mediator(), "fix"));
  const auto next = StartAgent(OpenFixture());
  EXPECT_EQ(Must(next->Call("fix_echo", R"({"text":"a"})")).reason, "permitted")
      << "pinned again as it is now";
}

}  // namespace
}  // namespace tipstaff::e2e
