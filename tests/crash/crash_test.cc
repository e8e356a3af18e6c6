// SIGKILL under load: every answer that an agent got is in the ledger afterwards, once, with the
// same decision, and the chains verify.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/review/timeline.h"
#include "tests/harness/agent.h"
#include "tests/harness/mediator.h"

namespace tipstaff {
namespace {

constexpr int kAgents = 4;
constexpr int kRoundsOfARun = 10;  // a run's state is rebuilt in each: keep it short
constexpr absl::Duration kLongestLoad = absl::Milliseconds(250);

int Rounds() {
  int rounds = 50;
  if (const char* text = std::getenv("TIPSTAFF_CRASH_ROUNDS")) {
    EXPECT_TRUE(absl::SimpleAtoi(text, &rounds)) << "TIPSTAFF_CRASH_ROUNDS is not a number";
  }
  return rounds;
}

struct Acknowledged {
  std::string decision_id, reason, arguments;
};

// One agent that calls without a pause until told to stop: writes, reads and refusals in turn.
class Load {
 public:
  Load(const harness::Mediator& mediator, const harness::OpenedRun& run, int agent)
      : bin_(mediator.options().bin), run_(run), agent_(agent), thread_([this] { Work(); }) {}
  // The calls that were answered.
  std::vector<Acknowledged> Stop() {
    stop_ = true;
    thread_.join();
    return std::move(acknowledged_);
  }
  const std::string& problem() const { return problem_; }

 private:
  void Work() {
    const auto agent = harness::Agent::Start(bin_, run_, "/dev/null");
    if (!agent.ok()) {
      problem_ = std::string(agent.status().message());
      return;
    }
    for (int n = 0; !stop_; ++n) {
      const std::string report = n % 5 == 4 ? "rep_demo0002" : "rep_demo0001";
      const std::string arguments =
          n % 3 == 2 ? absl::StrCat(R"({"report_id":")", report, R"("})")
                     : absl::StrCat(R"({"content":"evidence","name":"a)", agent_, "-", n,
                                    R"(.txt","report_id":")", report, R"("})");
      const auto call =
          (*agent)->Call(n % 3 == 2 ? "reports_get_report" : "reports_attach_evidence", arguments);
      if (!call.ok()) {
        problem_ = std::string(call.status().message());
        return;
      }
      // An answer without a decision id says itself that it is on no record.
      if (!call->decision_id.empty()) {
        acknowledged_.push_back({call->decision_id, call->reason, arguments});
      }
    }
  }

  const std::string bin_;
  const harness::OpenedRun run_;
  const int agent_;
  std::atomic<bool> stop_{false};
  std::vector<Acknowledged> acknowledged_;
  std::string problem_;
  std::thread thread_;
};

void CheckRun(const std::string& ledger, const std::string& run,
              const std::vector<Acknowledged>& acknowledged) {
  auto reader = ledger::Reader::Open(ledger);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_TRUE((*reader)->VerifyRun(run).ok()) << (*reader)->VerifyRun(run);
  std::map<std::string, review::Row> rows;
  std::set<std::string> acted;  // arguments of writes that took effect
  review::Timeline timeline(**reader, run, ledger::Reader::Payload::kFetch);
  for (;;) {
    auto page = timeline.Next();
    ASSERT_TRUE(page.ok()) << page.status();
    if (page->empty()) break;
    for (review::Row& row : *page) {
      const bool wrote = row.decided.tool == "reports.attach_evidence" && row.settled &&
                         row.settled->outcome.kind == call::OutcomeKind::kOk;
      if (wrote) {
        EXPECT_TRUE(acted.insert(row.decided.arguments).second)
            << row.id() << " acted a second time: " << row.decided.arguments;
      }
      const std::string id = row.id();
      EXPECT_TRUE(rows.emplace(id, std::move(row)).second) << id << " twice";
    }
  }
  for (const Acknowledged& one : acknowledged) {
    const auto row = rows.find(one.decision_id);
    ASSERT_NE(row, rows.end()) << one.decision_id << " was acknowledged and is missing";
    EXPECT_EQ(call::ReasonName(row->second.decided.decision.reason), one.reason);
    EXPECT_EQ(row->second.decided.arguments, one.arguments) << one.decision_id;
    if (one.reason == "permitted") {
      EXPECT_TRUE(row->second.settled.has_value()) << one.decision_id;
    }
  }
}

TEST(Crash, NoAcknowledgedCallIsMissingAfterSigkillUnderLoad) {
  base::TempFolder folder;
  const int rounds = Rounds();
  const uint32_t seed = static_cast<uint32_t>(absl::ToUnixMicros(absl::Now()));
  std::printf("%d rounds, seed %u\n", rounds, seed);
  std::mt19937 random(seed);
  auto mediator = harness::Mediator::Start(
      {TIPSTAFF_BIN_DIR, TIPSTAFF_SOURCE_DIR, folder.path(), /*test_files=*/true, ""});
  ASSERT_TRUE(mediator.ok()) << mediator.status();
  size_t total = 0;
  for (int done = 0; done < rounds;) {
    const auto run = (*mediator)->OpenRun(
        {"--skill", "steady-work", "--bind", "report_id=rep_demo0001", "--bind", "tenant=acme"});
    ASSERT_TRUE(run.ok()) << run.status();
    std::vector<std::unique_ptr<Load>> loads;
    for (int i = 0; i < kAgents; ++i) {
      loads.push_back(std::make_unique<Load>(**mediator, *run, i));
    }
    for (int i = 0; i < kRoundsOfARun && done < rounds; ++i, ++done) {
      absl::SleepFor(kLongestLoad * std::uniform_real_distribution<>(0, 1)(random));
      (*mediator)->Kill();
      const absl::Status again = (*mediator)->StartAgain();
      ASSERT_TRUE(again.ok()) << again;
    }
    std::vector<Acknowledged> acknowledged;
    for (const auto& load : loads) {
      std::vector<Acknowledged> more = load->Stop();
      EXPECT_EQ(load->problem(), "");
      acknowledged.insert(acknowledged.end(), more.begin(), more.end());
    }
    // The last kill falls on a mediator that answered just before.
    (*mediator)->Kill();
    CheckRun((*mediator)->ledger(), run->run, acknowledged);
    if (HasFatalFailure()) return;
    total += acknowledged.size();
    ASSERT_TRUE((*mediator)->StartAgain().ok());
  }
  std::printf("%zu acknowledged calls, all on record\n", total);
  EXPECT_GT(total, static_cast<size_t>(rounds)) << "hardly any load: the test says nothing";
}

}  // namespace
}  // namespace tipstaff
