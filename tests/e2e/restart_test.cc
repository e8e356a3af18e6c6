// A mediator or a gate that ends in the middle of an agent's work: the agent goes on by itself, and
// nothing that was decided, done or promised changes.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/json/write.h"
#include "mediator/ledger/testing/raw_sql.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The processes of this name whose parent is `parent` (proc(5): pid (comm) state ppid ...).
std::vector<pid_t> ChildrenNamed(pid_t parent, const std::string& name) {
  std::vector<pid_t> children;
  std::error_code gone;  // processes come and go meanwhile
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    int pid = 0, ppid = 0;
    if (!absl::SimpleAtoi(entry.path().filename().string(), &pid)) continue;
    std::string line;
    std::getline(std::ifstream(entry.path() / "stat"), line);
    const size_t open = line.find('('), close = line.rfind(')');
    if (close == std::string::npos) continue;
    if (std::sscanf(line.c_str() + close + 1, " %*c %d", &ppid) != 1 || ppid != parent) continue;
    if (line.substr(open + 1, close - open - 1) == name) children.push_back(pid);
  }
  return children;
}

class RestartTest : public E2eTest {
 protected:
  void KillAndStartAgain() {
    mediator().Kill();
    Must(mediator().StartAgain());
  }
  // As a guest agent does: after a kill the first connection may still be the old gate's, which
  // ends with its mediator.
  RawAnswer CallAgain(const harness::OpenedRun& run, const char* id, const char* tool,
                      const std::string& arguments) {
    for (const absl::Time patience = absl::Now() + absl::Seconds(10);;) {
      RawGuest guest(run.socket);
      const RawAnswer hello = guest.Hello(Must(base::ReadFile(run.token_file)));
      if (hello.code == "OK") return guest.Call(id, tool, arguments);
      if (absl::Now() > patience) throw std::runtime_error(hello.message);
      absl::SleepFor(absl::Milliseconds(20));
    }
  }
  std::string ListedRuns() {
    std::string runs;
    const json::Document list = Must(mediator().TipstaffJson({"run", "list"}));
    for (json::Value run : list.root().items()) {
      absl::StrAppend(&runs, std::string(run.StringOr("run", "")), " ");
    }
    return runs;
  }
};

TEST_F(RestartTest, AnAgentGoesOnAfterAKillWithItsStateAndLimits) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  const auto agent = StartAgent(run);
  const auto attach = [&](int i) {
    return Must(
        agent->Call("reports_attach_evidence", EvidenceArguments(absl::StrCat("part", i, ".txt"))));
  };
  // The permission allows 20.
  for (int i = 1; i <= 20; ++i) {
    if (i == 3 || i == 12) KillAndStartAgain();
    const harness::CallResult attached = attach(i);
    EXPECT_EQ(attached.reason, "permitted") << attached.text;
    EXPECT_THAT(attached.text, HasSubstr(absl::StrCat("ev_00", i < 10 ? "0" : "", i)));
    EXPECT_EQ(attached.decision_id, absl::StrCat(run.run, "#", i));
  }
  EXPECT_EQ(attach(21).reason, "limit_exceeded");
  KillAndStartAgain();
  EXPECT_EQ(attach(22).reason, "limit_exceeded");
  EXPECT_EQ(ListedRuns(), run.run + " ");
  const auto reader = Must(ledger::Reader::Open(mediator().ledger()));
  EXPECT_TRUE(reader->VerifyRun(run.run).ok());
}

TEST_F(RestartTest, OnlyPartsOfAResultComeBackAndAreKept) {
  harness::MediatorOptions options;
  options.test_files = true;
  Start(options);
  const harness::OpenedRun run = Open(
      {"--skill", "part-of-report", "--bind", "report_id=rep_demo0001", "--bind", "tenant=acme"});
  const auto agent = StartAgent(run);
  for (int i = 1; i <= 2; ++i) {
    const harness::CallResult read = Must(agent->Call("reports_get_report", kReadArguments));
    EXPECT_EQ(read.reason, "permitted");
    EXPECT_EQ(read.text,
              R"({"title":"Invoice mail with a link to a login page",)"
              R"("attachments":[{"name":"overdue-invoice.eml"},{"name":"login-page.png"}]})");
    // The stub's state is made again, and answers as it did.
    KillAndStartAgain();
  }
  for (const ledger::StoredRecord& stored : Records(run.run)) {
    EXPECT_THAT(stored.record.payload, Not(HasSubstr("mina.okafor")));
    EXPECT_THAT(stored.record.body, Not(HasSubstr("mina.okafor")));
  }
}

