#include "mediator/cli/working_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/match.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::cli {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(MakeWorkingFolder, FillsInTheNames) {
  for (const char* stub : {"reports", "orders"}) {
    const auto made = MakeWorkingFolder("my-skill", stub);
    ASSERT_TRUE(made.ok()) << made.status();
    EXPECT_THAT(made->files, Contains(Field(&NewFile::path, "policies/my-skill/skill.yaml")));
    EXPECT_THAT(made->files,
                Contains(Field(&NewFile::path, absl::StrCat("stubs/", stub, "/stub.yaml"))));
    EXPECT_THAT(made->files, Contains(Field(&NewFile::path, "schemas/json/skill.schema.json")));
    for (const NewFile& file : made->files) {
      EXPECT_FALSE(file.text.empty()) << file.path;
      EXPECT_FALSE(absl::StrContains(file.text, "@SKILL@")) << file.path;
      EXPECT_FALSE(absl::StrContains(file.text, "@STUB@")) << file.path;
    }
  }
}

TEST(MakeWorkingFolder, RefusesNamesThatLeadElsewhereOrCannotBeUsed) {
  struct Row {
    const char* reason;
    std::string skill, stub;
    const char* message;
  };
  const Row kRows[] = {
      {"leads out", "../x", "reports", "--name `../x` is no name"},
      {"leads out", "x", "../reports", "--stub `../reports` is no name"},
      {"empty", "", "reports", "--name `` is no name"},
      {"a digit first", "7", "reports", "a letter first"},
      {"a terminal's escape", "x\x1b[2J", "reports", "`x\\x1b[2J` is no name"},
      {"too long for its tools", "x", std::string(41, 's'), "use at most 40 characters"},
      {"another shipped stub", "x", "tickets", "choose another name for a new stub"},
  };
  for (const Row& row : kRows) {
    const auto made = MakeWorkingFolder(row.skill, row.stub);
    EXPECT_EQ(made.status().code(), absl::StatusCode::kInvalidArgument) << row.reason;
    EXPECT_THAT(std::string(made.status().message()), HasSubstr(row.message));
  }
}

TEST(WriteFiles, WritesAllOrNothingAndNeverOverwrites) {
  const base::TempFolder temp;
  const std::string folder = temp.Path("a");
  const std::vector<NewFile> files = {{"x", "1"}, {"b/y", "2"}};
  auto written = WriteFiles(folder, files);
  ASSERT_TRUE(written.ok()) << written.status();
  EXPECT_THAT(*written, SizeIs(2));
  EXPECT_EQ(base::ReadFile(folder + "/b/y").value_or(""), "2");

  written = WriteFiles(folder, files);
  ASSERT_TRUE(written.ok()) << written.status();
  EXPECT_THAT(*written, IsEmpty()) << "the same is there";

  ASSERT_TRUE(base::WriteFile(folder + "/b/y", "mine").ok());
  written = WriteFiles(folder, {{"new", "3"}, {"x", "1"}, {"b/y", "2"}});
  EXPECT_EQ(written.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(written.status().message()), HasSubstr("/b/y` is already there"));
  EXPECT_EQ(base::ReadFile(folder + "/b/y").value_or(""), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder + "/new"));
}

TEST(WriteFiles, FollowsNoLinkAndNamesWhatIsInTheWay) {
  const base::TempFolder temp;
  std::filesystem::create_symlink(temp.Path("elsewhere"), temp.Path("x"));
  EXPECT_EQ(WriteFiles(temp.path(), {{"x", "1"}}).status().code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_FALSE(std::filesystem::exists(temp.Path("elsewhere")));
  ASSERT_TRUE(base::WriteFile(temp.Path("file"), "").ok());
  const auto below_a_file = WriteFiles(temp.Path("file"), {{"x", "1"}});
  EXPECT_FALSE(below_a_file.ok());
  EXPECT_THAT(std::string(below_a_file.status().message()), HasSubstr("file"));
}

}  // namespace
}  // namespace tipstaff::cli
