// The operator's commands, from opening a run to reading what was decided in it.
#include <gmock/gmock.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/run/records.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kOtherReport[] = R"({"report_id":"rep_demo0002"})";

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

class OperatorTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage({"--fact", "runtime=firecracker-1.16.2", "--seed", "fixed"});
  }
  harness::Finished Call(const std::string& tool, const std::string& arguments,
                         std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"call", tool, arguments, "--run", run_.run});
    return Tipstaff(std::move(more));
  }
  // The numbers of the decisions that `tipstaff log` prints.
  std::vector<std::string> Logged(std::vector<std::string> terms) {
    terms.insert(terms.begin(), "log");
    const harness::Finished log = Tipstaff(std::move(terms));
    EXPECT_EQ(log.status, 0) << log.err;
    std::vector<std::string> numbers;
    for (const std::string& line : Lines(log.out)) {
      const size_t mark = line.find('#');
      if (mark != std::string::npos) numbers.push_back(line.substr(mark, line.find(' ') - mark));
    }
    return numbers;
  }

  harness::OpenedRun run_;
};

TEST_F(OperatorTest, RunsAreOpenedListedShownAndClosed) {
  const harness::Finished opened =
      Tipstaff({"run", "open", "--skill", "support-reply", "--bind", "ticket_id=TCK-1001", "--bind",
                "customer=priya.nair@customer.example"});
  EXPECT_EQ(opened.status, 0) << opened.err;
  const std::string second = opened.out.substr(0, opened.out.find('\n'));
  EXPECT_THAT(opened.out, AllOf(HasSubstr("mail_draft_message"), HasSubstr("--token-file")));

  const harness::Finished list = Tipstaff({"run", "list"});
  EXPECT_THAT(list.out, AllOf(HasSubstr(run_.run), HasSubstr(second), HasSubstr("support-reply")));
  const json::Document runs = Must(mediator().TipstaffJson({"run", "list"}));
  ASSERT_EQ(runs.root().size(), 2u);
  for (json::Value one : runs.root().items()) {
    const bool triage = one.StringOr("run", "") == run_.run;
    EXPECT_EQ(one.Find("bindings").StringOr("tenant", "none"), triage ? "acme" : "none");
    EXPECT_EQ(one.IntegerOr("decisions", -1), 0);
  }

  const json::Document shown = Must(mediator().TipstaffJson({"run", "show", run_.run}));
  EXPECT_EQ(shown.root().StringOr("access", ""), "open");
  EXPECT_EQ(shown.root().StringOr("result", ""), "none");
  EXPECT_EQ(json::Dump(shown.root().Find("skills")), R"(["report-triage"])");
  EXPECT_THAT(Tipstaff({"run", "show", run_.run}).out, HasSubstr("rep_demo0001"));

  const harness::Finished closed = Tipstaff({"run", "close", run_.run, "--reason", "not needed"});
  EXPECT_EQ(closed.status, 0) << closed.err;
  EXPECT_THAT(closed.out, HasSubstr("access      closed"));
  ExpectFails(Tipstaff({"run", "close", run_.run}), 5,
              {absl::StrCat("`", run_.run, "` is closed already")});
  EXPECT_THAT(Tipstaff({"run", "list"}).out, AllOf(Not(HasSubstr(run_.run)), HasSubstr(second)));
  EXPECT_THAT(Tipstaff({"run", "list", "--all"}).out,
              AllOf(HasSubstr(run_.run), HasSubstr(second)));
  EXPECT_THAT(Tipstaff({"run", "show", run_.run}).out, HasSubstr("access      closed"));

  const std::vector<ledger::StoredRecord> records = Records(run_.run);
  const run::Opened first = Must(run::DecodeOpened(records.front().record));
  EXPECT_EQ(first.facts.at("runtime"), "firecracker-1.16.2");
  EXPECT_EQ(first.seed, "fixed");
  EXPECT_FALSE(first.config.digest.empty());
  const run::Closed last = Must(run::DecodeClosed(records.back().record));
  EXPECT_EQ(last.why, "not needed");
  EXPECT_THAT(last.by, HasSubstr("uid:"));
  EXPECT_EQ(last.records, records.size());
}

