// SIGKILL at every named point between two steps of the mediator, and at random moments: what was
// acknowledged is on record, nothing took effect without a decision, and no write after a result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "mediator/base/testing/temp_folder.h"
#include "tests/crash/hammer.h"
#include "tests/crash/servers.h"

namespace tipstaff::crash {
namespace {

// Each is tried so often before it counts as one that nothing comes to.
constexpr int kTries = 3;

class PointsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto points = CrashPoints(TIPSTAFF_BIN_DIR);
    ASSERT_TRUE(points.ok()) << points.status();
    points_ = *points;
    if (points_.empty()) GTEST_SKIP() << "this build has no crash points, as users' builds";
  }
  std::unique_ptr<Hammer> Start(std::vector<std::string> environment = {}, bool mcp = false) {
    harness::MediatorOptions options;
    options.bin = TIPSTAFF_BIN_DIR;
    options.source = TIPSTAFF_SOURCE_DIR;
    options.folder = folder_.path();
    if (mcp) {
      AddServers("2s", options);
    } else {
      options.outside = "2s";
    }
    options.more_config = harness::ConfigOfDana(folder_.path()).value();
    auto hammer = Hammer::Start(options, std::move(environment), mcp);
    EXPECT_TRUE(hammer.ok()) << hammer.status();
    const uint32_t seed = std::random_device()();
    std::printf("%zu points, seed %u\n", points_.size(), seed);
    random_.seed(seed);
    if (!hammer.ok()) return nullptr;
    (*hammer)->set_seed(seed);
    return *std::move(hammer);
  }

  template <typename Holds>
  std::vector<std::string> PointsThat(Holds holds) const {
    std::vector<std::string> some;
    std::copy_if(points_.begin(), points_.end(), std::back_inserter(some), holds);
    return some;
  }
  void EachOnce(Hammer& hammer, const std::vector<std::string>& points);
  void SomeRounds(bool mcp);
  void LeaveOutARule(bool mcp);

  base::TempFolder folder_;
  std::vector<std::string> points_;
  std::mt19937 random_;
};

// Points that only calls of MCP servers pass.
bool IsOfMcp(const std::string& point) { return absl::StartsWith(point, "mcp: "); }
// Those between a call and its system.
bool IsOfCalls(const std::string& point) {
  for (const char* step : {"mcp: ", "call: ", "stop: ", "query: ", "cleanup: "}) {
    if (absl::StartsWith(point, step)) return true;
  }
  return false;
}

void PointsTest::EachOnce(Hammer& hammer, const std::vector<std::string>& points) {
  for (const std::string& point : points) {
    bool hit = false;
    for (int tries = 0; !hit && tries < kTries; ++tries) hit = hammer.Round(point, 1);
    EXPECT_TRUE(hit) << "nothing comes past `" << point << "`";
  }
  hammer.Finish();
  EXPECT_EQ(absl::StrJoin(hammer.problems(), "\n"), "");
  EXPECT_GT(hammer.acknowledged(), points.size()) << "hardly any load: the test says nothing";
}

TEST_F(PointsTest, EachPointOnce) {
  const std::unique_ptr<Hammer> hammer = Start();
  ASSERT_NE(hammer, nullptr);
  EachOnce(*hammer, PointsThat([](const std::string& point) { return !IsOfMcp(point); }));
}

TEST_F(PointsTest, EachPointOfCallsOnceWithMcpServers) {
  const std::unique_ptr<Hammer> hammer = Start({}, /*mcp=*/true);
  ASSERT_NE(hammer, nullptr);
  EachOnce(*hammer, PointsThat(IsOfCalls));
}

void PointsTest::SomeRounds(bool mcp) {
  const char* text = std::getenv("TIPSTAFF_CRASH_ROUNDS");
  if (text == nullptr) GTEST_SKIP() << "TIPSTAFF_CRASH_ROUNDS is not set";
  int rounds = 0;
  ASSERT_TRUE(absl::SimpleAtoi(text, &rounds)) << "TIPSTAFF_CRASH_ROUNDS is not a number";
  const std::unique_ptr<Hammer> hammer = Start({}, mcp);
  ASSERT_NE(hammer, nullptr);
  const std::vector<std::string> points =
      PointsThat([mcp](const std::string& point) { return mcp || !IsOfMcp(point); });
  std::map<std::string, int> hits;
  int at_random = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round % 2 == 1) {
      hammer->Round("", 0);
      ++at_random;
      continue;
    }
    const size_t turn = static_cast<size_t>(round / 2);
    const std::string& point = points[turn % points.size()];
    // The first time round each is come to in any case.
    const int latest = turn < points.size() ? 1 : 4;
    hits[point] +=
        hammer->Round(point, std::uniform_int_distribution<>(1, latest)(random_)) ? 1 : 0;
  }
  hammer->Finish();
  for (const std::string& point : points) std::printf("%4d  %s\n", hits[point], point.c_str());
  std::printf("%4d  at random\n%zu acknowledged calls\n", at_random, hammer->acknowledged());
  EXPECT_EQ(absl::StrJoin(hammer->problems(), "\n"), "");
  if (static_cast<size_t>(rounds) < 2 * points.size()) return;
  for (const std::string& point : points) {
    EXPECT_GT(hits[point], 0) << "nothing comes past `" << point << "`";
  }
}

