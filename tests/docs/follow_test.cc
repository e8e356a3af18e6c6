// Follows pages of the documentation to the letter, each in a folder of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "tests/docs/page.h"
#include "tests/harness/process.h"

namespace tipstaff::docs {
namespace {

namespace fs = std::filesystem;

constexpr char kEnd[] = "== the command has ended ==";
constexpr absl::Duration kPatience = absl::Seconds(60);

// One shell for the whole page, as a reader has it: `cd` and variables hold.
class Shell {
 public:
  explicit Shell(const harness::ProcessOptions& options)
      : process_(harness::Process::Start({"/bin/sh"}, options).value()) {
    EXPECT_TRUE(process_.Write("exec 2>&1\n").ok());
  }
  // What was begun with `&` ends with it.
  ~Shell() {
    (void)process_.Write("kill $(jobs -p) 2>/dev/null; wait\n");
    process_.CloseInput();
    (void)process_.Wait(kPatience);
  }

  absl::StatusOr<std::string> Run(const std::string& command) {
    std::string printed;
    absl::Status status =
        process_.Write(absl::StrCat(command, "\nprintf '\\n%s\\n' '", kEnd, "'\n"));
    while (status.ok()) {
      absl::StatusOr<std::string> line = process_.ReadLine(kPatience);
      if (!line.ok()) return line.status();
      if (*line == kEnd) return printed.substr(0, printed.empty() ? 0 : printed.size() - 1);
      absl::StrAppend(&printed, *line, "\n");
    }
    return status;
  }

 private:
  harness::Process process_;
};

class Follow : public ::testing::TestWithParam<const char*> {};

TEST_P(Follow, EachCommandPrintsWhatThePageShows) {
  const auto text = base::ReadFile(absl::StrCat(TIPSTAFF_SOURCE_DIR, "/docs/", GetParam()));
  ASSERT_TRUE(text.ok()) << text.status();
  const auto steps = ReadPage(*text);
  ASSERT_TRUE(steps.ok()) << steps.status();
  const base::TempFolder folder;
  harness::ProcessOptions options;
  options.folder = folder.path();
  options.environment = {absl::StrCat("PATH=", TIPSTAFF_BIN_DIR, ":", std::getenv("PATH")),
                         absl::StrCat("HOME=", folder.Path("home")),
                         absl::StrCat("XDG_STATE_HOME=", folder.Path("state")), "TIPSTAFF_CONFIG="};
  Shell shell(options);
  int commands = 0;
  for (const Step& step : *steps) {
    if (step.kind == Step::Kind::kFile) {
      const std::string path = folder.Path(step.subject);
      fs::create_directories(fs::path(path).parent_path());
      ASSERT_TRUE(base::WriteFile(path, step.text).ok()) << path;
      continue;
    }
    ++commands;
    const absl::StatusOr<std::string> printed = shell.Run(step.subject);
    ASSERT_TRUE(printed.ok()) << step.subject << ": " << printed.status();
    EXPECT_EQ(Differs(step.text, *printed), "")
        << "docs/" << GetParam() << ":" << step.line << ": $ " << step.subject << "\nit printed:\n"
        << *printed;
  }
  EXPECT_GT(commands, 0);
}

INSTANTIATE_TEST_SUITE_P(Pages, Follow, ::testing::Values("stubs.md"));

}  // namespace
}  // namespace tipstaff::docs
