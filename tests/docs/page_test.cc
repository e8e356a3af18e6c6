#include "tests/docs/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::docs {
namespace {

using ::testing::HasSubstr;

TEST(ReadPage, FindsFilesAndCommands) {
  const auto steps = ReadPage(
      "# t\n```lua a/b.lua\nreturn 1\n\n```\ntext\n```yaml\nfor: reading\n```\n"
      "```console\n$ run this\nout\n$ run that\n```\n");
  ASSERT_TRUE(steps.ok()) << steps.status();
  ASSERT_EQ(steps->size(), 3u);
  EXPECT_EQ((*steps)[0].kind, Step::Kind::kFile);
  EXPECT_EQ((*steps)[0].subject, "a/b.lua");
  EXPECT_EQ((*steps)[0].text, "return 1\n\n");
  EXPECT_EQ((*steps)[1].subject, "run this");
  EXPECT_EQ((*steps)[1].text, "out\n");
  EXPECT_EQ((*steps)[1].line, 11);
  EXPECT_EQ((*steps)[2].subject, "run that");
  EXPECT_EQ((*steps)[2].text, "");
}

TEST(ReadPage, RefusesWhatCannotBeFollowed) {
  EXPECT_THAT(ReadPage("```console\n$ a\n").status().message(), HasSubstr("never closed"));
  EXPECT_THAT(ReadPage("```console\nout\n```\n").status().message(), HasSubstr("no command"));
}

TEST(Differs, KnowsWhatMayBeOtherwise) {
  const struct {
    const char* shown;
    const char* found;
    bool same;
  } kCases[] = {
      {"", "", true},
      {"a\nb\n", "a\nb\n", true},
      {"a\n", "a\nb\n", false},
      {"a\nb\n", "a\n", false},
      {"a … c\n", "a b c\n", true},
      {"run_…#1 … ok\n", "run_x1#1  12 ms  ok\n", true},
      {"run_…#1\n", "run_x1#2\n", false},
      {"…\nb\n", "x\ny\nb\n", true},
      {"…\nb\n", "x\nb\ny\n", false},
      {"a\n…\nz\n", "a\nz\n", true},
      {"a\n…\n", "a\n1\n2\n", true},
      {"a\n…\nm\n…\n", "a\n1\nm\n2\n", true},
      {"a\n…\nm\n…\n", "a\n1\n2\n", false},
      {"…\n", "", true},
  };
  for (const auto& one : kCases) {
    EXPECT_EQ(Differs(one.shown, one.found).empty(), one.same)
        << one.shown << "---\n"
        << one.found << Differs(one.shown, one.found);
  }
}

}  // namespace
}  // namespace tipstaff::docs
