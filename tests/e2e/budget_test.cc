// One run fills its part of the ledger; the other does not notice.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "mediator/run/records.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BudgetTest : public E2eTest {};

TEST_F(BudgetTest, ARunThatFillsItIsRevokedAndTheOtherGoesOn) {
  Start({.more_config = "run_budget: 1MiB\n"});
  const harness::OpenedRun greedy = OpenTriage(), other = OpenTriage();
  const auto filling = StartAgent(greedy), working = StartAgent(other);
  const std::string refused =
      absl::StrCat(R"({"report_id":"rep_demo0002","text":")", std::string(8000, 'x'), "\"}");
  int calls = 0;
  harness::CallResult last;
  do {
    last = Must(filling->Call("reports_get_report", refused));
    ASSERT_TRUE(last.is_error);
    ASSERT_LT(++calls, 2000);
    if (calls % 50 == 0) {
      EXPECT_FALSE(Must(working->Call("reports_get_report", kReadArguments)).is_error);
    }
  } while (last.reason != "run_revoked");
  EXPECT_GT(calls, 150);
  EXPECT_FALSE(Must(working->Call("reports_get_report", kReadArguments)).is_error);
  EXPECT_EQ(Must(filling->Call("reports_get_report", refused)).reason, "run_revoked");

  uint64_t bytes = 0;
  bool revoked = false;
  for (const ledger::StoredRecord& stored : Records(greedy.run)) {
    bytes += stored.record.body.size() + stored.record.payload.size();
    if (stored.record.kind != call::RecordKind::kRevoked) continue;
    revoked = true;
    EXPECT_THAT(Must(run::DecodeEnded(stored.record)).why, HasSubstr("budget of 1.0 MiB"));
  }
  EXPECT_TRUE(revoked);
  EXPECT_LE(bytes, 1u << 20);
  EXPECT_THAT(Tipstaff({"run", "show", greedy.run}).out,
              HasSubstr("revoked by tipstaff: its records fill its budget of 1.0 MiB"));
  EXPECT_THAT(Tipstaff({"run", "list"}).out, AllOf(HasSubstr(other.run)));
}

}  // namespace
}  // namespace tipstaff::e2e
