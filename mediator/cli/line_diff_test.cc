#include "mediator/cli/line_diff.h"

#include <gtest/gtest.h>

#include <string>

namespace tipstaff::cli {
namespace {

TEST(LineDiff, ShowsWhatChangedAndALittleAroundIt) {
  EXPECT_EQ(LineDiff("a\nb\nc\n", "a\nx\nc\n"), "  a\n- b\n+ x\n  c\n");
  EXPECT_EQ(LineDiff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(LineDiff("", "a\nb\n"), "+ a\n+ b\n");
  EXPECT_EQ(LineDiff("a\nb\n", ""), "- a\n- b\n");
  EXPECT_EQ(LineDiff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nX\n", 1),
            "  8\n- 9\n+ X\n");
  EXPECT_EQ(LineDiff("X\n2\n3\n4\n5\n6\nY\n", "x\n2\n3\n4\n5\n6\ny\n", 1),
            "- X\n+ x\n  2\n  ...\n  6\n- Y\n+ y\n");
}

TEST(LineDiff, KeepsTheLongestCommonPart) {
  EXPECT_EQ(LineDiff("a\nb\nc\nd\n", "b\nd\ne\n"), "- a\n  b\n- c\n  d\n+ e\n");
}

TEST(LineDiff, BoundsItsWork) {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) {
    before += "a\n";
    after += "b\n";
  }
  const std::string diff = LineDiff(before, after);
  EXPECT_EQ(diff.substr(0, 8), "- a\n- a\n");
  EXPECT_EQ(diff.size(), 40'000u);
}

}  // namespace
}  // namespace tipstaff::cli