// `./dev crash --rounds N`: points in turn, later passings of each the further it goes, and every
// other round a random moment.
TEST_F(PointsTest, Rounds) { SomeRounds(/*mcp=*/false); }
TEST_F(PointsTest, RoundsWithMcpServers) { SomeRounds(/*mcp=*/true); }

// The hammer can fail: a mediator that sends what is not committed yet is found out.
void PointsTest::LeaveOutARule(bool mcp) {
  const std::unique_ptr<Hammer> hammer = Start({"TIPSTAFF_LEAVE_OUT=commit-before-send"}, mcp);
  ASSERT_NE(hammer, nullptr);
  const auto noticed = [&] {
    for (const std::string& problem : hammer->problems()) {
      if (absl::StrContains(problem, "without a decision")) return true;
    }
    return false;
  };
  for (int round = 0; round < 20 && !noticed(); ++round) {
    hammer->Round(round % 2 == 0 ? "call: sent" : "result: sent", 1);
  }
  EXPECT_TRUE(noticed()) << absl::StrJoin(hammer->problems(), "\n");
}

TEST_F(PointsTest, ARuleThatIsLeftOutIsNoticed) { LeaveOutARule(/*mcp=*/false); }
TEST_F(PointsTest, ARuleThatIsLeftOutIsNoticedWithMcpServers) { LeaveOutARule(/*mcp=*/true); }

// A write that its mediator gave up on, and a result after it: whether the account shows harm.
std::vector<std::string> GiveUpOnAWrite(const std::string& left_out, bool mcp) {
  const base::TempFolder folder;
  harness::MediatorOptions options;
  options.bin = TIPSTAFF_BIN_DIR;
  options.source = TIPSTAFF_SOURCE_DIR;
  options.folder = folder.path();
  if (mcp) {
    AddServers("1s", options);  // in which its process is to start
  } else {
    options.outside = "100ms";
  }
  options.more_config = harness::ConfigOfDana(folder.path()).value();
  const auto mediator = harness::Mediator::Start(options);
  if (!mediator.ok()) return {std::string(mediator.status().message())};
  if (mcp) {
    const absl::Status usable = MakeAllUsable(**mediator);
    if (!usable.ok()) return {std::string(usable.message())};
  }
  (*mediator)->Kill();
  const absl::Status started = (*mediator)->StartAgain({"TIPSTAFF_LEAVE_OUT=" + left_out});
  if (!started.ok()) return {std::string(started.message())};
  Operator by(**mediator);
  Told told;
  const harness::OpenedRun run = by.Open("outside-work", R"({"report_id":"r1"})");
  Guest guest(run, told);
  guest.Post("killable", "slow", mcp ? 2500 : 1000);
  guest.Submit("ok");
  if (by.Result(run.run) != "accepted") return {"the result is " + by.Result(run.run)};
  absl::SleepFor(absl::Seconds(2));  // that nothing happens is to be seen
  const auto account = harness::ReadAccount((*mediator)->accounts(), run.run);
  (*mediator)->Kill();
  const auto reader = ledger::Reader::Open((*mediator)->ledger());
  const auto decisions = reader.ok() ? DecisionsOf(**reader, run.run) : reader.status();
  if (!decisions.ok() || !account.ok()) return {"there is nothing to judge"};
  return Judge(*decisions, *account, told.Of(run.run));
}

TEST_F(PointsTest, AWriteAfterAResultIsNoticed) {
  for (const bool mcp : {false, true}) {
    SCOPED_TRACE(mcp ? "an MCP server" : "a test system");
    EXPECT_EQ(absl::StrJoin(GiveUpOnAWrite("nothing", mcp), "\n"), "");
    EXPECT_EQ(absl::StrJoin(GiveUpOnAWrite("stop-before-giving-up", mcp), "\n"),
              "call 1 took effect after a result was sent");
  }
}

}  // namespace
}  // namespace tipstaff::crash
