#include "mediator/cli/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::cli {
namespace {

TEST(RunAndWait, GivesTheStatusOrTheSignal) {
  EXPECT_EQ(RunAndWait({{"/bin/sh", "-c", "exit 7"}, {}}).value(), 7);
  EXPECT_EQ(RunAndWait({{"/bin/sh", "-c", "kill -9 $$"}, {}}).value(), 128 + SIGKILL);
  EXPECT_EQ(RunAndWait({{"/nowhere/nothing"}, {}}).status().code(), absl::StatusCode::kUnavailable);
}

// As a supervisor may have left it, and exec passes it on.
TEST(RunAndWait, WaitsWhereChildrenAreIgnored) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(RunAndWait({{"/bin/sh", "-c", "exit 7"}, {}}).value(), 7);
  ::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(RunAndWait({{"/bin/sh", "-c", "sh -c 'exit 9'"}, {}}).value(), 9)
      << "so does the command";
  ::signal(SIGCHLD, before);
}

TEST(RunAndWait, TheThirdDescriptorIsReadFromItsBeginning) {
  const std::string large(300'000, 'x');
  Command command{{"/bin/sh", "-c", "test \"$(wc -c <&3)\" = 300000 && ! true <&4"}, {}};
  command.third_descriptor = large;
  EXPECT_EQ(RunAndWait(command).value(), 0);
}

TEST(SignalsToCommand, OneThatCameEarlyEndsTheCommandBeforeItStarts) {
  base::TempFolder folder;
  const SignalsToCommand relaying;
  ::raise(SIGTERM);
  EXPECT_EQ(RunAndWait({{"/usr/bin/touch", folder.Path("started")}, {}}).value(), 128 + SIGTERM);
  EXPECT_FALSE(base::ReadFile(folder.Path("started")).ok());
}

TEST(SignalsToCommand, OneThatComesLaterGoesToTheCommand) {
  const SignalsToCommand relaying;
  EXPECT_EQ(RunAndWait({{"/bin/sh", "-c", "kill -TERM $PPID; exec sleep 30"}, {}}).value(),
            128 + SIGTERM);
}

}  // namespace
}  // namespace tipstaff::cli
