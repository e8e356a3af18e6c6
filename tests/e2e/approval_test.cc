// Calls that wait for a person, from the agent's call to its second one.
#include <gmock/gmock.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "mediator/run/records.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/raw_guest.h"

namespace tipstaff::e2e {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ApprovalTest : public E2eTest {
 protected:
  void SetUp() override {
    for (const char* name : {"dana", "erin", "fred"}) MakeKey(name);
    Start({.test_files = true,
           .more_config = absl::StrCat("people:\n"
                                       "  dana: {key: dana.jwks, groups: [leads]}\n"
                                       "  erin: {key: erin.jwks}\n"
                                       "  fred: {key: fred.jwks, groups: [staff]}\n",
                                       MorePeople())});
    run_ = Open({"--skill", "asked-work", "--bind", "report_id=rep_demo0001"});
    agent_ = StartAgent(run_);
  }
  virtual std::string MorePeople() { return ""; }

  void MakeKey(const std::string& name) {
    EXPECT_EQ(Bare({"keys", "new", "--folder", Path(name)}).status, 0);
    const harness::Finished jwks = Bare({"keys", "jwks", "--folder", Path(name)});
    EXPECT_EQ(jwks.status, 0) << jwks.err;
    Must(base::WriteFile(Path(name + ".jwks"), jwks.out));
  }
  harness::CallResult Attach(const std::string& name = "a.txt") {
    return Must(agent_->Call("reports_attach_evidence", EvidenceArguments(name)));
  }
  // The decision of a call that waits.
  std::string Hold(const std::string& name = "a.txt") {
    const harness::CallResult held = Attach(name);
    EXPECT_TRUE(held.is_error);
    EXPECT_EQ(held.verdict, "hold");
    EXPECT_EQ(held.reason, "approval_pending");
    return held.decision_id;
  }
  harness::Finished Approve(const std::string& decision, const std::string& who) {
    return Tipstaff({"approve", decision, "--sign-with", Path(who), "--why", "looked at it"});
  }

