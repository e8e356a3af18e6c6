// A folder of `tipstaff init` works at once, by the commands that it prints.
#include <gmock/gmock.h>

#include <filesystem>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/file.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The commands that are printed, by which they begin.
std::vector<std::string> CommandsIn(const std::string& text) {
  std::vector<std::string> commands;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "  ")) commands.emplace_back(line);
  }
  return commands;
}

class InitTest : public E2eTest {
 protected:
  // `command` in a shell that finds the programs, in the test's folder after `cd`.
  std::vector<std::string> InShell(const std::string& cd, const std::string& command) const {
    return {"env",
            "-u",
            "TIPSTAFF_CONFIG",
            absl::StrCat("PATH=" TIPSTAFF_BIN_DIR ":", std::getenv("PATH")),
            "sh",
            "-c",
            absl::StrCat(cd, " && exec ", command)};
  }
  // Everything that `init` with `arguments` promises, for the folder `name`.
  void ExpectWorks(std::vector<std::string> arguments, const std::string& name);
};

void InitTest::ExpectWorks(std::vector<std::string> arguments, const std::string& name) {
  arguments.insert(arguments.begin(), "init");
  const harness::Finished init = Bare(arguments);
  ASSERT_EQ(init.status, 0) << init.err;
  const std::vector<std::string> commands = CommandsIn(init.out);
  ASSERT_EQ(commands.size(), 4u) << init.out;
  const std::string cd = commands[0];
  ASSERT_TRUE(absl::StartsWith(cd, "cd -- ")) << cd;
  const harness::ProcessOptions here{.folder = Path("")};

  // A shell for `&&`.
  const harness::Finished test =
      Must(harness::RunCommand(InShell(cd, absl::StrCat("sh -c '", commands[1], "'")), here));
  EXPECT_EQ(test.status, 0) << test.out << test.err;
  EXPECT_THAT(test.out, AllOf(HasSubstr("0 errors, 0 warnings"), HasSubstr(", 0 failed"),
                              HasSubstr("the tests exercise 3 of 3 permissions")));
  const harness::Finished strict =
      Must(harness::RunCommand(InShell(cd, "tipstaff test --require-coverage=rules"), here));
  EXPECT_EQ(strict.status, 0) << strict.err;

  harness::ProcessOptions serving = here;
  serving.stderr_file = Path(name + ".log");
  harness::Process serve = Must(harness::Process::Start(InShell(cd, commands[2]), serving));
  std::optional<harness::Finished> open;
  const absl::Time end = absl::Now() + absl::Seconds(30);
  do {
    open = Must(harness::RunCommand(InShell(cd, commands[3]), here));
  } while (open->status != 0 && absl::Now() < end);
  EXPECT_EQ(open->status, 0) << open->err << Must(base::ReadFile(serving.stderr_file));
  EXPECT_THAT(open->out, AllOf(HasSubstr("run_"), HasSubstr("guest.sock")));
  serve.Signal(SIGTERM);
  EXPECT_EQ(Must(serve.Wait(absl::Seconds(30))), 0);
}

TEST_F(InitTest, AFolderWithTheStubReportsWorksByThePrintedCommands) {
  ExpectWorks({"triage"}, "triage");
}

TEST_F(InitTest, AFolderWithANewStubWorksByThePrintedCommands) {
  ExpectWorks({"--name", "order-notes", "--stub", "orders", "it's a shop"}, "it's a shop");
}

TEST_F(InitTest, NothingIsOverwritten) {
  fs::create_directory(Path("mine"));
  Must(base::WriteFile(Path("mine/tipstaff.yaml"), "ledger: mine.db\n"));
  ExpectFails(Bare({"init", "mine"}), 2, {"`mine/tipstaff.yaml` is already there"});
  EXPECT_EQ(Must(base::ListFiles(Path("mine"))).size(), 1u);
  EXPECT_EQ(Must(base::ReadFile(Path("mine/tipstaff.yaml"))), "ledger: mine.db\n");
  ExpectFails(Bare({"init", "--name", "../up", "x"}), 2, {"--name `../up` is no name"});
  EXPECT_FALSE(fs::exists(Path("x")));
}

// In the current folder there is no `cd`, and a second skill goes beside the first.
TEST_F(InitTest, ASecondSkillGoesIntoTheSameFolder) {
  EXPECT_THAT(Bare({"init"}).out, Not(HasSubstr("cd --")));
  const harness::Finished second = Bare({"init", "--name", "second", "--stub", "orders"});
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_THAT(second.out, AllOf(HasSubstr("wrote ./policies/second/skill.yaml"),
                                Not(HasSubstr("wrote ./tipstaff.yaml"))));
  EXPECT_THAT(Bare({"check", "--strict"}).out, HasSubstr("5 files, 0 errors, 0 warnings"));
}

// Where a file's `$schema=` leads; "" where it names none.
std::string SchemaOf(const fs::path& file) {
  const std::string text = Must(base::ReadFile(file.string()));
  constexpr absl::string_view kMark = "# yaml-language-server: $schema=";
  if (!absl::StartsWith(text, kMark)) return "";
  const std::string path = text.substr(kMark.size(), text.find('\n') - kMark.size());
  return (file.parent_path() / path).lexically_normal().string();
}

TEST_F(InitTest, EditorsFindTheSchemas) {
  Must(absl::StatusOr<int>(Bare({"init", "here"}).status));
  for (const std::string& root : {Path("here"), std::string(TIPSTAFF_SOURCE_DIR)}) {
    for (const char* file :
         {"policies/first-skill/skill.yaml", "policies/report-triage/skill.yaml",
          "policies/support-reply/skill.yaml", "stubs/reports/stub.yaml", "stubs/mailbox/stub.yaml",
          "stubs/tickets/stub.yaml", "tipstaff.yaml"}) {
      const fs::path path = fs::path(root) / file;
      if (!fs::exists(path)) continue;
      const std::string schema = SchemaOf(path);
      EXPECT_TRUE(absl::StartsWith(schema, root + "/schemas/json/")) << path << ": " << schema;
      EXPECT_TRUE(fs::exists(schema)) << path << ": " << schema;
    }
  }
}

}  // namespace
}  // namespace tipstaff::e2e