TEST_F(OperatorTest, IdsThatThereAreNotAreSaidSo) {
  struct Row {
    std::vector<std::string> arguments;
    const char* says;
  };
  const std::string none = "run_aaaaaaaaaaaa";
  for (const Row& row :
       {Row{{"run", "show", none}, "no open run `run_aaaaaaaaaaaa`"},
        Row{{"run", "show", "bla"}, "no open run `bla`"},
        Row{{"run", "close", none}, "no run `run_aaaaaaaaaaaa`"},
        Row{{"call", "reports.get_report", "{}", "--run", none}, "`tipstaff run list` shows them"},
        Row{{"log", none}, "no run `run_aaaaaaaaaaaa`"},
        Row{{"verify", "run_nosuch"}, "`run_nosuch` is neither a run's id"},
        Row{{"verify", none}, "no run `run_aaaaaaaaaaaa`"},
        Row{{"log", "bla"}, "`bla` is neither a run's id"},
        Row{{"show", none + "#1"}, "no run `run_aaaaaaaaaaaa`"},
        Row{{"show", run_.run + "#99"}, "has no decision 99"},
        Row{{"show", run_.run}, "is not a decision's id"},
        Row{{"show", run_.run + "#x"}, "is not a decision's id"}}) {
    SCOPED_TRACE(absl::StrCat(row.arguments[0], " ", row.arguments[1]));
    ExpectFails(Tipstaff(row.arguments), 2, {row.says});
  }
}

TEST_F(OperatorTest, ACallIsDecidedAndMade) {
  const harness::Finished read = Call("reports.get_report", kReadArguments);
  EXPECT_EQ(read.status, 0) << read.err;
  EXPECT_THAT(read.out, AllOf(HasSubstr(run_.run + "#1"), HasSubstr("permitted"),
                              HasSubstr("Overdue invoice")));
  const harness::Finished other = Call("reports_get_report", kOtherReport);
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, AllOf(HasSubstr(run_.run + "#2"), HasSubstr("out_of_scope")));
  const harness::Finished as_json = Call("reports.get_report", kOtherReport, {"--format", "json"});
  EXPECT_EQ(as_json.status, 1);
  const json::Document reply = Must(json::Parse(as_json.out, {.max_depth = 64}));
  EXPECT_EQ(reply.root().Find("decision").StringOr("reason", ""), "out_of_scope");
  EXPECT_TRUE(reply.root().Find("result").BoolOr("isError", false));
  const harness::Finished unknown = Call("shell.exec", "{}");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.out, HasSubstr("unknown_tool"));
  EXPECT_EQ(Decisions(run_.run).size(), 4u);
}

TEST_F(OperatorTest, ADryRunExplainsAndRecordsNothing) {
  const harness::Finished allowed =
      Call("reports.attach_evidence", EvidenceArguments("a.txt"), {"--dry-run"});
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_THAT(allowed.out, AllOf(HasSubstr("permitted"), HasSubstr("attach-evidence")));
  const harness::Finished denied = Call("reports.get_report", kOtherReport, {"--dry-run"});
  EXPECT_EQ(denied.status, 1);
  EXPECT_THAT(denied.out, AllOf(HasSubstr("out_of_scope"), HasSubstr("rep_demo0001"),
                                HasSubstr("report-triage/skill.yaml")));
  EXPECT_THAT(Decisions(run_.run), IsEmpty());
  EXPECT_EQ(Records(run_.run).size(), 1u);
  EXPECT_THAT(Call("reports.attach_evidence", EvidenceArguments("a.txt")).out,
              HasSubstr("ev_0001"));
}

TEST_F(OperatorTest, ArgumentsThatAreNoneAreRefused) {
  struct Row {
    const char* name;
    std::string arguments;
    const char* says;
  };
  for (const Row& row :
       {Row{"no JSON", "report_id", "the arguments are not JSON: not JSON at byte"},
        Row{"nothing", "", "the arguments are not JSON"},
        Row{"a key twice", R"({"report_id":"a","report_id":"b"})", "a key twice"},
        Row{"too large an integer", R"({"a":18446744073709551616})", "range of 64 bits"}}) {
    SCOPED_TRACE(row.name);
    ExpectFails(Call("reports.get_report", row.arguments), 2, {row.says});
    ExpectFails(Call("reports.get_report", row.arguments, {"--dry-run"}), 2, {row.says});
  }
  // JSON, but no call: that is for the run to say, and to record.
  int number = 0;
  for (const char* arguments : {"[1]", "\"x\"", "5", "null"}) {
    SCOPED_TRACE(arguments);
    const harness::Finished called = Call("reports.get_report", arguments);
    EXPECT_EQ(called.status, 1);
    EXPECT_THAT(called.out,
                AllOf(HasSubstr(absl::StrCat(run_.run, "#", ++number)), HasSubstr("malformed")));
    ExpectFails(Call("reports.get_report", arguments, {"--dry-run"}), 2,
                {"the arguments are not a JSON object"});
  }
  EXPECT_EQ(Decisions(run_.run).size(), 4u);
}

