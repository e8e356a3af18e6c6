// A result is submitted while writes are under way at MCP servers: nothing of them takes effect
// afterwards where that can be had, and where it cannot, the result is held. What took effect is
// told by the servers' own account.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "tests/e2e/upstream_fixture.h"
#include "tests/e2e/work.h"
#include "tests/harness/account.h"
#include "tests/harness/processes.h"

namespace tipstaff::e2e {
namespace {

using harness::Entry;
using ::testing::HasSubstr;

constexpr char kUnconfined[] = ", unconfined: \"it keeps an account where the test looks\"";

std::string Arguments(const std::string& behaviour, const std::string& label = "", int ms = 0) {
  return absl::StrCat(R"({"report_id":"r1","behaviour":")", behaviour, R"(","label":")", label,
                      R"(","ms":)", ms, "}");
}

class UpstreamResultTest : public UpstreamTest {
 protected:
  // One server for each way in which a write can be stopped, and one that takes results.
  void StartAccounts(const std::string& timeout) {
    std::filesystem::create_directories(Path("accounts"));
    queryable_.emplace(std::vector<std::string>{"--accounts", Path("accounts")});
    const std::string time = absl::StrCat(", timeout: ", timeout);
    const std::vector<std::string> flags = {"--accounts", Path("accounts")};
    StartWith(absl::StrCat(
        StdioLine("killable", {"--accounts", "/run/tipstaff/scratch"},
                  absl::StrCat(", stop: killable", time)),
        HttpLine(
            "queryable", queryable_->url(),
            absl::StrCat(", stop: queryable, query: {tool: find_operation, argument: key}", time)),
        StdioLine("unstoppable", flags, absl::StrCat(", stop: none", time), kUnconfined),
        StdioLine("receiver", flags, absl::StrCat(", stop: none", time), kUnconfined)));
    for (const char* server : {"killable", "queryable", "unstoppable", "receiver"}) {
      Must(harness::MakeUsable(
          mediator(), server,
          {{"post", "write", "key"}, {"submit", "finalize", "key"}, {"find_operation", "read"}}));
    }
  }
  std::unique_ptr<Work> Begin() {
    harness::OpenedRun run = Open({"--skill", "fixture-accounts", "--bind", "report_id=r1"});
    Must(harness::ShareAccount(Path("accounts"), run.run,
                               absl::StrCat(folder(), "/run/", run.run, "/killable.scratch")));
    auto agent = StartAgent(run);
    return std::make_unique<Work>(std::move(run), std::move(agent));
  }
  // Of posts in the run's account, of results in the report's.
  int Count(const std::string& account, Entry::What what) {
    int count = 0;
    for (const Entry& entry : Must(harness::ReadAccount(Path("accounts"), account))) {
      count += entry.what == what;
    }
    return count;
  }
  int Effects(const harness::OpenedRun& run) { return Count(run.run, Entry::What::kEffect); }
  std::string Result(const harness::OpenedRun& run) {
    const json::Document shown = Must(mediator().TipstaffJson({"run", "show", run.run}));
    return std::string(shown.root().StringOr("result", "?"));
  }
  void FinalizeWhileWritesHang(bool again);

 private:
  std::optional<HttpServer> queryable_;
};

struct Hanging {
  const char* server;
  const char* behaviour;
  int ms;
  const char* result;   // of the run
  int effects;          // of the write, in the end
  int effects_crashed;  // where the mediator was killed in between
  const char* reason;
};

