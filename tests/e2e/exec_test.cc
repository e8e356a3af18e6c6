// `tipstaff exec`: a run around a command, which is confined and sees nothing of the operator's.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/run/records.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ExecTest : public E2eTest {
 protected:
  harness::Finished Exec(const std::vector<std::string>& options,
                         const std::vector<std::string>& command) {
    return Tipstaff(ExecArguments(options, command));
  }
  harness::Finished Shell(const std::string& script, const std::vector<std::string>& options = {}) {
    return Exec(options, {"sh", "-c", script});
  }
  // What the run of the last exec was opened with, and how it was closed.
  run::Opened LastOpened() { return Must(run::DecodeOpened(Records(LastRun()).front().record)); }
  run::Closed LastClosed() { return Must(run::DecodeClosed(Records(LastRun()).back().record)); }

 private:
  std::string LastRun() {
    return Must(Must(ledger::Reader::Open(mediator().ledger()))->Runs()).back().run;
  }
};

TEST_F(ExecTest, PassesOnTheCommandsStatusOutputAndInput) {
  Start();
  const harness::Finished exec = Shell("echo to-the-agent; echo to-the-user >&2; exit 7");
  EXPECT_EQ(exec.status, 7) << exec.err;
  EXPECT_EQ(exec.out, "to-the-agent\n") << "the summary is no part of the output";
  EXPECT_THAT(exec.err, AllOf(HasSubstr("to-the-user"), HasSubstr("0 decisions"),
                              HasSubstr("closed\nledger ")));
  EXPECT_EQ(LastClosed().why, "the command exited with 7");
  EXPECT_EQ(Shell("true").status, 0);
  EXPECT_EQ(Shell("kill -KILL $$").status, 128 + 9);
  EXPECT_EQ(Shell("kill -TERM $$").status, 128 + 15);
  EXPECT_EQ(Shell("kill -KILL $$", {"--unconfined", "a test"}).status, 128 + 9);
  // What follows `--` is the command's, whatever it looks like.
  EXPECT_EQ(Exec({}, {"echo", "--help", "--config", "x", "--"}).out, "--help --config x --\n");
}

TEST_F(ExecTest, AnAgentWorksThroughTheGuestAgentInside) {
  Start();
  std::vector<std::string> command = {TIPSTAFF_BIN_DIR "/tipstaff"};
  for (const std::string& argument : ExecArguments({}, {"tipstaff-guest"}))
    command.push_back(argument);
  command.insert(command.begin() + 2, {"--config", Path("tipstaff.yaml")});
  const auto agent = Must(harness::Agent::StartCommand(command, {.stderr_file = Path("exec.log")}));
  EXPECT_EQ(Must(agent->Call("reports_get_report", kReadArguments)).reason, "permitted");
  EXPECT_EQ(Must(agent->Call("reports_get_report", R"({"report_id":"rep_demo0002"})")).reason,
            "out_of_scope");
  EXPECT_EQ(Must(agent->Call("reports_submit_result", ResultArguments("Phishing."))).reason,
            "permitted");
  agent->process().CloseInput();
  EXPECT_EQ(Must(agent->process().Wait(absl::Seconds(30))), 0);
  const std::string summary = Must(base::ReadFile(Path("exec.log")));
  EXPECT_THAT(summary, AllOf(HasSubstr("out_of_scope"),
                             HasSubstr("3 decisions, 2 allowed, 1 denied; result accepted")));
  EXPECT_EQ(LastClosed().tally.allowed, 2u);
  EXPECT_EQ(LastClosed().result, "accepted");
}

// Hostile case 43.
TEST_F(ExecTest, TheCommandSeesNothingOfTheOperators) {
  Start();
  const harness::OpenedRun other = OpenTriage();
  ASSERT_TRUE(fs::exists(mediator().keys_folder()));
  for (const std::string& path :
       {mediator().ledger(), mediator().keys_folder(), mediator().admin_socket(),
        Path("tipstaff.yaml"), Path("run"), other.token_file, std::string(TIPSTAFF_SOURCE_DIR),
        std::string("/root"), std::string("/etc/passwd"), std::string("/etc/shadow"),
        std::string("/var"), std::string("/sys")}) {
    EXPECT_EQ(Shell(absl::StrCat("test ! -e ", path)).status, 0) << path << " is there";
  }
  const harness::Finished view = Shell(
      "echo $HOME; ls /home; ls /work; id -u; tail -n +3 /proc/net/dev | grep -v ' lo:' | wc -l; "
      "env | sort; ls /proc | grep -c '^[0-9]'; tr '\\0' ' ' < /proc/1/cmdline; touch /usr/x; "
      "touch /run/tipstaff/token");
  EXPECT_THAT(view.out, HasSubstr("/home/agent\nagent\n"));
  EXPECT_THAT(view.out, HasSubstr("\n0\nHOME=/home/agent\n")) << "a network interface but lo";
  EXPECT_THAT(view.out, HasSubstr("TIPSTAFF_SOCKET=/run/tipstaff/guest.sock\n"));
  EXPECT_THAT(view.out, Not(HasSubstr(Path(""))));
  EXPECT_THAT(view.err, AllOf(HasSubstr("'/usr/x': Read-only file system"),
                              HasSubstr("'/run/tipstaff/token': Read-only file system")));
}

