#include "mediator/schema/text.h"

#include <gtest/gtest.h>

namespace tipstaff::schema {
namespace {

TEST(FirstRefused, KnowsWhatMisleads) {
  struct Row {
    const char* name;
    absl::string_view text;
    char32_t line, lines;  // 0: passes
  };
  const Row kRows[] = {
      {"plain", "Re: report", 0, 0},
      {"accents, emoji, Hebrew with a mark", "é 😀 \xd7\x90\xe2\x80\x8f!", 0, 0},
      {"a header on a second line", "a\r\nBcc: x@evil.example", '\r', '\r'},
      {"line feed", "a\nb", '\n', 0},
      {"tab", "a\tb", '\t', 0},
      {"NUL", absl::string_view("a\0b", 3), 1, 1},
      {"escape: a terminal obeys it", "\x1b[2J", 0x1b, 0x1b},
      {"DEL", "\x7f", 0x7f, 0x7f},
      {"C1 control", "\xc2\x9b", 0x9b, 0x9b},
      {"next line, a C1 control", "\xc2\x85", 0x85, 0x85},
      {"line separator",
       "a\xe2\x80\xa8"
       "b",
       0x2028, 0},
      {"right-to-left override",
       "exe.\xe2\x80\xae"
       "txt",
       0x202e, 0x202e},
      {"isolate", "\xe2\x81\xa6", 0x2066, 0x2066},
      {"not UTF-8", "\xff", 0xfffd, 0xfffd},
      {"cut off", "\xe2\x80", 0xfffd, 0xfffd},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const bool nul = row.line == 1;
    EXPECT_EQ(FirstRefused(row.text, TextMode::kLine).has_value(), row.line != 0);
    EXPECT_EQ(FirstRefused(row.text, TextMode::kLines).has_value(), row.lines != 0);
    if (!nul && row.line != 0) {
      EXPECT_EQ(*FirstRefused(row.text, TextMode::kLine), row.line);
    }
    if (!nul && row.lines != 0) {
      EXPECT_EQ(*FirstRefused(row.text, TextMode::kLines), row.lines);
    }
    EXPECT_FALSE(FirstRefused(row.text, TextMode::kAny).has_value());
  }
}

TEST(TextMode, NamesGoBack) {
  EXPECT_EQ(ParseTextMode("line"), TextMode::kLine);
  EXPECT_EQ(ParseTextMode("lines"), TextMode::kLines);
  EXPECT_EQ(ParseTextMode("any"), TextMode::kAny);
  EXPECT_FALSE(ParseTextMode("Line").has_value());
}

}  // namespace
}  // namespace tipstaff::schema
