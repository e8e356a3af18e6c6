// `tipstaff stub record` and `stub export`: what a run did becomes a stub, and files.
#include <gmock/gmock.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/write.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class RecordTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
    Call("reports.get_report", kReadArguments, 0);
    Call("mail.send_message", R"({"to":["collector@outside.example"],"subject":"s","body":"b"})",
         1);  // refused
    Call("reports.attach_evidence", EvidenceArguments("one.txt"), 0);
    Call("reports.submit_result", ResultArguments("It is spam."), 0);
  }
  std::string Call(const std::string& tool, const std::string& arguments, int status) {
    const harness::Finished called =
        Tipstaff({"call", tool, arguments, "--run", run_.run, "--format", "json"});
    EXPECT_EQ(called.status, status) << called.out << called.err;
    return called.out;
  }
  harness::Finished Record(std::vector<std::string> more) {
    more.insert(more.begin(), {"stub", "record", "--run", run_.run, "--into", Path("recorded")});
    return Tipstaff(std::move(more));
  }
  std::string Rules(const std::string& text) {
    Must(base::WriteFile(Path("rules.yaml"), text));
    return Path("rules.yaml");
  }
  // All that was written.
  std::string AllText() {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(Path("recorded"))) {
      if (entry.is_regular_file()) all += Must(base::ReadFile(entry.path().string()));
    }
    return all;
  }

  harness::OpenedRun run_;
};

TEST_F(RecordTest, ARunReplaysThroughItsRecording) {
  const harness::Finished recorded =
      Record({"--backend", "reports", "--redact",
              Rules("redact: [{at: /reporter/email, with: \"reporter{n}@customer.example\"}]")});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_THAT(recorded.out, AllOf(HasSubstr("reports_recorded: 3 calls of `reports`"),
                                  HasSubstr("attach_evidence (1), get_report (1), submit_result"),
                                  HasSubstr("/reporter/email: 1")));
  EXPECT_THAT(AllText(), AllOf(HasSubstr("reporter1@customer.example"),
                               Not(HasSubstr("mina.okafor@acme.example"))));
  // Its own tests make the calls again; nothing of the system that was recorded is there.
  const harness::Finished tested = Bare({"stub", "test", Path("recorded/reports_recorded")});
  EXPECT_EQ(tested.status, 0) << tested.out << tested.err;
  EXPECT_THAT(tested.out, HasSubstr("1 passed, 0 failed"));
  const harness::Finished other = Bare({"stub", "call", Path("recorded/reports_recorded"),
                                        "get_report", R"({"report_id":"rep_demo0002"})"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("unmatched"));
}

TEST_F(RecordTest, NothingIsWrittenWithoutAWordOnWhatMayBeKept) {
  ExpectFails(Record({}), 2, {"--redact FILE", "--unredacted WHY"});
  ExpectFails(Record({"--redact", Path("none.yaml")}), 2, {"none.yaml"});
  ExpectFails(Record({"--redact", Rules("redact: []")}), 2, {"`redact` without a rule"});
  ExpectFails(Record({"--unredacted", " "}), 2, {"needs a reason"});
  ExpectFails(Record({"--backend", "reports", "--redact",
                      Rules("redact: [{tool: get_reprt, at: /id, with: x}]")}),
              2, {"there is no tool `get_reprt`"});
  ExpectFails(
      Record({"--backend", "reports", "--redact", Rules("redact: [{matching: hunter3, with: x}]")}),
      2, {"rule 1 (`hunter3`) found nothing"});
  // In capitals it stands in the text, too.
  EXPECT_EQ(Record({"--backend", "reports", "--redact",
                    Rules("redact: [{matching: 'INVOICE mail', with: x, optional: true}, "
                          "{matching: 'Invoice mail', with: x}]")})
                .status,
            0);
  fs::remove_all(Path("recorded"));
  ExpectFails(Record({"--unredacted", "made up", "--backend", "report"}), 2,
              {"no backend `report`", "`reports`"});
  ExpectFails(Record({"--unredacted", "made up", "--name", "a/b"}), 2, {"`a/b`"});
  EXPECT_FALSE(fs::exists(Path("recorded")));
  EXPECT_EQ(Record({"--unredacted", "made up", "--backend", "reports"}).status, 0);
  EXPECT_THAT(AllText(), HasSubstr("Not redacted: made up"));
  ExpectFails(Record({"--unredacted", "made up", "--backend", "reports"}), 2,
              {"already there, and nothing was written"});
}

TEST_F(RecordTest, ExportsWhatWasCaptured) {
  EXPECT_EQ(Tipstaff({"stub", "export", "--run", run_.run, "--stub", "reports", "--table",
                      "evidence", "--into", Path("out")})
                .status,
            0);
  EXPECT_THAT(Must(base::ReadFile(Path("out/evidence.json"))), HasSubstr("\"name\":\"one.txt\""));
  const harness::OpenedRun reply = OpenReply();
  EXPECT_EQ(
      Tipstaff({"call", "tickets.get_ticket", R"({"ticket_id":"TCK-1001"})", "--run", reply.run})
          .status,
      0);
  EXPECT_EQ(Tipstaff({"call", "mail.draft_message",
                      R"({"to":["priya.nair@customer.example"],"subject":"Grüße","body":"Soon."})",
                      "--run", reply.run})
                .status,
            0);
  const harness::Finished exported =
      Tipstaff({"stub", "export", "--run", reply.run, "--stub", "mail", "--table", "drafts", "--as",
                "eml", "--into", Path("mail")});
  ASSERT_EQ(exported.status, 0) << exported.err;
  std::string eml;
  for (const auto& entry : fs::directory_iterator(Path("mail"))) {
    EXPECT_EQ(entry.path().extension(), ".eml");
    eml = Must(base::ReadFile(entry.path().string()));
  }
  EXPECT_THAT(eml, AllOf(HasSubstr("To: priya.nair@customer.example\r\n"),
                         HasSubstr("Subject: =?utf-8?B?")));
  ExpectFails(Tipstaff({"stub", "export", "--run", reply.run, "--stub", "mail", "--table", "nil",
                        "--into", Path("mail")}),
              2, {"has no table `nil`"});
  ExpectFails(
      Tipstaff({"stub", "export", "--run", run_.run, "--stub", "reports", "--into", Path("x")}), 2,
      {"--table", "`evidence`, `results`"});
}

}  // namespace
}  // namespace tipstaff::e2e
