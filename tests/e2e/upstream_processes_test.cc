// Servers that are processes of a run's: nothing of them outlives the run or the mediator, and one
// that does not answer, or dies, harms nobody else.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "tests/e2e/upstream_fixture.h"
#include "tests/harness/processes.h"

namespace tipstaff::e2e {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kUnconfined[] = ", unconfined: \"for a test\"";

class UpstreamProcessesTest : public UpstreamTest {
 protected:
  // Of the servers of this test.
  std::set<std::string> PidNamespaces() const {
    std::set<std::string> found;
    for (const pid_t pid : harness::ProcessesWith(Mark())) {
      found.insert(harness::PidNamespaceOf(pid));
    }
    return found;
  }
  static bool AreEmpty(const std::set<std::string>& namespaces) {
    return Await(
        [&] {
          for (const std::string& one : namespaces) {
            if (!harness::ProcessesInPidNamespace(one).empty()) return false;
          }
          return true;
        },
        absl::Seconds(20));
  }
  // On record, where a read's outcome may come after its answer.
  void ExpectShown(const harness::CallResult& call, const std::string& text) {
    EXPECT_TRUE(Await([&] {
      return absl::StrContains(Tipstaff({"show", call.decision_id}).out, text);
    })) << text;
  }
  // A run whose server runs.
  harness::OpenedRun OpenAndCall() {
    harness::OpenedRun run = OpenFixture();
    EXPECT_EQ(Must(StartAgent(run)->Call("fix_test_simple_text", "{}")).reason, "permitted");
    return run;
  }
};

TEST_F(UpstreamProcessesTest, EachRunHasAProcessOfItsOwnAndNoneIsLeftAfterwards) {
  StartUsable(StdioLine("fix", {}));
  EXPECT_TRUE(AllAreGone()) << "`upstream pin` left one";
  const harness::OpenedRun one = OpenAndCall(), other = OpenAndCall();
  const std::set<std::string> namespaces = PidNamespaces();
  EXPECT_EQ(namespaces.size(), 2u) << "one for each run";
  EXPECT_EQ(namespaces.count(harness::PidNamespaceOf(::getpid())), 0u);
  EXPECT_EQ(Tipstaff({"run", "close", one.run}).status, 0);
  EXPECT_TRUE(Await([&] { return PidNamespaces().size() == 1; }));
  EXPECT_EQ(Must(StartAgent(other)->Call("fix_test_simple_text", "{}")).reason, "permitted");
  EXPECT_EQ(Tipstaff({"run", "close", other.run}).status, 0);
  EXPECT_TRUE(AllAreGone());
  EXPECT_TRUE(AreEmpty(namespaces));
}

TEST_F(UpstreamProcessesTest, AKilledMediatorTakesConfinedServersAndTheirChildrenWithIt) {
  StartUsable(StdioLine("fix", {"--leave-child", "/run/tipstaff/scratch/child"}));
  const harness::OpenedRun run = OpenAndCall();
  EXPECT_EQ(harness::ProcessesWith(Mark()).size(), 2u) << "the server and its child";
  const std::set<std::string> namespaces = PidNamespaces();
  mediator().Kill();
  EXPECT_TRUE(AllAreGone());
  EXPECT_TRUE(AreEmpty(namespaces));
  Must(mediator().StartAgain());
  EXPECT_EQ(Must(StartAgent(run)->Call("fix_test_simple_text", "{}")).reason, "permitted");
  EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
  EXPECT_TRUE(AllAreGone());
}

// One that is deaf to SIGTERM and that nothing holds: its mediator is gone. The next one ends it.
TEST_F(UpstreamProcessesTest, WhatAnUnconfinedServerLeftIsEndedAtTheNextStart) {
  StartUsable(StdioLine("fix", {"--leave-child", Path("child")}, "", kUnconfined));
  // `upstream pin` started one, too, and ended it with its child.
  EXPECT_TRUE(AllAreGone());
  const harness::OpenedRun run = OpenAndCall();
  const std::vector<pid_t> before = harness::ProcessesWith(Mark());
  EXPECT_EQ(before.size(), 2u);
  mediator().Kill();
  EXPECT_TRUE(Await([&] { return harness::ProcessesWith(Mark()).size() == 1; }))
      << "the server sees the end of its input";
  Must(mediator().StartAgain());
  EXPECT_TRUE(Await([&] {
    const std::vector<pid_t> now = harness::ProcessesWith(Mark());
    return std::none_of(now.begin(), now.end(), [&](pid_t pid) {
      return std::find(before.begin(), before.end(), pid) != before.end();
    });
  })) << "those of before are gone, whatever runs again";
  EXPECT_EQ(Must(StartAgent(run)->Call("fix_test_simple_text", "{}")).reason, "permitted");
  EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
  EXPECT_TRUE(AllAreGone()) << "a close leaves no child of it either";
}

TEST_F(UpstreamProcessesTest, AServerThatDiesIsStartedAgainAFewTimes) {
  StartUsable(StdioLine("fix", {"--die-after", "2"}));
  const harness::OpenedRun run = OpenFixture();
  const auto agent = StartAgent(run);
  int permitted = 0, unknown = 0;
  harness::CallResult last;
  // Each process answers one call and dies at the next.
  for (int i = 0; i < 40; ++i) {
    last = Must(agent->Call("fix_echo", R"({"text":"a"})"));
    if (!last.is_error) ++permitted;
    if (absl::StrContains(last.text, "not known")) ++unknown;
    if (absl::StrContains(last.text, "could not be asked")) break;
  }
  EXPECT_GE(permitted, 4) << "it is started again";
  EXPECT_GE(unknown, 4);
  EXPECT_LE(unknown, 10) << "but not for ever";
  EXPECT_THAT(last.text, HasSubstr("the system could not be asked"));
  ExpectShown(last, "it ended by itself");
  EXPECT_TRUE(AllAreGone());
  EXPECT_EQ(Must(StartAgent(OpenFixture())->Call("fix_echo", R"({"text":"a"})")).is_error, false)
      << "another run's is another process";
}

// `timeout` is the time without a sign of life, `longest` the time with them.
TEST_F(UpstreamProcessesTest, SignsOfLifeHoldTheTimeoutUpAndACapEndsThem) {
  StartUsable(StdioLine("fix", {}, ", timeout: 1500ms, longest: 5s"));
  const auto agent = StartAgent(OpenFixture());
  const absl::Time begin = absl::Now();
  const harness::CallResult lively = Must(agent->Call("fix_slow", R"({"steps":8,"ms":400})"));
  EXPECT_FALSE(lively.is_error) << lively.text;
  EXPECT_GT(absl::Now() - begin, absl::Milliseconds(2500)) << "longer than its timeout";
  const harness::CallResult silent = Must(agent->Call("fix_slow", R"({"steps":1,"ms":20000})"));
  EXPECT_TRUE(silent.is_error);
  EXPECT_THAT(silent.text, HasSubstr("not known"));
  ExpectShown(silent, "it did not answer in time");
  const absl::Time endless = absl::Now();
  const harness::CallResult capped = Must(agent->Call("fix_slow", R"({"steps":0,"ms":200})"));
  EXPECT_TRUE(capped.is_error);
  EXPECT_GE(absl::Now() - endless, absl::Seconds(5)) << "it had signs of life up to the cap";
  EXPECT_LT(absl::Now() - endless, absl::Seconds(30));
  EXPECT_EQ(Must(agent->Call("fix_test_simple_text", "{}")).reason, "permitted");
}

// Another run's calls do not wait for a server that is slow, noisy or dead.
TEST_F(UpstreamProcessesTest, NoiseHarmsNobody) {
  StartUsable(StdioLine("fix", {"--banner", "--stderr-flood"}));
  const auto agent = StartAgent(OpenFixture());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Must(agent->Call("fix_test_simple_text", "{}")).reason, "permitted");
  }
  EXPECT_LT(Must(base::ReadFile(mediator().log_file(), 64 << 20)).size(), size_t{1} << 20)
      << "the log takes a bounded part of it";
}

TEST_F(UpstreamProcessesTest, WhatIsNotThereIsSaid) {
  StartUsable(StdioLine("fix", {}));
  // Signed for as it is, then gone: as after an update of the machine.
  HttpServer server({});
  const std::string url = server.url();
  const std::string config = folder() + "/tipstaff.yaml";
  std::string text = Must(base::ReadFile(config));
  text.resize(text.find("upstreams:"));
  Must(base::WriteFile(config, absl::StrCat(text, "upstreams:\n", HttpLine("fix", url))));
  mediator().Kill();
  Must(mediator().StartAgain());
  Must(harness::MakeUsable(mediator(), "fix", Reads()));
  server.process().Signal(SIGKILL);
  Must(server.process().Wait(absl::Seconds(10)));
  const auto agent = StartAgent(OpenFixture());
  const harness::CallResult call = Must(agent->Call("fix_test_simple_text", "{}"));
  EXPECT_TRUE(call.is_error);
  EXPECT_THAT(call.text, HasSubstr("the system could not be asked"));
  EXPECT_THAT(Tipstaff({"upstream", "diff", "fix"}).err, HasSubstr("upstream `fix`"));
}

}  // namespace
}  // namespace tipstaff::e2e