TEST_F(OperatorTest, TheLogIsFilteredAndADecisionShown) {
  Call("reports.get_report", kReadArguments);                           // 1
  Call("reports.get_report", kOtherReport);                             // 2
  Call("reports.attach_evidence", EvidenceArguments("a.txt"));          // 3
  Call("reports.attach_evidence", EvidenceArguments("../a.sh"));        // 4
  Call("mail.draft_message", R"({"to":[],"subject":"s","body":"b"})");  // 5
  EXPECT_THAT(Logged({}), ElementsAre("#1", "#2", "#3", "#4", "#5"));
  EXPECT_THAT(Logged({"verdict:deny"}), ElementsAre("#2", "#4", "#5"));
  EXPECT_THAT(Logged({"-verdict:deny"}), ElementsAre("#1", "#3"));
  EXPECT_THAT(Logged({run_.run, "verdict:deny", "-reason:deny_rule"}), ElementsAre("#2", "#4"));
  EXPECT_THAT(Logged({"tool:reports.*", "effect:write"}), ElementsAre("#3", "#4"));
  EXPECT_THAT(Logged({"permission:attach-evidence"}), ElementsAre("#3"));
  EXPECT_THAT(Logged({"outcome:ok"}), ElementsAre("#1", "#3"));
  EXPECT_THAT(Logged({"run:run_none*"}), IsEmpty());
  for (const char* filter : {"colour:red", "verdict:deni", "reason:because", "-verdict", ":x"}) {
    SCOPED_TRACE(filter);
    ExpectFails(Tipstaff({"log", filter}), 2, {filter});
  }
  const harness::Finished lines = Tipstaff({"log", "--format", "json", "verdict:deny"});
  EXPECT_EQ(lines.status, 0);
  ASSERT_EQ(Lines(lines.out).size(), 3u);
  EXPECT_EQ(Must(json::Parse(Lines(lines.out)[0])).root().StringOr("id", ""), run_.run + "#2");

  EXPECT_THAT(Tipstaff({"show", run_.run + "#3"}).out,
              AllOf(HasSubstr("attach-evidence"), HasSubstr("ev_0001"), HasSubstr("a.txt")));
  const json::Document shown = Must(mediator().TipstaffJson({"show", run_.run + "#2"}));
  EXPECT_EQ(shown.root().StringOr("reason", ""), "out_of_scope");
  EXPECT_EQ(shown.root().Find("nearest").StringOr("at", ""), "/report_id");
  EXPECT_EQ(shown.root().Find("arguments").StringOr("report_id", ""), "rep_demo0002");
  // The same from the file alone, as a reviewer has it.
  const harness::Finished bare =
      Bare({"show", run_.run + "#2", "--ledger", mediator().ledger()}, "/");
  EXPECT_EQ(bare.status, 0) << bare.err;
  EXPECT_THAT(bare.out, HasSubstr("out_of_scope"));
  ExpectFails(Bare({"log", "--ledger", "nowhere.db"}), 2, {"nowhere.db"});
}

