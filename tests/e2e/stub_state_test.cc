// `tipstaff show RUN#N --state STUB`: what a stub's tables held after a decision.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class StubStateTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
  }
  void Call(const std::string& tool, const std::string& arguments, int status) {
    const harness::Finished called = Tipstaff({"call", tool, arguments, "--run", run_.run});
    EXPECT_EQ(called.status, status) << called.out << called.err;
  }
  std::vector<std::string> Show(int number, std::vector<std::string> more) {
    more.insert(more.begin(), {"show", absl::StrCat(run_.run, "#", number)});
    return more;
  }
  // The table `evidence` of the stub after a decision, as JSON.
  std::string EvidenceAfter(int number) {
    const json::Document shown =
        Must(mediator().TipstaffJson(Show(number, {"--state", "reports", "--table", "evidence"})));
    EXPECT_EQ(shown.root().StringOr("decision", ""), absl::StrCat(run_.run, "#", number));
    EXPECT_EQ(shown.root().StringOr("stub", ""), "reports");
    std::string names;
    for (const json::Value row : shown.root().Find("tables").Find("evidence").items()) {
      absl::StrAppend(&names, row.StringOr("name", "?"), " ");
    }
    return names;
  }

  harness::OpenedRun run_;
};

TEST_F(StubStateTest, IsWhatItWasAtEachDecision) {
  Call("reports.get_report", kReadArguments, 0);
  Call("reports.attach_evidence", EvidenceArguments("one.txt"), 0);
  Call("reports.attach_evidence", R"({"report_id":"rep_other001","name":"x","content":"y"})", 1);
  Call("reports.attach_evidence", EvidenceArguments("two.txt"), 0);
  Call("reports.submit_result", ResultArguments("It is spam."), 0);
  EXPECT_EQ(EvidenceAfter(1), "");
  EXPECT_EQ(EvidenceAfter(2), "one.txt ");
  EXPECT_EQ(EvidenceAfter(3), "one.txt ") << "as it was when the call was refused";
  EXPECT_EQ(EvidenceAfter(4), "one.txt two.txt ");

  const harness::Finished text = Tipstaff(Show(4, {"--state", "reports"}));
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out,
              AllOf(HasSubstr(absl::StrCat("stub reports after ", run_.run, "#4")),
                    HasSubstr("\nevidence  2 rows\n  ev_0001  at="), HasSubstr("\n+ ev_0002  "),
                    HasSubstr("\nresults  0 rows\n"), HasSubstr("rep_demo0001")));
  EXPECT_THAT(Tipstaff(Show(5, {"--state", "reports"})).out,
              AllOf(HasSubstr("\n+ rep_demo0001  at="), HasSubstr("\n  ev_0002  ")));

  // The run is over, and so is the mediator: the record is enough.
  EXPECT_EQ(Tipstaff({"run", "close", run_.run}).status, 0);
  mediator().Kill();
  EXPECT_EQ(EvidenceAfter(2), "one.txt ");
  EXPECT_EQ(EvidenceAfter(5), "one.txt two.txt ");
}

TEST_F(StubStateTest, WhatCannotBeShownSaysWhy) {
  Call("reports.get_report", kReadArguments, 0);
  ExpectFails(Tipstaff(Show(1, {"--state", "report"})), 2,
              {"the run has no stub `report`: there is `", "`reports`"});
  ExpectFails(Tipstaff(Show(1, {"--state", "reports", "--table", "evidnce"})), 2,
              {"stub `reports` has no table `evidnce`", "`evidence`"});
  ExpectFails(Tipstaff(Show(7, {"--state", "reports"})), 2, {"has no decision 7"});
  EXPECT_NE(Tipstaff(Show(1, {"--table", "evidence"})).status, 0);
}

}  // namespace
}  // namespace tipstaff::e2e