TEST_F(RestartTest, SensitiveValuesAreNowhereOnDisk) {
  harness::MediatorOptions options;
  options.test_files = true;
  Start(options);
  const harness::OpenedRun run = Open(
      {"--skill", "secret-keeper", "--bind", "report_id=rep_demo0001", "--bind", "tenant=acme"});
  const auto ask = [&](const char* id, const char* tool, const std::string& arguments) {
    return CallAgain(run, id, tool, arguments);
  };
  const auto write = [](const char* content) {
    return absl::StrCat(R"({"folder":"w","path":"a","content":")", content, R"("})");
  };
  EXPECT_THAT(ask("c1", "reports.get_report", kReadArguments).result,
              HasSubstr("mina.okafor@acme.example"));
  EXPECT_EQ(ask("c2", "work.write_file", write("key-4711-secret")).reason, "permitted");
  EXPECT_EQ(ask("c3", "work.write_file", write("jackpot-4711")).reason, "argument_refused");
  EXPECT_EQ(ask("c4", "work.write_file", R"({"content":"garbage-4711)").reason, "malformed");
  EXPECT_EQ(ask("c7", "work.write_fiel", write("key-4711-typo")).reason, "unknown_tool");
  EXPECT_THAT(ask("c8", "work.list_done", "{}").result, HasSubstr("key-4711-secret"));
  for (const char* state : {"before", "after a kill"}) {
    SCOPED_TRACE(state);
    EXPECT_EQ(ask("c1", "reports.get_report", kReadArguments).reason, "result_not_kept");
    EXPECT_EQ(ask("c2", "work.write_file", write("key-4711-other")).reason, "call_id_reused");
    KillAndStartAgain();
  }
  // A stub is what its calls made of it: one of them cannot be made again.
  EXPECT_THAT(ask("c5", "work.list_done", "{}").result, HasSubstr("was lost in a restart"));
  EXPECT_THAT(ask("c6", "reports.get_report", kReadArguments).result, HasSubstr("mina.okafor"));

  const std::string folder = fs::path(run.token_file).parent_path();
  EXPECT_TRUE(fs::exists(folder + "/sensitive.key"));
  const harness::Finished shown = Tipstaff({"show", absl::StrCat(run.run, "#3")});
  EXPECT_THAT(shown.out, HasSubstr("/content (14 B), as it is sensitive; holds: type, maxBytes; "
                                   "fails: pattern"));
  EXPECT_THAT(Tipstaff({"why", absl::StrCat(run.run, "#2")}).err,
              HasSubstr("cannot be decided again: sensitive values are not kept"));
  EXPECT_EQ(Tipstaff({"run", "close", run.run}).status, 0);
  EXPECT_FALSE(fs::exists(folder + "/sensitive.key"));
  for (const ledger::StoredRecord& stored : Records(run.run)) {
    // (The report itself is in the stub's fixtures, which the run pinned.)
    EXPECT_THAT(absl::StrCat(stored.record.body, stored.record.payload),
                Not(HasSubstr("mina.okafor")));
    if (stored.record.kind == call::RecordKind::kCleaned) {
      EXPECT_THAT(stored.record.body, HasSubstr("key of sensitive values"));
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(Path(""))) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = Must(base::ReadFile(entry.path()));
    for (const char* secret : {"key-4711", "jackpot-4711", "garbage-4711"}) {
      EXPECT_EQ(bytes.find(secret), std::string::npos) << entry.path().string() << ": " << secret;
    }
  }
}

TEST_F(RestartTest, AnAcceptedResultStaysAccepted) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  const auto agent = StartAgent(run);
  const auto call = [&](const char* tool, const std::string& arguments) {
    return Must(agent->Call(tool, arguments));
  };
  EXPECT_EQ(call("reports_get_report", kReadArguments).reason, "permitted");
  const harness::CallResult first =
      call("reports_submit_result", ResultArguments("A phishing mail."));
  EXPECT_EQ(first.reason, "permitted") << first.text;
  EXPECT_THAT(first.text, HasSubstr("rcpt_"));
  for (const char* state : {"before", "after a kill", "after another"}) {
    SCOPED_TRACE(state);
    EXPECT_EQ(call("reports_attach_evidence", EvidenceArguments("late.txt")).reason, "run_final");
    EXPECT_EQ(call("reports_submit_result", ResultArguments("Another one.")).reason, "run_final");
    const harness::CallResult again =
        call("reports_submit_result", ResultArguments("A phishing mail."));
    EXPECT_EQ(again.reason, "permitted");
    EXPECT_EQ(again.text, first.text) << "the first receipt";
    EXPECT_EQ(call("reports_get_report", kReadArguments).reason, "permitted");
    const json::Document shown = Must(mediator().TipstaffJson({"run", "show", run.run}));
    EXPECT_EQ(shown.root().StringOr("result", ""), "accepted");
    EXPECT_EQ(shown.root().StringOr("access", ""), "read_only");
    KillAndStartAgain();
  }
}

