#include "tests/repo/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::repo {
namespace {

TEST(TreeTest, ReadsWhatBelongsToTheRepository) {
  base::TempFolder folder;
  for (const char* path : {"a.h", ".ci/run", "x/build/b.cc", "build/out.o", ".git/HEAD",
                           "t/node_modules/m.js", "t/k.js"}) {
    const std::filesystem::path whole = folder.Path(path);
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << path;
  }
  std::filesystem::create_symlink("a.h", folder.Path("link.h"));

  const auto tree = ReadTree(folder.path());
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_THAT(*tree,
              testing::ElementsAre(testing::Pair(".ci/run", ".ci/run"), testing::Pair("a.h", "a.h"),
                                   testing::Pair("t/k.js", "t/k.js"),
                                   testing::Pair("x/build/b.cc", "x/build/b.cc")));
}

TEST(TreeTest, SaysWhenThereIsNothing) {
  base::TempFolder folder;
  EXPECT_EQ(ReadTree(folder.Path("absent")).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tipstaff::repo
