// Case 34: a result that is forged. The first one stands.
#include <gmock/gmock.h>

#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::security {
namespace {

using ::testing::HasSubstr;

class Case34ForgedResult : public e2e::E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
    guest_ = std::make_unique<e2e::RawGuest>(run_.socket);
    guest_->HelloFrom(run_.token_file);
    EXPECT_EQ(guest_->Call("r", "reports.get_report", e2e::kReadArguments).reason, "permitted");
  }
  std::string Submit(const char* id, const std::string& arguments) {
    return guest_->Call(id, "reports.submit_result", arguments).reason;
  }

  harness::OpenedRun run_;
  std::unique_ptr<e2e::RawGuest> guest_;
};

TEST_F(Case34ForgedResult, ForAnotherReport) {
  EXPECT_EQ(Submit("a", R"({"report_id":"rep_demo0002","severity":"low","summary":"s"})"),
            "out_of_scope");
  EXPECT_EQ(Submit("b", e2e::ResultArguments("Phishing.")), "permitted") << "nothing was sealed";
}

TEST_F(Case34ForgedResult, WithAFieldMore) {
  EXPECT_EQ(Submit("a", R"({"report_id":"rep_demo0001","severity":"low","summary":"s","final":1})"),
            "argument_refused");
  EXPECT_EQ(Submit("b", R"({"report_id":"rep_demo0001","severity":"fatal","summary":"s"})"),
            "argument_refused");
  EXPECT_EQ(Submit("c", e2e::ResultArguments("Phishing.")), "permitted");
}

TEST_F(Case34ForgedResult, ASecondOne) {
  EXPECT_EQ(Submit("a", e2e::ResultArguments("Phishing.")), "permitted");
  EXPECT_EQ(Submit("b", e2e::ResultArguments("Nothing to see.")), "run_final");
  EXPECT_EQ(Submit("c", R"({"report_id":"rep_demo0002","severity":"low","summary":"s"})"),
            "out_of_scope");
  EXPECT_EQ(guest_->Call("d", "reports.attach_evidence", e2e::EvidenceArguments("a.txt")).reason,
            "run_final");
  const e2e::RawAnswer read = guest_->Call("e", "reports.get_report", e2e::kReadArguments);
  EXPECT_EQ(read.reason, "permitted") << "reads go on";
  size_t accepted = 0;
  for (const review::Row& row : Decisions(run_.run)) {
    accepted += row.decided.decision.effect == call::Effect::kFinalize && row.settled ? 1 : 0;
  }
  EXPECT_EQ(accepted, 1u);
}

}  // namespace
}  // namespace tipstaff::security
