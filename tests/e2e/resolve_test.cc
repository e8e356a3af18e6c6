// A result that only a person knows about, and a run that is revoked.
//
// Stubs always answer, so what a mediator leaves that died at the wrong moment is made by hand: its
// records.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/digest.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/run/records.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

using call::RecordKind;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kSummary[] = "Phishing.";

call::Record LostFinalize() {
  run::Decided decided;
  decided.number = 2;
  decided.call_id = "lost";
  decided.tool = "reports.submit_result";
  decided.decision.verdict = call::Verdict::kAllow;
  decided.decision.reason = call::Reason::kPermitted;
  decided.decision.effect = call::Effect::kFinalize;
  decided.decision.skill = "report-triage";
  decided.decision.permission = "submit";
  decided.arguments = json::Canonical(Must(json::Parse(ResultArguments(kSummary))).root());
  decided.arguments_digest = base::ToHex(base::DigestOf(decided.arguments));
  decided.arguments_size = decided.arguments.size();
  decided.time = absl::Now();
  return run::EncodeDecided(decided);
}
call::Record Step(RecordKind kind) { return run::EncodeStep(kind, 2, absl::Now()); }

class ResolveTest : public E2eTest {
 protected:
  void SetUp() override {
    Start();
    run_ = OpenTriage();
    EXPECT_EQ(Call("read", "reports.get_report", kReadArguments).reason, "permitted");
  }
  RawAnswer Call(const std::string& id, const std::string& tool, const std::string& arguments) {
    RawGuest guest(run_.socket);
    guest.HelloFrom(run_.token_file);
    return guest.Call(id, tool, arguments);
  }
  RawAnswer Finalize(const std::string& id, const std::string& summary) {
    return Call(id, "reports.submit_result", ResultArguments(summary));
  }
  RawAnswer Write(const std::string& id) {
    return Call(id, "reports.attach_evidence", EvidenceArguments("a.txt"));
  }
  harness::Finished Resolve(const std::string& as) {
    return Tipstaff({"run", "resolve", run_.run, "--as", as, "--why", "the store says so"});
  }
  std::string Result() {
    const json::Document shown = Must(mediator().TipstaffJson({"run", "show", run_.run}));
    return std::string(shown.root().StringOr("result", "?"));
  }
  void KillAndStartAgain() {
    mediator().Kill();
    Must(mediator().StartAgain());
  }

  // The mediator dies with these records behind its own, and starts again.
  void DieWith(std::vector<call::Record> records) {
    mediator().Kill();
    {
      const auto ledger = Must(ledger::Ledger::Open(mediator().ledger()));
      Must(ledger::AppendNow(*ledger, run_.run, std::move(records)).status());
    }
    Must(mediator().StartAgain());
  }
  void DieWithAHeldResult() {
    run::Settled settled;
    settled.number = 2;
    settled.outcome = call::Failure(call::OutcomeKind::kFailed, "the result is held");
    settled.result_size = settled.outcome.result.size();
    settled.time = absl::Now();
    DieWith({LostFinalize(), Step(RecordKind::kSealing), run::EncodeSettled(settled),
             Step(RecordKind::kHeld)});
  }

  harness::OpenedRun run_;
};

