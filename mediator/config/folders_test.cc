#include "mediator/config/folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

class FoldersTest : public ::testing::Test {
 protected:
  FoldersTest() {
    config_.policies = {folder_.Path("p"), folder_.Path("q"), folder_.Path("absent")};
    config_.stubs = {folder_.Path("s")};
    for (const char* file : {"p/triage/skill.yaml", "p/reply/skill.yaml", "q/other/skill.yaml",
                             "p/twice/skill.yaml", "q/twice/skill.yaml", "p/no-skill/notes.txt",
                             "p/.hidden/skill.yaml", "s/mailbox/stub.yaml", "out/skill.yaml"}) {
      std::filesystem::create_directories(std::filesystem::path(folder_.Path(file)).parent_path());
      std::ofstream(folder_.Path(file)) << "{}\n";
    }
    std::filesystem::create_directories(folder_.Path("p/folder/skill.yaml"));
  }

  base::TempFolder folder_;
  Config config_;
};

TEST_F(FoldersTest, FindsInAnyFolder) {
  EXPECT_EQ(*FindSkill(config_, "triage"), folder_.Path("p/triage/skill.yaml"));
  EXPECT_EQ(*FindSkill(config_, "other"), folder_.Path("q/other/skill.yaml"));
  EXPECT_EQ(*FindStub(config_, "mailbox"), folder_.Path("s/mailbox/stub.yaml"));
}

TEST_F(FoldersTest, Lists) {
  EXPECT_THAT(ListSkills(config_), ElementsAre("other", "reply", "triage", "twice"));
  EXPECT_THAT(ListStubs(config_), ElementsAre("mailbox"));
  config_.stubs = {};
  EXPECT_THAT(ListStubs(config_), IsEmpty());
}

TEST_F(FoldersTest, FallsBackToThoseThatComeWithTipstaff) {
  config_.policies = {folder_.Path("p")};
  config_.shipped_policies = folder_.Path("q");
  EXPECT_EQ(*FindSkill(config_, "other"), folder_.Path("q/other/skill.yaml"));
  EXPECT_EQ(*FindSkill(config_, "twice"), folder_.Path("p/twice/skill.yaml")) << "one's own first";
  EXPECT_THAT(ListSkills(config_), ElementsAre("other", "reply", "triage", "twice"));
  EXPECT_THAT(std::string(FindSkill(config_, "othr").status().message()),
              AllOf(HasSubstr(folder_.Path("q")), HasSubstr("did you mean `other`?")));
}

TEST_F(FoldersTest, SaysWhatMayBeMeantAndWhereItLooked) {
  const absl::Status near = FindSkill(config_, "trige").status();
  EXPECT_EQ(near.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(near.message()),
              AllOf(HasSubstr("no skill `trige`"), HasSubstr("did you mean `triage`?"),
                    HasSubstr(folder_.Path("p")), HasSubstr(folder_.Path("absent"))));
  EXPECT_THAT(std::string(FindSkill(config_, "zzz").status().message()),
              HasSubstr("there is `other`, `reply`, `triage`, `twice`"));
  config_.stubs = {folder_.Path("absent")};
  EXPECT_THAT(std::string(FindStub(config_, "mailbox").status().message()),
              HasSubstr("no folder there has a stub.yaml; `stubs` of tipstaff.yaml says where"));
}

TEST_F(FoldersTest, RefusesANameInTwoFolders) {
  const absl::Status status = FindSkill(config_, "twice").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(folder_.Path("p/twice")), HasSubstr(folder_.Path("q/twice"))));
}

TEST_F(FoldersTest, WantsAFileInTheFolder) {
  EXPECT_EQ(FindSkill(config_, "no-skill").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FindSkill(config_, "folder").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(FoldersTest, DoesNotPassOverWhatIsNoRegularFile) {
  std::filesystem::create_directories(folder_.Path("p/pipe"));
  std::filesystem::create_directories(folder_.Path("p/dangling"));
  ASSERT_EQ(::mkfifo(folder_.Path("p/pipe/skill.yaml").c_str(), 0600), 0);
  std::filesystem::create_symlink("nowhere", folder_.Path("p/dangling/skill.yaml"));
  EXPECT_TRUE(FindSkill(config_, "pipe").ok());
  EXPECT_TRUE(FindSkill(config_, "dangling").ok());
  EXPECT_THAT(ListSkills(config_), IsSupersetOf({"pipe", "dangling"}));
}

TEST_F(FoldersTest, NeverLeavesTheFolders) {
  for (const char* name : {"", ".", "..", "../out", "triage/../triage", "/etc", "a b", ".hidden",
                           "tri\nage", "a\\b"}) {
    const absl::Status status = FindSkill(config_, name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(std::string(status.message()), HasSubstr("cannot name a skill")) << name;
  }
  EXPECT_EQ(FindSkill(config_, std::string(65, 'a')).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tipstaff::config