  harness::OpenedRun run_;
  std::unique_ptr<harness::Agent> agent_;
};

TEST_F(ApprovalTest, ACallIsMadeOnceAPersonHasSigned) {
  const std::string decision = Hold();
  const harness::Finished queue = Tipstaff({"queue"});
  EXPECT_THAT(queue.out, AllOf(HasSubstr(decision), HasSubstr("reports.attach_evidence"),
                               HasSubstr("leads, erin"), HasSubstr("a.txt")));
  const harness::Finished said = Approve(decision, "dana");
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(Tipstaff({"queue"}).out, "no call waits for a person\n");

  EXPECT_FALSE(Attach().is_error);
  EXPECT_NE(Hold(), decision) << "it is used up, and another one waits";
  const std::vector<ledger::StoredRecord> records = Records(run_.run);
  const auto approval = std::find_if(records.begin(), records.end(), [](const auto& stored) {
    return stored.record.kind == call::RecordKind::kApproval;
  });
  ASSERT_NE(approval, records.end());
  const run::Approval on_record = Must(run::DecodeApproval(approval->record));
  EXPECT_THAT(on_record.by, HasSubstr("dana (key "));
  EXPECT_EQ(on_record.why, "looked at it");
  EXPECT_THAT(on_record.note, HasSubstr("tool reports.attach_evidence\n"));
  EXPECT_THAT(Tipstaff({"show", decision}).out,
              AllOf(HasSubstr("approved by dana (key "), HasSubstr(": looked at it, to be used")));
  EXPECT_THAT(Tipstaff({"show", run_.run + "#2"}).out, HasSubstr("used that of #1"));
}

TEST_F(ApprovalTest, ItIsOfOneCall) {
  const std::string decision = Hold("a.txt");
  EXPECT_EQ(Approve(decision, "erin").status, 0) << "she is named herself";
  Hold("b.txt");
  EXPECT_FALSE(Attach("a.txt").is_error);
}

TEST_F(ApprovalTest, SurvivesARestart) {
  const std::string decision = Hold();
  mediator().Kill();
  Must(mediator().StartAgain());
  EXPECT_EQ(Approve(decision, "dana").status, 0);
  mediator().Kill();
  Must(mediator().StartAgain());
  EXPECT_FALSE(Attach().is_error);
}

TEST_F(ApprovalTest, ADenialStays) {
  const std::string decision = Hold();
  ExpectFails(Tipstaff({"deny", decision, "--sign-with", Path("dana")}), 2, {"--why"});
  EXPECT_EQ(Tipstaff({"deny", decision, "--sign-with", Path("dana"), "--why", "not this"}).status,
            0);
  EXPECT_EQ(Attach().reason, "approval_denied");
  ExpectFails(Approve(decision, "dana"), 5, {"does not wait for approval"});
}

TEST_F(ApprovalTest, NotByJustAnybody) {
  const std::string decision = Hold();
  ExpectFails(Approve(decision, "fred"), 5, {"`fred` may not say so", "`leads`, `erin`"});
  ExpectFails(Tipstaff({"approve", decision}), 5, {"`user` of nobody in `people:`", "--sign-with"});
  MakeKey("mallory");
  ExpectFails(Approve(decision, "mallory"), 5, {"`key` of nobody"});
  ExpectFails(Approve(decision, "no-folder"), 2, {"no-folder"});
  ExpectFails(Approve(run_.run + "#99", "dana"), 5, {"does not wait for approval"});
  ExpectFails(Approve("#1", "dana"), 2, {"not a decision's id"});
  ExpectFails(Tipstaff({"approve", decision, "--why", "two\nlines"}), 2, {"one line"});
  EXPECT_EQ(Attach().reason, "approval_pending");
}

// Nobody approves what they cannot see, and no call hides the others.
TEST_F(ApprovalTest, ALongCallIsShownWholeToWhoeverAsksForIt) {
  std::string content = "x";
  for (int i = 0; i < 3000; ++i) content += "é";
  const harness::CallResult held =
      Must(agent_->Call("reports_attach_evidence",
                        absl::StrCat(R"({"report_id":"rep_demo0001","name":"a.txt","content":")",
                                     content, R"( AND MORE"})")));
  EXPECT_EQ(held.reason, "approval_pending");
  const std::string other = Hold("b.txt");
  const harness::Finished list = Tipstaff({"queue"});
  EXPECT_THAT(list.out, AllOf(HasSubstr(held.decision_id), HasSubstr(other),
                              HasSubstr("tipstaff queue '" + held.decision_id + "'"),
                              Not(HasSubstr("AND MORE"))));
  const harness::Finished whole = Tipstaff({"queue", held.decision_id});
  EXPECT_THAT(whole.out, AllOf(HasSubstr(content + " AND MORE"), Not(HasSubstr(other))));
  EXPECT_THAT(Tipstaff({"show", held.decision_id}).out, HasSubstr("AND MORE"));
  mediator().Kill();
  Must(mediator().StartAgain());
  EXPECT_THAT(Tipstaff({"queue", held.decision_id}).out, HasSubstr("AND MORE"));
  ExpectFails(Tipstaff({"queue", run_.run + "#99"}), 5, {"does not wait for approval"});
  ExpectFails(Tipstaff({"queue", "#1"}), 2, {"not a decision's id"});
}

// More than one answer of the mediator holds.
TEST_F(ApprovalTest, AllCallsThatWaitAreListed) {
  constexpr int kRuns = 11, kCalls = 100;
  for (int run = 0; run < kRuns; ++run) {
    const harness::OpenedRun opened =
        Open({"--skill", "asked-work", "--bind", "report_id=rep_demo0001"});
    RawGuest guest(opened.socket);
    guest.HelloFrom(opened.token_file);
    for (int i = 0; i < kCalls; ++i) {
      EXPECT_EQ(guest
                    .Call(absl::StrCat("c", i), "reports.attach_evidence",
                          EvidenceArguments(absl::StrCat("a", i, ".txt")))
                    .verdict,
                "hold");
    }
  }
  const json::Document queue = Must(mediator().TipstaffJson({"queue"}));
  std::set<std::string> decisions;
  for (json::Value call : queue.root().items()) {
    decisions.insert(std::string(call.StringOr("decision", "")));
  }
  EXPECT_EQ(queue.root().size(), size_t{kRuns * kCalls});
  EXPECT_EQ(decisions.size(), size_t{kRuns * kCalls}) << "each once";
}

TEST_F(ApprovalTest, TheAgentIsToldToAskAgain) {
  EXPECT_THAT(Attach().text, HasSubstr("Make the same call again once a person has approved it"));
  ExpectFails(Tipstaff({"approve", run_.run + "#1", "--sign-with", Path("dana"), "--why",
                        std::string(1001, 'x')}),
              2, {"`why` is longer than 1000 bytes"});
}

class UsersTest : public ApprovalTest {
 protected:
  std::string MorePeople() override {
    return "  gail: {user: root, groups: [leads]}\n  hugo: {user: nobody, groups: [leads]}\n";
  }
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be somebody else";
    ApprovalTest::SetUp();
    // Another user has to get to the socket.
    for (const char* folder : {"", "run"}) ::chmod(Path(folder).c_str(), 0755);
    ::chmod(Path("tipstaff.yaml").c_str(), 0644);
  }
  harness::Finished AsNobody(std::vector<std::string> command) {
    std::vector<std::string> all = {"setpriv", "--reuid=nobody", "--regid=nogroup",
                                    "--clear-groups", TIPSTAFF_BIN_DIR "/tipstaff"};
    all.insert(all.end(), command.begin(), command.end());
    all.insert(all.end(), {"--config", Path("tipstaff.yaml")});
    return Must(harness::RunCommand(all));
  }
};