TEST_F(ResolveTest, AnUnknownResultIsWhatTheOperatorSays) {
  DieWith({LostFinalize(), Step(RecordKind::kSealing), Step(RecordKind::kSubmitting)});
  EXPECT_EQ(Result(), "unknown");
  EXPECT_THAT(Tipstaff({"run", "list"}).out, HasSubstr(run_.run + " waits for you"));
  EXPECT_THAT(Tipstaff({"run", "show", run_.run}).out,
              AllOf(HasSubstr("--as accepted"), HasSubstr("--as refused")));
  const RawAnswer again = Finalize("f2", kSummary);
  EXPECT_EQ(again.reason, "run_final");
  EXPECT_THAT(again.result, HasSubstr("what became of it is not known"));
  EXPECT_EQ(Write("w").reason, "run_final");
  ExpectFails(Resolve("over"), 5, {"the result is unknown: `over` is said of one that is held"});

  const harness::Finished resolved = Resolve("accepted");
  EXPECT_EQ(resolved.status, 0) << resolved.err;
  EXPECT_THAT(resolved.out, HasSubstr("result      accepted"));
  for (const std::string when : {"before", "after"}) {
    SCOPED_TRACE(when);
    EXPECT_EQ(Result(), "accepted");
    EXPECT_THAT(Finalize("lost", kSummary).result, HasSubstr("an operator says"));
    const RawAnswer same = Finalize("same-" + when, kSummary);
    EXPECT_EQ(same.reason, "permitted");
    EXPECT_THAT(same.result, HasSubstr("an operator says"));
    EXPECT_EQ(Finalize("other-" + when, "Nothing to see.").reason, "run_final");
    ExpectFails(Resolve("refused"), 5, {"the result is accepted"});
    KillAndStartAgain();
  }
  EXPECT_THAT(Tipstaff({"show", run_.run + "#2"}).out,
              AllOf(HasSubstr("submitting"), HasSubstr("unknown"), HasSubstr("as accepted by uid:"),
                    HasSubstr("the store says so")));
}

TEST_F(ResolveTest, OfAHeldResultTheWritesAreOver) {
  DieWithAHeldResult();
  EXPECT_EQ(Result(), "held");
  const RawAnswer again = Finalize("f2", kSummary);
  EXPECT_EQ(again.reason, "run_final");
  EXPECT_THAT(again.result, HasSubstr("held until an operator decides"));
  ExpectFails(Resolve("accepted"), 5, {"the result is held"});
  const harness::Finished resolved = Resolve("over");
  EXPECT_EQ(resolved.status, 0) << resolved.err;
  KillAndStartAgain();
  EXPECT_EQ(Result(), "none");
  EXPECT_EQ(Write("w").reason, "permitted");
  EXPECT_EQ(Finalize("f3", kSummary).reason, "permitted");
  EXPECT_EQ(Result(), "accepted");
}

TEST_F(ResolveTest, AHeldResultIsAbandoned) {
  DieWithAHeldResult();
  EXPECT_EQ(Resolve("abandoned").status, 0);
  for (const char* id : {"f2", "f3"}) {
    EXPECT_EQ(Result(), "refused");
    EXPECT_THAT(Finalize(id, kSummary).result, HasSubstr("refused for good"));
    KillAndStartAgain();
  }
  EXPECT_EQ(Tipstaff({"run", "close", run_.run}).status, 0);
  EXPECT_EQ(Must(run::DecodeClosed(Records(run_.run).back().record)).result, "refused");
}

TEST_F(ResolveTest, WhatThereIsNothingToSayOfIsRefused) {
  const auto resolve = [&](std::vector<std::string> rest) {
    rest.insert(rest.begin(), {"run", "resolve"});
    return Tipstaff(std::move(rest));
  };
  ExpectFails(Resolve("accepted"), 5, {"is not resolved: the result is none"});
  ExpectFails(resolve({run_.run, "--as", "fine", "--why", "x"}), 2, {"--as", "fine"});
  ExpectFails(resolve({run_.run, "--why", "x"}), 2, {"--as"});
  ExpectFails(resolve({run_.run, "--as", "over"}), 2, {"--why"});
  ExpectFails(resolve({run_.run, "--as", "over", "--why", " "}), 2, {"--why", "is empty"});
  ExpectFails(resolve({"run_aaaaaaaaaaaa", "--as", "over", "--why", "x"}), 2,
              {"no run `run_aaaaaaaaaaaa`"});
  EXPECT_EQ(Tipstaff({"run", "close", run_.run}).status, 0);
  ExpectFails(Resolve("accepted"), 5, {"is closed already"});
}