constexpr Hanging kHanging[] = {
    {"killable", "slow", 100'000, "accepted", 0, 0, "killed, and gone: it never takes effect"},
    {"queryable", "hang_after", 0, "accepted", 1, 1, "asked: it took place"},
    {"queryable", "hang", 0, "held", 0, 0, "asked: not yet, which promises nothing"},
    {"unstoppable", "slow", 33'000, "held", 1, 0,
     "nobody knows, and it does act in the end, unless its process went with the mediator"},
};

void UpstreamResultTest::FinalizeWhileWritesHang(bool again) {
  StartAccounts("60s");
  std::vector<std::unique_ptr<Work>> writers, finalizers;
  for (const Hanging& c : kHanging) {
    SCOPED_TRACE(c.reason);
    writers.push_back(Begin());
    finalizers.push_back(
        std::make_unique<Work>(writers.back()->run, StartAgent(writers.back()->run)));
    writers.back()->Begin(absl::StrCat(c.server, "_post"), Arguments(c.behaviour, "w", c.ms));
    ASSERT_TRUE(Await([&] { return Count(writers.back()->run.run, Entry::What::kAsked) == 1; }));
  }
  ASSERT_TRUE(Await([&] { return Effects(writers[1]->run) == 1; }));
  if (again) {
    mediator().Kill();
    Must(mediator().StartAgain());
  }
  for (const auto& work : finalizers) work->Begin("receiver_submit", Arguments("ok", "result"));
  int accepted = 0;
  for (size_t i = 0; i < std::size(kHanging); ++i) {
    const Hanging& c = kHanging[i];
    SCOPED_TRACE(c.reason);
    const auto& finalized = finalizers[i]->Wait();
    ASSERT_TRUE(finalized.ok()) << finalized.status();
    EXPECT_EQ(Result(writers[i]->run), c.result) << finalized->text;
    EXPECT_EQ(finalized->is_error, std::string(c.result) != "accepted") << finalized->text;
    accepted += !finalized->is_error;
    EXPECT_TRUE(Await([&] {
      return Effects(writers[i]->run) == (again ? c.effects_crashed : c.effects);
    })) << Effects(writers[i]->run);
    EXPECT_EQ(Count(writers[i]->run.run, Entry::What::kAsked), 1) << "sent once";
    EXPECT_EQ(finalizers[i]->Call("killable_post", Arguments("ok")).reason, "run_final");
  }
  EXPECT_EQ(Count("r1", Entry::What::kEffect), accepted) << "held results did not leave";
  EXPECT_EQ(accepted, 2);
}

TEST_F(UpstreamResultTest, AFinalizeStopsWritesThatHang) {
  FinalizeWhileWritesHang(/*again=*/false);
}
TEST_F(UpstreamResultTest, AFinalizeStopsWritesThatHungBeforeACrash) {
  FinalizeWhileWritesHang(/*again=*/true);
}

// Once somebody is told that it is not known whether a write took effect, it takes none any more.
TEST_F(UpstreamResultTest, AKillableWriteThatTookTooLongIsKilledBeforeThatIsSaid) {
  StartAccounts("1s");
  const auto work = Begin();
  EXPECT_FALSE(work->Call("killable_post", Arguments("ok", "first")).is_error);
  const auto confined = [&] {
    std::set<std::string> namespaces;
    for (const pid_t pid : harness::ProcessesWith(Mark())) {
      const std::string one = harness::PidNamespaceOf(pid);
      if (!one.empty() && one != harness::PidNamespaceOf(::getpid())) namespaces.insert(one);
    }
    return namespaces;
  };
  const std::set<std::string> before = confined();
  ASSERT_EQ(before.size(), 1u);
  const harness::CallResult slow = work->Call("killable_post", Arguments("slow", "late", 3000));
  EXPECT_TRUE(harness::ProcessesInPidNamespace(*before.begin()).empty())
      << "the one that had the write is gone by now";
  EXPECT_TRUE(slow.is_error);
  EXPECT_THAT(slow.text, HasSubstr("not known"));
  EXPECT_EQ(Effects(work->run), 1) << "the first one's";
  EXPECT_FALSE(work->Call("killable_post", Arguments("ok", "next")).is_error) << "a new process";
  EXPECT_FALSE(work->Call("receiver_submit", Arguments("ok")).is_error) << "nothing is waited for";
  EXPECT_EQ(Effects(work->run), 2);
}

// The key of a write is the mediator's to give, and tells which one it was.
TEST_F(UpstreamResultTest, AWriteHasAKeyThatTheAgentCannotGive) {
  StartAccounts("60s");
  const auto work = Begin();
  EXPECT_EQ(work->Call("queryable_post", R"({"report_id":"r1","key":"forged"})").reason,
            "argument_refused");
  const harness::CallResult made = work->Call("queryable_post", Arguments("ok", "mine"));
  EXPECT_FALSE(made.is_error) << made.text;
  const std::vector<Entry> account = Must(harness::ReadAccount(Path("accounts"), work->run.run));
  ASSERT_EQ(account.size(), 2u) << "asked, and effect";
  EXPECT_EQ(absl::StrCat(account[1].run, "#", account[1].call), made.decision_id);
  EXPECT_EQ(account[1].label, "mine");
}

// The receiver dies after it took the result. Delivered again, it knows the key.
TEST_F(UpstreamResultTest, AnUnknownResultIsDeliveredAgainUnderItsKey) {
  StartAccounts("60s");
  const auto work = Begin();
  EXPECT_THAT(work->Call("receiver_submit", Arguments("crash_after,ok", "result")).text,
              HasSubstr("not known"));
  EXPECT_EQ(work->Call("killable_post", Arguments("ok")).reason, "run_final");
  EXPECT_TRUE(Await([&] { return Result(work->run) == "accepted"; }));
  const std::vector<Entry> account = Must(harness::ReadAccount(Path("accounts"), "r1"));
  EXPECT_EQ(Count("r1", Entry::What::kAsked), 2);
  EXPECT_EQ(Count("r1", Entry::What::kEffect), 1);
  EXPECT_EQ(account.front().key, account.back().key);
  EXPECT_EQ(account.front().key.size(), 64u);
}

}  // namespace
}  // namespace tipstaff::e2e