TEST_F(RestartTest, ACallIdReturnsItsRecordedOutcomeAfterAKill) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  const auto ask = [&](const char* id, const std::string& arguments) {
    return CallAgain(run, id, "reports.attach_evidence", arguments);
  };
  const RawAnswer allowed = ask("c1", EvidenceArguments("a.txt"));
  const RawAnswer denied = ask("c2", EvidenceArguments("../a.txt"));
  EXPECT_EQ(allowed.reason, "permitted") << allowed.result;
  EXPECT_EQ(denied.reason, "argument_refused") << denied.result;
  KillAndStartAgain();
  const RawAnswer allowed_again = ask("c1", EvidenceArguments("a.txt"));
  EXPECT_EQ(allowed_again.decision_id, allowed.decision_id);
  EXPECT_EQ(allowed_again.reason, allowed.reason);
  EXPECT_EQ(allowed_again.result, allowed.result);
  const RawAnswer denied_again = ask("c2", EvidenceArguments("../a.txt"));
  EXPECT_EQ(denied_again.decision_id, denied.decision_id);
  EXPECT_EQ(denied_again.reason, denied.reason);
  EXPECT_EQ(Decisions(run.run).size(), 2u) << "a repeated call is no new one";
  EXPECT_EQ(ask("c1", EvidenceArguments("b.txt")).reason, "call_id_reused");
  EXPECT_THAT(ask("c3", EvidenceArguments("b.txt")).result, HasSubstr("ev_0002"));
}

// The stub holds its answer back for two seconds and reports progress meanwhile.
TEST_F(RestartTest, ACallInFlightIsAnsweredAfterAKillAndNotMadeTwice) {
  harness::MediatorOptions options;
  options.test_files = true;
  Start(options);
  const harness::OpenedRun run = Open({"--skill", "slow-work"});
  const auto agent = StartAgent(run);
  Must(agent->Send(R"({"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{)"
                   R"("name":"slow_wait","arguments":{"label":"kept"},)"
                   R"("_meta":{"progressToken":"p"}}})"));
  EXPECT_THAT(json::Dump(Must(agent->Receive()).root()), HasSubstr("notifications/progress"));
  KillAndStartAgain();
  for (;;) {
    const json::Document message = Must(agent->Receive());
    if (message.root().StringOr("id", "") != "slow") continue;
    const std::string result = json::Dump(message.root());
    EXPECT_THAT(result, AllOf(HasSubstr("kept"), HasSubstr(R"("reason":"permitted")")));
    break;
  }
  EXPECT_EQ(Decisions(run.run).size(), 1u);
}

TEST_F(RestartTest, OpenRunsGoOnAfterAnOrderlyStop) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  Bystander guest(run, StartAgent(run));
  EXPECT_EQ(Must(mediator().Stop()), 0);
  EXPECT_FALSE(fs::exists(mediator().admin_socket()));
  EXPECT_TRUE(ChildrenNamed(mediator().pid(), "tipstaff-gate").empty());
  // Without a mediator the ledger can be read all the same.
  EXPECT_THAT(Tipstaff({"log", run.run}).out, HasSubstr(run.run + "#1"));
  Must(mediator().StartAgain());
  guest.ExpectUndisturbed();
  EXPECT_EQ(ListedRuns(), run.run + " ");
}

TEST_F(RestartTest, AClosedRunStaysClosed) {
  Start();
  const harness::OpenedRun closed = OpenTriage(), open = OpenTriage();
  Bystander guest(open, StartAgent(open));
  EXPECT_EQ(Tipstaff({"run", "close", closed.run, "--reason", "done"}).status, 0);
  for (const char* state : {"before", "after a kill"}) {
    SCOPED_TRACE(state);
    EXPECT_EQ(ListedRuns(), open.run + " ");
    EXPECT_FALSE(fs::exists(closed.socket));
    EXPECT_EQ(
        Must(mediator().TipstaffJson({"run", "show", closed.run})).root().StringOr("access", ""),
        "closed");
    ExpectFails(Tipstaff({"call", "reports.get_report", kReadArguments, "--run", closed.run}), 2,
                {absl::StrCat("no open run `", closed.run, "`")});
    ExpectFails(Tipstaff({"run", "close", closed.run}), 5, {"is closed already"});
    KillAndStartAgain();
    guest.ExpectUndisturbed();
  }
}

TEST_F(RestartTest, ARunExpiresWhileNoMediatorRuns) {
  Start();
  const harness::OpenedRun run = OpenTriage({"--time", "2s"});
  const absl::Time opened = absl::Now();
  mediator().Kill();
  absl::SleepFor(opened + absl::Seconds(2) - absl::Now());  // until the state: its time is over
  Must(mediator().StartAgain());
  const absl::Time patience = absl::Now() + absl::Seconds(20);
  while (ListedRuns() != "" && absl::Now() < patience) absl::SleepFor(absl::Milliseconds(10));
  EXPECT_EQ(ListedRuns(), "");
  EXPECT_FALSE(fs::exists(run.socket));
  const std::vector<ledger::StoredRecord> records = Records(run.run);
  EXPECT_EQ(records.back().record.kind, call::RecordKind::kClosed);
  EXPECT_EQ(std::count_if(records.begin(), records.end(),
                          [](const ledger::StoredRecord& stored) {
                            return stored.record.kind == call::RecordKind::kExpired;
                          }),
            1);
}

