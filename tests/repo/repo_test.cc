// This repository keeps its rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {
namespace {

class RepositoryTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto tree = ReadTree(TIPSTAFF_SOURCE_DIR);
    ASSERT_TRUE(tree.ok()) << tree.status();
    tree_ = new Tree(*std::move(tree));
    // A walk that sees nothing would pass every rule.
    ASSERT_TRUE(tree_->contains("mediator/base/status.h"));
    ASSERT_TRUE(tree_->contains(".ci/run"));
  }
  static void TearDownTestSuite() {
    delete tree_;
    tree_ = nullptr;
  }
  static void ExpectNone(const Findings& findings) {
    EXPECT_TRUE(findings.empty()) << absl::StrJoin(findings, "\n");
  }

  static Tree* tree_;
};
Tree* RepositoryTest::tree_ = nullptr;

TEST_F(RepositoryTest, LibrariesUseOnlyWhatIsListed) { ExpectNone(CheckLibraries(*tree_)); }
TEST_F(RepositoryTest, HeavyHeadersStandWhereAllowed) { ExpectNone(CheckHeaders(*tree_)); }
TEST_F(RepositoryTest, FoldersSayWhatTheyAre) { ExpectNone(CheckReadmes(*tree_)); }
TEST_F(RepositoryTest, TextIsClean) { ExpectNone(CheckText(*tree_)); }
TEST_F(RepositoryTest, JsonParses) { ExpectNone(CheckJson(*tree_)); }
TEST_F(RepositoryTest, PagesThatAreNamedAreThere) { ExpectNone(CheckReferences(*tree_)); }
TEST_F(RepositoryTest, CasesHaveTheirTests) { ExpectNone(CheckCases(*tree_)); }

}  // namespace
}  // namespace tipstaff::repo