TEST_F(UsersTest, APersonIsKnownByUserAndMayDoNothingElse) {
  const std::string decision = Hold();
  ExpectFails(Tipstaff({"approve", decision}), 5, {"`gail` opened the run"});
  const harness::Finished queue = AsNobody({"queue"});
  EXPECT_EQ(queue.status, 0) << queue.err;
  EXPECT_THAT(queue.out, HasSubstr(decision));
  EXPECT_THAT(queue.out, HasSubstr("a.txt")) << "what is to be approved";
  ExpectFails(AsNobody({"run", "close", run_.run}), 5, {"only the mediator's own user"});
  ExpectFails(AsNobody({"run", "list"}), 5, {"only the mediator's own user"});
  EXPECT_EQ(AsNobody({"approve", decision}).status, 0);
  EXPECT_FALSE(Attach().is_error);
}

// Connects as another user, again and again, and holds on for as long as it lives.
class Flood {
 public:
  Flood(uid_t user, const std::string& path) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("no pipe");
    child_ = ::fork();
    if (child_ == 0) HoldOn(user, path, ready[1]);
    ::close(ready[1]);
    char byte;
    holds_ = ::read(ready[0], &byte, 1) == 1;
    ::close(ready[0]);
  }
  ~Flood() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  bool holds() const { return holds_; }

 private:
  [[noreturn]] static void HoldOn(uid_t user, const std::string& path, int ready) {
    constexpr int kConnections = 100;
    sockaddr_un address{.sun_family = AF_UNIX};
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::setgid(user) != 0 || ::setuid(user) != 0) ::_exit(1);
    for (int i = 0; i < kConnections; ++i) {
      const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
      if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        ::_exit(1);
    }
    if (::write(ready, "r", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }

  pid_t child_ = -1;
  bool holds_ = false;
};

TEST_F(UsersTest, APersonCannotKeepTheOperatorOut) {
  const passwd* const nobody = ::getpwnam("nobody");
  ASSERT_NE(nobody, nullptr);
  const Flood flood(nobody->pw_uid, Path("run/admin.sock"));
  ASSERT_TRUE(flood.holds());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Tipstaff({"run", "list"}).status, 0);
}

}  // namespace
}  // namespace tipstaff::e2e
