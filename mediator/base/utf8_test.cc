#include "mediator/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace tipstaff::base {
namespace {

TEST(Utf8, TakesWhatIsWellFormed) {
  for (const char* text : {"", "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "12345678é"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, RefusesEveryOtherSequence) {
  for (const char* text :
       {"\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf", "\xe2\x82",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xf8\x88\x80\x80\x80", "\xfe", "\xff", "12345678\xc3"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, EveryCodePointHasItsOwnBytes) {
  for (uint32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string bytes;
    if (c < 0x80) {
      bytes = {static_cast<char>(c)};
    } else if (c < 0x800) {
      bytes = {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
      bytes = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
               static_cast<char>(0x80 | (c & 0x3F))};
    } else {
      bytes = {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)),
               static_cast<char>(0x80 | (c >> 6 & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
    }
    const CodePoint point = FirstCodePoint(bytes);
    ASSERT_TRUE(point.valid && point.value == c && point.bytes == static_cast<int>(bytes.size()))
        << c;
  }
}

TEST(Utf8, CountsAndCutsBetweenCodePoints) {
  EXPECT_EQ(CountCodePoints("aé€😀"), 4u);
  EXPECT_EQ(CountCodePoints("a\xff\xff"), 3u);
  EXPECT_EQ(CutUtf8("aé€", 6), "aé€");
  EXPECT_EQ(CutUtf8("aé€", 5), "aé");
  EXPECT_EQ(CutUtf8("aé€", 2), "a");
  EXPECT_EQ(CutUtf8("a😀", 4), "a");
  EXPECT_EQ(CutUtf8("\x80\x80\x80\x80\x80\x80", 5).size(), 5u) << "no code point to cut";
}

TEST(Utf8, ReplacesEachByteThatIsNone) {
  EXPECT_EQ(ReplaceNonUtf8("aé\xff\xc3€"), "aé\uFFFD\uFFFD€");
  EXPECT_EQ(ReplaceNonUtf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "a surrogate";
}

}  // namespace
}  // namespace tipstaff::base
