#include "mediator/mcp/lines.h"

#include <gtest/gtest.h>

#include <vector>

namespace tipstaff::mcp {
namespace {

// Feeds `bytes` in pieces of `step`; a line that is too long shows as "TOO LONG".
std::vector<std::string> Lines(const std::string& bytes, size_t step, size_t max) {
  LineReader reader(max);
  std::vector<std::string> lines;
  for (size_t at = 0; at < bytes.size(); at += step) {
    reader.Add(absl::string_view(bytes).substr(at, step));
    while (const auto line = reader.Next()) {
      lines.push_back(line->too_long ? "TOO LONG" : std::string(line->text));
    }
  }
  return lines;
}

TEST(LineReader, CutsOnLineFeedsAlone) {
  struct Case {
    const char* reason;
    std::string bytes;
    std::vector<std::string> lines;
  };
  const Case kCases[] = {
      {"two in one read", "a\nb\n", {"a", "b"}},
      {"an unfinished one waits", "a\nb", {"a"}},
      {"blank lines are skipped", "\n \r\n\na\n", {"a"}},
      {"a carriage return before the end belongs to it", "a\r\nb\r\n", {"a", "b"}},
      {"other separators are content", "a\u2028b\nc\vd\re\n", {"a\u2028b", "c\vd\re"}},
      {"of just the maximum", "12345678\n1\n", {"12345678", "1"}},
      {"over the maximum: reported once, the next one is read",
       "123456789abcdefghijklmnop\nx\n",
       {"TOO LONG", "x"}},
      {"over the maximum, twice", "123456789\n123456789\nx\n", {"TOO LONG", "TOO LONG", "x"}},
      {"NUL bytes are content", std::string("a\0b\n", 4), {std::string("a\0b", 3)}},
  };
  for (const Case& c : kCases) {
    for (const size_t step : {1, 2, 3, 100}) {
      EXPECT_EQ(Lines(c.bytes, step, 8), c.lines) << c.reason << ", in steps of " << step;
    }
  }
}

TEST(LineReader, ReportsALineThatNeverEndsBeforeItsEnd) {
  LineReader reader(8);
  reader.Add("123456789");
  const auto line = reader.Next();
  ASSERT_TRUE(line.has_value());
  EXPECT_TRUE(line->too_long);
  for (int i = 0; i < 3; ++i) {
    reader.Add(std::string(1000, 'x'));
    EXPECT_FALSE(reader.Next().has_value()) << "reported once only";
  }
}

}  // namespace
}  // namespace tipstaff::mcp