TEST_F(OperatorTest, ADecisionIsMadeAgainAndExplained) {
  EXPECT_EQ(Call("reports.submit_result",
                 R"({"report_id":"rep_demo0001","severity":"low","summary":"s"})")
                .status,
            1);
  Call("reports.get_report", kOtherReport);
  Call("reports.get_report", R"({"report_id":"rep_demo0001"})");
  Call("tickets.get_ticket", "{}");
  const auto why = [&](int number, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"why", absl::StrCat(run_.run, "#", number)});
    return Tipstaff(std::move(more));
  };
  EXPECT_THAT(why(1).out, AllOf(HasSubstr("precondition"), HasSubstr("`submit`"),
                                HasSubstr("an earlier call by `read-own-report` that succeeded")))
      << "what came later does not count";
  EXPECT_THAT(why(2).out,
              AllOf(HasSubstr("`equals` at `/report_id`"), HasSubstr("skill.yaml:"),
                    HasSubstr("{equals: $report_id}"), HasSubstr("found `rep_demo0002`")));
  EXPECT_THAT(why(3).out, HasSubstr("`read-own-report` of `report-triage` permits it"));
  EXPECT_THAT(why(4).out, HasSubstr("unknown_tool"));
  const json::Document json = json::MustParse(why(2, {"--format", "json"}).out);
  EXPECT_EQ(json.root().Find("skills_say").StringOr("reason", ""), "out_of_scope");
  EXPECT_EQ(json.root().Find("considered").At(0).StringOr("came", ""), "arguments");
  EXPECT_EQ(json.root().Find("considered").At(0).Find("failed").StringOr("at", ""), "/report_id");
  ExpectFails(why(99), 2, {"no decision 99"});
  ExpectFails(Tipstaff({"why", "nonsense"}), 2, {"`nonsense` is not a decision's id"});
}

TEST_F(OperatorTest, AConnectedAgentIsToldThatItsRunIsClosed) {
  const auto agent = StartAgent(run_);
  EXPECT_EQ(Must(agent->Call("reports_get_report", kReadArguments)).reason, "permitted");
  EXPECT_EQ(Tipstaff({"run", "close", run_.run}).status, 0);
  const size_t records = Records(run_.run).size();
  for (int i = 0; i < 2; ++i) {
    const harness::CallResult late = Must(agent->Call("reports_get_report", kReadArguments));
    EXPECT_TRUE(late.is_error);
    EXPECT_EQ(late.verdict, "deny");
    EXPECT_EQ(late.reason, "run_closed");
    EXPECT_EQ(late.decision_id, "") << "nothing follows a run's last record";
  }
  EXPECT_EQ(Records(run_.run).size(), records);
}

// As an operator watches a run: each decision comes as it is made, until the run is closed.
TEST_F(OperatorTest, ALogIsFollowedUntilItsRunIsClosed) {
  Call("reports.get_report", kReadArguments);
  harness::Process follow =
      Must(harness::Process::Start({TIPSTAFF_BIN_DIR "/tipstaff", "log", "--follow", run_.run,
                                    "--config", Path("tipstaff.yaml")},
                                   {.stderr_file = Path("follow.log")}));
  const auto next = [&] { return Must(follow.ReadLine(absl::Seconds(20))); };
  next();  // the heading
  EXPECT_THAT(next(), AllOf(HasSubstr(run_.run + "#1"), HasSubstr("ok")));
  Call("reports.get_report", kOtherReport);
  EXPECT_THAT(next(), AllOf(HasSubstr(run_.run + "#2"), HasSubstr("out_of_scope")));
  mediator().Kill();
  Must(mediator().StartAgain());
  Call("reports.get_report", kReadArguments);
  EXPECT_THAT(next(), HasSubstr(run_.run + "#3"));
  EXPECT_EQ(Tipstaff({"run", "close", run_.run}).status, 0);
  EXPECT_EQ(Must(follow.Wait(absl::Seconds(20))), 0);
}

// Two closes at once, the second while the first is being committed.
TEST_F(OperatorTest, ARunIsClosedOnce) {
  const auto start = [&] {
    return Must(harness::Process::Start(
        {TIPSTAFF_BIN_DIR "/tipstaff", "run", "close", run_.run, "--config", Path("tipstaff.yaml")},
        {.stderr_file = Path("close.log")}));
  };
  harness::Process one = start(), other = start();
  const int statuses[] = {Must(one.Wait(absl::Seconds(30))), Must(other.Wait(absl::Seconds(30)))};
  EXPECT_THAT(statuses, ::testing::Contains(0));
  EXPECT_THAT(statuses, ::testing::Each(::testing::AnyOf(0, 5)));
  const std::vector<ledger::StoredRecord> records = Records(run_.run);
  EXPECT_EQ(std::count_if(records.begin(), records.end(),
                          [](const ledger::StoredRecord& stored) {
                            return stored.record.kind == call::RecordKind::kClosed;
                          }),
            1);
}

}  // namespace
}  // namespace tipstaff::e2e
