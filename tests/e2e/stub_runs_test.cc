// A stub's state belongs to a run, and follows from its seed and calls alone.
#include <gmock/gmock.h>

#include <filesystem>
#include <mutex>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/file.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kRuns = 50;

class StubRunsTest : public E2eTest {
 protected:
  void Call(const harness::OpenedRun& run, const std::string& tool, const std::string& arguments) {
    const harness::Finished called = Tipstaff({"call", tool, arguments, "--run", run.run});
    EXPECT_EQ(called.status, 0) << called.out << called.err;
  }
  // The results of a run's calls as the ledger has them. `kill`: the mediator, in the middle.
  std::string Results(const std::string& seed, bool kill) {
    const harness::OpenedRun run = OpenTriage({"--seed", seed});
    Call(run, "reports.get_report", kReadArguments);
    Call(run, "reports.attach_evidence", EvidenceArguments("one.txt"));
    if (kill) {
      mediator().Kill();
      Must(mediator().StartAgain());
    }
    Call(run, "reports.attach_evidence", EvidenceArguments("two.txt"));
    Call(run, "reports.submit_result", ResultArguments("It is spam."));
    std::string results;
    for (const review::Row& row : Decisions(run.run)) {
      if (row.settled) absl::StrAppend(&results, row.settled->outcome.result, "\n");
    }
    return results;
  }
};

TEST_F(StubRunsTest, TheSeedAndTheCallsSayWhatComesOut) {
  Start();
  const std::string results = Results("one seed", /*kill=*/false);
  EXPECT_EQ(Results("one seed", /*kill=*/false), results);
  EXPECT_EQ(Results("one seed", /*kill=*/true), results);
  EXPECT_NE(Results("another seed", /*kill=*/false), results);
}

std::string PlantedIn(int run) { return absl::StrCat("planted-", run, "-xyzzy"); }

// What of one run's work is not as it should be.
std::string Work(const harness::OpenedRun& run, int number) {
  RawGuest guest(run.socket);
  const RawAnswer hello = guest.Hello(Must(base::ReadFile(run.token_file)));
  if (hello.code != "OK") return hello.message;
  for (int i = 0; i < 3; ++i) {
    const RawAnswer written =
        guest.Call(absl::StrCat("w", i), "work.write_file",
                   absl::StrCat(R"({"folder":"run-)", number, R"(","path":"p","content":")",
                                PlantedIn(number), "\"}"));
    if (written.reason != "permitted") return written.message;
  }
  const std::string listed = guest.Call("l", "work.list_done", "{}").result;
  if (!absl::StrContains(listed, PlantedIn(number))) return "its own work is not there";
  for (int other = 0; other < kRuns; ++other) {
    if (other != number && absl::StrContains(listed, PlantedIn(other))) {
      return absl::StrCat("it sees what run ", other, " did");
    }
  }
  return absl::StrContains(listed, "done_0004") ? "it sees more than it did" : "";
}

// The files that hold `text`, but the ledger's.
std::vector<std::string> FilesWith(const std::string& folder, const std::string& text) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || absl::StartsWith(name, "tipstaff.db")) continue;
    if (absl::StrContains(Must(base::ReadFile(entry.path().string())), text)) found.push_back(name);
  }
  return found;
}

TEST_F(StubRunsTest, ManyAtOnceSeeOnlyTheirOwnStateAndLeaveNothing) {
  harness::MediatorOptions options;
  options.test_files = true;
  Start(options);
  std::vector<harness::OpenedRun> runs;
  for (int i = 0; i < kRuns; ++i) {
    runs.push_back(Open({"--skill", "own-work", "--bind", absl::StrCat("folder=run-", i)}));
  }
  std::mutex mutex;
  std::vector<std::string> problems;
  std::vector<std::thread> threads;
  for (int i = 0; i < kRuns; ++i) {
    threads.emplace_back([&, i] {
      std::string problem;
      try {
        problem = Work(runs[i], i);
      } catch (const std::exception& error) {
        problem = error.what();
      }
      const std::lock_guard<std::mutex> guard(mutex);
      if (!problem.empty()) problems.push_back(absl::StrCat("run ", i, ": ", problem));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(problems, IsEmpty());
  for (const harness::OpenedRun& run : runs) {
    EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
    EXPECT_THAT(Records(run.run), SizeIs(testing::Gt(8)));
  }
  EXPECT_THAT(FilesWith(fs::path(mediator().ledger()).parent_path(), "xyzzy"), IsEmpty());
}

}  // namespace
}  // namespace tipstaff::e2e
