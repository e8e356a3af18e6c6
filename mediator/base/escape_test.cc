#include "mediator/base/escape.h"

#include <gtest/gtest.h>

namespace tipstaff::base {
namespace {

struct Case {
  const char* reason;
  std::string text;
  std::string escaped;
};

TEST(Escape, WritesOutWhatActsOrHides) {
  const Case kCases[] = {
      {"plain text is untouched", "Grüße, 世界", "Grüße, 世界"},
      {"terminal escape", "\x1b[2Jx", "\\x1b[2Jx"},
      {"line feed cannot forge a log line", "a\nb", "a\\nb"},
      {"C1 control",
       "\xc2\x9b"
       "31m",
       "\\u{9b}31m"},
      {"right-to-left override", "\xe2\x80\xaegnp.exe", "\\u{202e}gnp.exe"},
      {"zero-width space", "se\xe2\x80\x8bnd", "se\\u{200b}nd"},
      {"tag characters", "\xf3\xa0\x81\x81", "\\u{e0041}"},
      {"stray continuation byte", "a\x80", "a\\x80"},
      {"overlong slash", "\xc0\xaf", "\\xc0\\xaf"},
      {"surrogate in UTF-8", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
      {"cut sequence", "\xe2\x80", "\\xe2\\x80"},
      {"backslash, so that escapes are unambiguous", "\\x1b", "\\\\x1b"},
      {"NUL", std::string("a\0b", 3), "a\\x00b"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Escape(c.text), c.escaped) << c.reason;
}

TEST(EscapeInJson, LeavesJsonThatMeansTheSame) {
  EXPECT_EQ(EscapeInJson(R"({"a":"x\n\"é"})"), R"({"a":"x\n\"é"})");
  EXPECT_EQ(EscapeInJson("[\"\u202e\x7f\U000E0041\"]"), R"(["\u202e\u007f\udb40\udc41"])");
  EXPECT_EQ(EscapeInJson("\"\xff\n\""), R"("\xff\u000a")") << "no JSON, and still harmless";
}

TEST(WriteOutNonAscii, LeavesNoLetterOfAnotherScript) {
  EXPECT_EQ(WriteOutNonAscii("plain \\\\ name"), "plain \\\\ name");
  EXPECT_EQ(WriteOutNonAscii("r\xd0\xb5p"), "r\\u{435}p");
  EXPECT_EQ(WriteOutNonAscii("\xff"), "\\xff");
  EXPECT_EQ(WriteOutNonAscii(EscapeAndCut("hello!", 5)), "hell…");
  EXPECT_EQ(WriteOutNonAscii("a…b"), "a\\u{2026}b") << "not where it was cut";
}

TEST(EscapeAndCut, CutsByColumnsAndSaysSo) {
  EXPECT_EQ(EscapeAndCut("hello", 5), "hello");
  EXPECT_EQ(EscapeAndCut("hello!", 5), "hell…");
  EXPECT_EQ(EscapeAndCut("世界世界", 3), "世界…");
  EXPECT_EQ(EscapeAndCut("", 3), "");
}

}  // namespace
}  // namespace tipstaff::base
