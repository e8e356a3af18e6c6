#include "mediator/review/follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/testing/appends.h"

namespace tipstaff::review {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kRun[] = "run_abcdefghijkl", kOther[] = "run_bcdefghijklm";
const absl::Time kTime = absl::FromUnixSeconds(1'777'000'000);

call::Record Decided(uint64_t number, call::Verdict verdict,
                     call::Effect effect = call::Effect::kRead, uint64_t same_as = 0) {
  run::Decided decided{.number = number, .call_id = absl::StrCat(number), .tool = "a.b"};
  decided.decision.verdict = verdict;
  decided.decision.effect = effect;
  decided.same_as = same_as;
  decided.time = kTime;
  return run::EncodeDecided(decided);
}

call::Record Settled(uint64_t number) {
  run::Settled settled{.number = number, .time = kTime};
  settled.outcome.kind = call::OutcomeKind::kOk;
  return run::EncodeSettled(settled);
}

class FollowerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ledger_ = *ledger::Ledger::Open(folder_.Path("t.db"));
    ASSERT_TRUE(ledger::OpenNow(*ledger_, kRun).ok());
    ASSERT_TRUE(ledger::OpenNow(*ledger_, kOther).ok());
    reader_ = *ledger::Reader::Open(folder_.Path("t.db"));
  }
  void Append(const std::string& run, std::vector<call::Record> records) {
    ASSERT_TRUE(ledger::AppendNow(*ledger_, run, std::move(records)).ok());
  }
  std::vector<std::string> Shown(Follower& follower, absl::Duration later = absl::ZeroDuration()) {
    const auto rows = follower.Next(*reader_, kTime + later);
    EXPECT_TRUE(rows.ok()) << rows.status();
    std::vector<std::string> shown;
    for (const Row& row : *rows) {
      shown.push_back(absl::StrCat(row.run == kRun ? "" : "other ", row.decided.number,
                                   row.settled ? " over" : "", row.steps.empty() ? "" : " final"));
    }
    return shown;
  }

  base::TempFolder folder_;
  std::unique_ptr<ledger::Ledger> ledger_;
  std::unique_ptr<ledger::Reader> reader_;
};

TEST_F(FollowerTest, ShowsEachDecisionOnceItIsOver) {
  Follower all(""), one(kRun);
  Append(kRun, {Decided(1, call::Verdict::kAllow), Settled(1)});
  Append(kRun, {Decided(2, call::Verdict::kAllow)});
  Append(kRun, {Decided(3, call::Verdict::kDeny), Decided(4, call::Verdict::kHold)});
  Append(kOther, {Decided(1, call::Verdict::kDeny)});
  EXPECT_THAT(Shown(all), ElementsAre("1 over", "3", "4", "other 1"));
  EXPECT_THAT(Shown(one), ElementsAre("1 over", "3", "4"));
  EXPECT_THAT(Shown(one), IsEmpty());
  Append(kRun, {Settled(2)});
  EXPECT_THAT(Shown(one), ElementsAre("2 over"));
  EXPECT_THAT(Shown(all), ElementsAre("2 over"));
  EXPECT_FALSE(one.over());
}

TEST_F(FollowerTest, ShowsOneThatTakesLongBeforeItIsOver) {
  Follower follower(kRun);
  Append(kRun, {Decided(1, call::Verdict::kAllow)});
  EXPECT_THAT(Shown(follower, Follower::kPatience - absl::Milliseconds(1)), IsEmpty());
  EXPECT_THAT(Shown(follower, Follower::kPatience), ElementsAre("1"));
  EXPECT_THAT(Shown(follower, absl::Hours(1)), IsEmpty());
  Append(kRun, {Settled(1)});
  EXPECT_THAT(Shown(follower, absl::Hours(1)), ElementsAre("1 over"));
}

TEST_F(FollowerTest, ShowsAResultWithWhatBecameOfIt) {
  Follower follower(kRun);
  const auto step = [](call::RecordKind kind) { return run::EncodeStep(kind, 1, kTime); };
  Append(kRun, {Decided(1, call::Verdict::kAllow, call::Effect::kFinalize),
                step(call::RecordKind::kSealing), step(call::RecordKind::kSubmitting)});
  EXPECT_THAT(Shown(follower), IsEmpty());
  Append(kRun, {Settled(1), step(call::RecordKind::kAccepted)});
  EXPECT_THAT(Shown(follower), ElementsAre("1 over final"));
  Append(kRun, {Decided(2, call::Verdict::kAllow, call::Effect::kFinalize, 1)});
  EXPECT_THAT(Shown(follower), ElementsAre("2")) << "the same result again: nothing more comes";
}

TEST_F(FollowerTest, EndsWithTheRunThatItFollows) {
  Follower all(""), one(kRun);
  Append(kRun, {Decided(1, call::Verdict::kAllow)});
  Append(kRun, {run::EncodeClosed({}, kTime)});
  EXPECT_THAT(Shown(one), ElementsAre("1"));
  EXPECT_TRUE(one.over());
  EXPECT_THAT(Shown(all), ElementsAre("1"));
  EXPECT_FALSE(all.over()) << "other runs may come";
}

// `log --follow` held all of the past in memory before it printed the first row.
TEST_F(FollowerTest, ReadsAPageAtATime) {
  Follower all(""), one(kRun);
  std::vector<call::Record> records;
  for (uint64_t i = 1; i <= 1200; ++i) records.push_back(Decided(i, call::Verdict::kDeny));
  Append(kRun, std::move(records));
  for (Follower* follower : {&all, &one}) {
    std::vector<size_t> shown;
    do {
      shown.push_back(Shown(*follower).size());
    } while (!follower->caught_up() && shown.size() < 10);
    ASSERT_EQ(shown.size(), 3u);
    for (const size_t rows : shown) EXPECT_LE(rows, Follower::kPage);
    EXPECT_EQ(shown[0] + shown[1] + shown[2], 1200u) << "each once";
  }
  Append(kRun, {Decided(1201, call::Verdict::kDeny)});
  EXPECT_THAT(Shown(all), ElementsAre("1201"));
  EXPECT_TRUE(all.caught_up());
}

TEST_F(FollowerTest, WaitsForAnOutcomeInWhatItHasNotReadYet) {
  Follower follower(kRun);
  std::vector<call::Record> records = {Decided(1, call::Verdict::kAllow)};
  for (uint64_t i = 2; i <= 700; ++i) records.push_back(Decided(i, call::Verdict::kDeny));
  records.push_back(Settled(1));
  Append(kRun, std::move(records));
  std::vector<std::string> shown;
  do {
    for (std::string& row : Shown(follower, absl::Hours(1))) shown.push_back(std::move(row));
  } while (!follower.caught_up());
  EXPECT_EQ(shown.size(), 700u) << "the old one is not shown without its outcome first";
  EXPECT_EQ(shown.back(), "1 over");
}

}  // namespace
}  // namespace tipstaff::review
