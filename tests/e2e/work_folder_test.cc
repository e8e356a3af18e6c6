// A working folder for `exec` must not give the command what decides about later runs, and a hangup
// of the terminal must not leave the run open: both were so.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>

#include "mediator/base/file.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

TEST_F(E2eTest, AWorkFolderThatHoldsPoliciesStubsOrOtherChannelsIsRefused) {
  for (const char* folder : {"project/policies/mine", "vms", "work"}) {
    fs::create_directories(Path(folder));
  }
  harness::MediatorOptions options;
  options.policies = Path("project/policies");
  options.more_config = "  firecracker: {dir: vms, port: 5005}\n";
  Start(options);
  EXPECT_EQ(Tipstaff(ExecArguments({"--work", Path("work")}, {"true"})).status, 0);
  for (const std::string& folder :
       {Path("project"), Path("project/policies/mine"), Path("vms"),
        std::string(TIPSTAFF_SOURCE_DIR "/stubs"), std::string(TIPSTAFF_SOURCE_DIR)}) {
    ExpectFails(Tipstaff(ExecArguments({"--work", folder}, {"echo", "ran"})), 5,
                {"--work `" + folder + "`", "choose a folder apart from it"});
  }
}

TEST_F(E2eTest, AHangupEndsTheCommandAndClosesItsRun) {
  Start();
  std::vector<std::string> command = {TIPSTAFF_BIN_DIR "/tipstaff", "exec", "--config",
                                      Path("tipstaff.yaml")};
  const std::vector<std::string> rest =
      ExecArguments({}, {"sh", "-c", "echo begun; exec sleep 100"});
  command.insert(command.end(), rest.begin() + 1, rest.end());
  harness::Process exec = Must(harness::Process::Start(command, {.stderr_file = Path("exec.log")}));
  ASSERT_EQ(Must(exec.ReadLine(absl::Seconds(30))), "begun");
  // The terminal tells all of its processes; here only the one that has to tell its command.
  exec.Signal(SIGHUP);
  EXPECT_EQ(Must(exec.Wait(absl::Seconds(30))), 128 + SIGHUP);
  EXPECT_EQ(Must(mediator().TipstaffJson({"run", "list"})).root().size(), 0u);
}

// Of many runs, or of few with much in their bindings, the list is larger than a guest's frame.
TEST_F(E2eTest, AListOfRunsMayBeLargerThanAFrame) {
  fs::create_directories(Path("more/noted"));
  Must(base::WriteFile(Path("more/noted/skill.yaml"),
                       "skill: noted\ndescription: For a test.\n"
                       "bindings: {note: {type: string}}\nbackends: {slow: {stub: slow}}\n"
                       "finalize: none\npermissions:\n  - id: wait\n    tool: slow.wait\n"
                       "    args: {label: {type: string, maxBytes: 100}}\n"));
  harness::MediatorOptions options;
  options.policies = Path("more");
  options.test_files = true;
  Start(options);
  const std::string note(120'000, 'x');
  for (int i = 0; i < 5; ++i) Open({"--skill", "noted", "--bind", "note=" + note});
  EXPECT_EQ(Must(mediator().TipstaffJson({"run", "list"})).root().size(), 5u);
}

}  // namespace
}  // namespace tipstaff::e2e