TEST_F(ResolveTest, ARevokedRunIsOverAndItsAgentHearsSo) {
  const auto agent = StartAgent(run_);
  // So that it is connected.
  EXPECT_EQ(Must(agent->Call("reports_get_report", kReadArguments)).reason, "permitted");
  ExpectFails(Tipstaff({"run", "revoke", run_.run}), 2, {"--why"});
  const harness::Finished revoked =
      Tipstaff({"run", "revoke", run_.run, "--why", "it reads other reports"});
  EXPECT_EQ(revoked.status, 0) << revoked.err;
  EXPECT_THAT(revoked.out, HasSubstr("access      closed"));
  const harness::CallResult refused = Must(agent->Call("reports_get_report", kReadArguments));
  EXPECT_TRUE(refused.is_error);
  EXPECT_EQ(refused.reason, "run_revoked");
  ExpectFails(Tipstaff({"run", "revoke", run_.run, "--why", "again"}), 5, {"is closed already"});
  const std::vector<ledger::StoredRecord> records = Records(run_.run);
  EXPECT_EQ(records[records.size() - 3].record.kind, RecordKind::kRevoked);
  EXPECT_EQ(Must(run::DecodeClosed(records.back().record)).why, "it reads other reports");
}

TEST_F(ResolveTest, ACloseIsOnRecordBeforeAnythingElseOfIt) {
  EXPECT_EQ(Tipstaff({"run", "close", run_.run, "--reason", "done"}).status, 0);
  std::vector<std::string> kinds;
  for (const ledger::StoredRecord& stored : Records(run_.run)) {
    kinds.emplace_back(call::RecordKindName(stored.record.kind));
  }
  EXPECT_THAT(kinds, ::testing::ElementsAre("run_opened", "decided", "outcome", "closing",
                                            "cleaned", "closed"));
}

// A mediator that dies in the middle of a close goes on with it.
TEST_F(ResolveTest, ACloseThatACrashInterruptedEnds) {
  DieWith({run::EncodeEnded(RecordKind::kClosing, {"uid:0", "done"}, absl::Now())});
  const absl::Time patience = absl::Now() + absl::Seconds(20);
  while (Records(run_.run).back().record.kind != RecordKind::kClosed && absl::Now() < patience) {
    absl::SleepFor(absl::Milliseconds(10));
  }
  EXPECT_EQ(Must(run::DecodeClosed(Records(run_.run).back().record)).why, "done");
  ExpectFails(Tipstaff({"run", "close", run_.run}), 5, {"is closed already"});
}

class SubmissionKeyTest : public E2eTest {};

// A restart makes the stub's calls again: without the same key it would answer otherwise, and the
// run stay shut.
TEST_F(SubmissionKeyTest, IsTheMediatorsAndTheSameAfterARestart) {
  harness::MediatorOptions options;
  options.test_files = true;
  Start(options);
  const harness::OpenedRun run = Open({"--skill", "keyed-result", "--bind", "report_id=r1"});
  const auto agent = StartAgent(run);
  EXPECT_EQ(Must(agent->Call("receiver_submit", R"({"report_id":"r1","text":"a","key":"forged"})"))
                .reason,
            "argument_refused");
  const harness::CallResult first =
      Must(agent->Call("receiver_submit", R"({"report_id":"r1","text":"a"})"));
  EXPECT_EQ(first.reason, "permitted") << first.text;
  EXPECT_THAT(first.text, ::testing::ContainsRegex("\"key\":\"[0-9a-f]{64}\""));
  mediator().Kill();
  Must(mediator().StartAgain());
  const harness::CallResult again =
      Must(agent->Call("receiver_submit", R"({"report_id":"r1","text":"a"})"));
  EXPECT_EQ(again.text, first.text) << "the first receipt";
  EXPECT_EQ(Decisions(run.run)[1].decided.arguments, R"({"report_id":"r1","text":"a"})")
      << "what the agent asked for";
}

}  // namespace
}  // namespace tipstaff::e2e