TEST_F(ExecTest, TheEnvironmentIsNotPassedOn) {
  Start();
  ::setenv("TIPSTAFF_E2E_SECRET", "do-not-show", 1);
  const harness::Finished confined = Shell("env");
  const harness::Finished unconfined = Shell("env", {"--unconfined", "a test"});
  ::unsetenv("TIPSTAFF_E2E_SECRET");
  EXPECT_THAT(confined.out, Not(HasSubstr("do-not-show")));
  EXPECT_THAT(unconfined.out, AllOf(HasSubstr("do-not-show"), HasSubstr("TIPSTAFF_TOKEN_FILE=")));
}

// As in the shell of someone who works with another run.
TEST_F(ExecTest, AnotherRunsSocketIsNotPassedOn) {
  Start();
  ::setenv("TIPSTAFF_SOCKET", "/another/guest.sock", 1);
  ::setenv("TIPSTAFF_TOKEN_FILE", "/another/token", 1);
  const harness::Finished exec = Shell("env", {"--unconfined", "a test"});
  ::unsetenv("TIPSTAFF_SOCKET");
  ::unsetenv("TIPSTAFF_TOKEN_FILE");
  EXPECT_THAT(exec.out, AllOf(HasSubstr("TIPSTAFF_SOCKET="), HasSubstr("TIPSTAFF_TOKEN_FILE="),
                              Not(HasSubstr("/another/"))));
}

TEST_F(ExecTest, AWorkFolderIsReadAndWritten) {
  Start();
  fs::create_directory(Path("work"));
  Must(base::WriteFile(Path("work/in.txt"), "from the operator"));
  const harness::Finished exec =
      Shell("pwd; cat in.txt; echo from-the-agent > out.txt", {"--work", Path("work")});
  EXPECT_EQ(exec.status, 0) << exec.err;
  EXPECT_EQ(exec.out, "/work\nfrom the operator");
  EXPECT_EQ(Must(base::ReadFile(Path("work/out.txt"))), "from-the-agent\n");
}

TEST_F(ExecTest, AWorkFolderThatWouldShowTheLedgerIsRefused) {
  Start();
  fs::create_symlink(Path(""), Path("link"));
  struct Row {
    const char* name;
    std::string folder;
    int status;
    const char* says;
  };
  const Row rows[] = {
      {"it holds the ledger", Path(""), 5, "tipstaff.db"},
      {"it does by another name", Path("link"), 5, "tipstaff.db"},
      {"it holds all of it", "/", 5, "choose a folder apart from it"},
      {"it is the keys'", Path("keys"), 5, "keys"},
      {"it is the runs'", Path("run"), 5, "run"},
      {"it is not there", Path("nowhere"), 2, "is not a folder"},
      {"it is a file", Path("tipstaff.yaml"), 2, "is not a folder"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    ExpectFails(Shell("touch was-here; echo ran", {"--work", row.folder}), row.status,
                {absl::StrCat("--work `", row.folder, "`"), row.says});
  }
  EXPECT_EQ(Must(mediator().TipstaffJson({"run", "list"})).root().size(), 0u)
      << "the run of a command that did not start stays open";
}

TEST_F(ExecTest, WhatWeakensTheConfinementIsOnRecord) {
  Start();
  EXPECT_EQ(Shell("test -e /etc/passwd", {"--unconfined", "bubblewrap is broken here"}).status, 0);
  EXPECT_EQ(LastOpened().unconfined, "bubblewrap is broken here");
  EXPECT_EQ(LastOpened().network, "");
  EXPECT_EQ(Shell("test -e /etc/passwd", {"--network", "it fetches its model"}).status, 1);
  EXPECT_EQ(LastOpened().network, "it fetches its model");
  EXPECT_EQ(LastOpened().unconfined, "");
  EXPECT_EQ(Shell("true").status, 0);
  EXPECT_EQ(LastOpened().unconfined + LastOpened().network, "");
  ExpectFails(Shell("true", {"--unconfined", "why", "--work", Path("")}), 2,
              {"leave out --work and --network"});
}

TEST_F(ExecTest, ACommandThatDoesNotStartClosesItsRun) {
  Start();
  const harness::Finished unconfined = Exec({"--unconfined", "a test"}, {"no-such-command"});
  ExpectFails(unconfined, 5, {"cannot start `no-such-command`: No such file"});
  EXPECT_EQ(LastClosed().why, "the command did not start");
  const harness::Finished confined = Exec({}, {"no-such-command"});
  EXPECT_EQ(confined.status, 127);
  EXPECT_THAT(confined.err, HasSubstr("no-such-command: not found"));
  EXPECT_EQ(LastClosed().result, "none");
  EXPECT_EQ(Must(mediator().TipstaffJson({"run", "list"})).root().size(), 0u);
  ExpectFails(Exec({}, {}), 2, {"there is no command to run", "after `--`"});
  ExpectFails(Tipstaff({"exec", "--skill", "report-triage", "--bind", "report_id=rep_demo0001",
                        "--", "true"}),
              2, {"the binding `tenant` is not given", "skill.yaml:7:3"});
}

// Without a mediator that serves the configuration, exec brings its own and takes it away again.
TEST_F(ExecTest, BringsItsOwnMediator) {
  Start();
  ASSERT_EQ(Must(mediator().Stop()), 0);
  const harness::Finished exec = Shell("tipstaff-guest --help >/dev/null && exit 3");
  EXPECT_EQ(exec.status, 3) << exec.err;
  EXPECT_THAT(exec.err, HasSubstr("closed\nledger "));
  EXPECT_FALSE(fs::exists(mediator().admin_socket()));
  EXPECT_EQ(LastClosed().why, "the command exited with 3");
  Must(mediator().StartAgain());
  EXPECT_EQ(Must(mediator().TipstaffJson({"run", "list"})).root().size(), 0u);
}

}  // namespace
}  // namespace tipstaff::e2e