TEST_F(RestartTest, ARunWhoseRecordsWereChangedStaysShutAndOthersGoOn) {
  Start();
  const harness::OpenedRun changed = OpenTriage(), whole = OpenTriage();
  Bystander guest(whole, StartAgent(whole));
  const auto agent = StartAgent(changed);
  EXPECT_EQ(Must(agent->Call("reports_get_report", R"({"report_id":"rep_other001"})")).reason,
            "out_of_scope");
  mediator().Kill();
  // Behind the ledger's back, which lets nobody change a record.
  const std::string trigger = ledger::RawSql(
      mediator().ledger(), "SELECT sql FROM sqlite_schema WHERE name = 'record_is_not_changed'");
  const std::string change = absl::StrCat(
      "UPDATE record SET body = replace(body, 'out_of_scope', 'no_permission') WHERE run_no = ",
      "(SELECT run_no FROM run WHERE run = '", changed.run, "')");
  EXPECT_THAT(ledger::RawSql(mediator().ledger(), change), HasSubstr("append-only"));
  EXPECT_EQ(ledger::RawSql(mediator().ledger(), absl::StrCat("DROP TRIGGER record_is_not_changed;",
                                                             change, ";", trigger)),
            "");
  Must(mediator().StartAgain());
  EXPECT_EQ(ListedRuns(), whole.run + " ");
  guest.ExpectUndisturbed();
  EXPECT_THAT(Must(base::ReadFile(mediator().log_file())),
              HasSubstr(absl::StrCat(changed.run, ": cannot be restored and stays shut")));
  ExpectFails(Tipstaff({"call", "reports.get_report", kReadArguments, "--run", changed.run}), 2,
              {"no open run"});
}

TEST_F(RestartTest, ANewGateTakesTheKilledOnesPlace) {
  Start();
  const harness::OpenedRun run = OpenTriage(), other = OpenTriage();
  const auto agent = StartAgent(run);
  const auto attach = [&](const char* name) {
    return Must(agent->Call("reports_attach_evidence", EvidenceArguments(name)));
  };
  EXPECT_THAT(attach("a.txt").text, HasSubstr("ev_0001"));
  const std::vector<pid_t> gates = ChildrenNamed(mediator().pid(), "tipstaff-gate");
  ASSERT_EQ(gates.size(), 1u) << "one channel has been used";
  Bystander guest(other, StartAgent(other));
  ASSERT_EQ(::kill(gates[0], SIGKILL), 0);
  EXPECT_THAT(attach("b.txt").text, HasSubstr("ev_0002"));
  guest.ExpectUndisturbed();
  EXPECT_THAT(ChildrenNamed(mediator().pid(), "tipstaff-gate"), Not(::testing::Contains(gates[0])));
  EXPECT_THAT(Must(base::ReadFile(mediator().log_file())),
              HasSubstr(absl::StrCat(run.run, ": gate ended")));
}

// The gate has the channel's listening socket from its mediator and keeps it until it has seen that
// one's end: the next mediator, started at once, took the socket for somebody else's and left the
// run without a channel.
TEST_F(RestartTest, AGateThatOutlivesItsMediatorIsWaitedFor) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  Bystander guest(run, StartAgent(run));
  const std::vector<pid_t> gates = ChildrenNamed(mediator().pid(), "tipstaff-gate");
  ASSERT_EQ(gates.size(), 1u);
  ASSERT_EQ(::kill(gates[0], SIGSTOP), 0);
  mediator().Kill();
  auto started = std::async(std::launch::async, [&] { return mediator().StartAgain(); });
  const absl::Time patience = absl::Now() + absl::Seconds(20);
  while (!mediator().Listens() && absl::Now() < patience) absl::SleepFor(absl::Milliseconds(1));
  ::kill(gates[0], SIGCONT);
  Must(started.get());
  guest.ExpectUndisturbed();
}

TEST_F(RestartTest, AVmsChannelIsThereAgain) {
  fs::create_directory(Path("vms"));
  harness::MediatorOptions options;
  options.more_config = "  firecracker: {dir: vms, port: 5005}\n";
  Start(options);
  const harness::OpenedRun run = OpenTriage({"--vm", "vm-1"});
  Bystander guest(run, StartAgent(run));
  KillAndStartAgain();
  guest.ExpectUndisturbed();
}

}  // namespace
}  // namespace tipstaff::e2e
