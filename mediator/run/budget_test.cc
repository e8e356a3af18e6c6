// A run that fills its part of the ledger, or goes on after its limits, is revoked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/run/limits.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::run {
namespace {

using call::Reason;
using ::testing::HasSubstr;

constexpr char kRefused[] = R"({"id":"other","text":"a"})";

uint64_t BytesOf(const std::vector<call::Record>& records) {
  uint64_t bytes = 0;
  for (const call::Record& record : records) bytes += SizeInLedger(record);
  return bytes;
}

class BudgetTest : public ::testing::Test {
 protected:
  Reason Ask(const std::string& tool, const std::string& arguments) {
    const StreamId stream = play_.Call(absl::StrCat("c", ++ids_), tool, arguments);
    play_.CommitAll();
    return play_.replies.at(stream).reason;
  }
  // What became of the run, and of all that is asked until then.
  Ended FillUp(const std::string& tool, const std::string& arguments) {
    for (int i = 0; i < 100'000 && !play_.finished; ++i) Ask(tool, arguments);
    EXPECT_TRUE(play_.finished);
    for (const call::Record& record : play_.durable) {
      if (record.kind == call::RecordKind::kRevoked) return *DecodeEnded(record);
    }
    ADD_FAILURE() << "it was not revoked";
    return {};
  }

  Playbook play_;
  int ids_ = 0;
};

TEST_F(BudgetTest, RefusalsFillItAndTheRunIsRevoked) {
  play_.Budget(1 << 20);
  const Ended ended = FillUp("in.write_it", kRefused);
  EXPECT_EQ(ended.by, "tipstaff");
  EXPECT_THAT(ended.why, HasSubstr("budget of 1.0 MiB"));
  EXPECT_GT(ids_, 500);
  EXPECT_LE(BytesOf(play_.durable), 1u << 20) << "with what closing took";
  EXPECT_GT(BytesOf(play_.durable), (1u << 20) - kRoomToClose - 4096);
  EXPECT_EQ(play_.durable.back().kind, call::RecordKind::kClosed);
}

TEST_F(BudgetTest, SoDoArgumentsOfAllowedCalls) {
  play_.Budget(1 << 20);
  const std::string text(100 << 10, 'x');
  FillUp("in.write_it", absl::StrCat(R"({"id":"r1","text":")", text, "\"}"));
  EXPECT_LT(ids_, 12);
}

TEST_F(BudgetTest, HoldsAcrossCrashes) {
  play_.Budget(1 << 20);
  while (BytesOf(play_.durable) < (1u << 19)) Ask("in.write_it", kRefused);
  const int half = ids_;
  play_.Crash();
  FillUp("in.write_it", kRefused);
  EXPECT_LT(ids_, 2 * half) << "what was on record before counts";
}

TEST_F(BudgetTest, OfAClosedRunNothingMoreIsRecorded) {
  play_.Budget(1 << 20);
  const StreamId hangs = play_.Call("hangs", "out.write_it", R"({"id":"r1","text":"a"})");
  play_.CommitAll();
  while (play_.run->access() == Access::kOpen) Ask("in.write_it", kRefused);
  const size_t records = play_.durable.size();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Ask("in.write_it", kRefused), Reason::kRunRevoked);
  EXPECT_EQ(play_.durable.size(), records);
  play_.Answer(1, call::OutcomeKind::kOk);
  play_.CommitAll();
  EXPECT_TRUE(play_.finished);
  EXPECT_TRUE(play_.replies.contains(hangs));
}

TEST_F(BudgetTest, GoingOnAfterALimitRevokes) {
  Ask("in.write_few", R"({"id":"r1"})");
  Ask("in.write_few", R"({"id":"r1"})");
  const Ended ended = FillUp("in.write_few", R"({"id":"r1"})");
  EXPECT_THAT(ended.why, HasSubstr("went on after its limits"));
  EXPECT_EQ(ids_, 2 + kMaxLimitRefusals + 1);
}

TEST_F(BudgetTest, WithoutABudgetThereIsNoEnd) {
  for (int i = 0; i < 3000; ++i) Ask("in.write_it", kRefused);
  EXPECT_EQ(play_.run->access(), Access::kOpen);
}

}  // namespace
}  // namespace tipstaff::run
