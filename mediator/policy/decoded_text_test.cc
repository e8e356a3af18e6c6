#include "mediator/policy/decoded_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/policy/digits.h"
#include "mediator/policy/escapes.h"

namespace tipstaff::policy::internal {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(AnyUtf8, GivesStretchesOfText) {
  const struct {
    std::string bytes;
    std::vector<std::string> stretches;
    const char* why;
  } kRows[] = {
      {"plain \u00e9", {"plain \u00e9"}, "text"},
      {"a\xff"
       "b\xe2\x80",
       {"ab"},
       "single bytes that are none"},
      {"a\xff\xfe"
       "b",
       {"a", "b"},
       "two in a row"},
      {std::string("a\0b\0\0c", 6), {"abc"}, "zeros"},
      {"\xff\xff\xff", {}, "no text"},
      {"", {}, "nothing"},
  };
  for (const auto& row : kRows) {
    std::vector<std::string> stretches;
    EXPECT_FALSE(AnyUtf8(row.bytes, [&](absl::string_view text) {
      stretches.emplace_back(text);
      return false;
    }));
    EXPECT_EQ(stretches, row.stretches) << row.why;
  }
  EXPECT_TRUE(AnyUtf8("a", [](absl::string_view) { return true; }));
}

std::vector<uint32_t> All(Utf16 text) {
  std::vector<uint32_t> all;
  while (!text.done()) all.push_back(text.Next());
  return all;
}

TEST(Utf16, ReadsEitherOrder) {
  EXPECT_THAT(All(Utf16(absl::string_view("A\0\x16\x04", 4), false)), ElementsAre('A', 0x416));
  EXPECT_THAT(All(Utf16(absl::string_view("\0A\x04\x16", 4), true)), ElementsAre('A', 0x416));
  EXPECT_THAT(All(Utf16("\xd8\x35\xdc\x29", true)), ElementsAre(0x1d429));
  EXPECT_THAT(All(Utf16("\x35\xd8\x29\xdc", false)), ElementsAre(0x1d429));
  EXPECT_THAT(All(Utf16("\xd8\x35\x41\x41\xdc\x29\x41", true)), ElementsAre(0xd835, 0x4141, 0xdc29))
      << "halves, and a byte too many";
  EXPECT_THAT(All(Utf16("\xd8\x35\xdc", true)), ElementsAre(0xd835)) << "the end is missing";
  EXPECT_THAT(All(Utf16("", true)), ElementsAre());
}

TEST(AsciiParts, AreWhereEncodingsMayBe) {
  std::string bytes;
  const auto add = [&](uint32_t unit, int times) {
    for (; times > 0; --times) bytes += {static_cast<char>(unit >> 8), static_cast<char>(unit)};
  };
  add(0x65e5, 100);
  add('%', 1);
  add(0x65e5, 3);
  add(0xff14, 1);
  add('1', 1);
  add(0x65e5, 200);
  add('x', 2);
  add(0x65e5, 200);
  AsciiParts parts(bytes, true);
  Utf16 text(bytes, true);
  while (!text.done()) {
    const size_t at = text.at();
    parts.Take(text.Next(), at);
  }
  std::vector<std::string> seen;
  EXPECT_FALSE(parts.Any([&](absl::string_view part) {
    seen.emplace_back(part);
    return false;
  }));
  ASSERT_EQ(seen.size(), 1u) << "two characters are no encoding";
  EXPECT_THAT(seen[0], testing::HasSubstr("%\u65e5\u65e5\u65e5\uff141\u65e5"));
  EXPECT_LT(seen[0].size(), 3u * 140);
}

TEST(CharactersAsBytes, AreThoseOfATextThatIsNone) {
  EXPECT_EQ(CharactersAsBytes("\x1a\x04;\x04"), "\x1a\x04;\x04");
  EXPECT_EQ(CharactersAsBytes("\u00c3\u00bc"), "\xc3\xbc");
  EXPECT_EQ(CharactersAsBytes("a\n\tb"), "");
  EXPECT_EQ(CharactersAsBytes("\u65e5\u0416"), "");
}

TEST(Unescaped, ReadsWhatEachNotationHas) {
  const struct {
    const char* text;
    const char* plain;
  } kRows[] = {
      {"%41=42\\x43", "ABC"},
      {"\\u0041\\u{42}\\U00000043%u0044", "ABCD"},
      {"&#65;&#x42;&#X43;&#0068;", "ABCD"},
      {"\\ud835\\udc29", "\U0001d429"},
      {"%ud835%udc29", "\U0001d429"},
      {"a\\nb\\tc", "a b c"},
      {"%C3%BC", "\u00fc"},
      {"%4", "%4"},
      {"%4g", "%4g"},
      {"%u004", "%u004"},
      {"%+4", "%+4"},
      {"\\u00", "\\u00"},
      {"\\u{41", "\\u{41"},
      {"\\u{}", "\\u{}"},
      {"\\U0041", "\\U0041"},
      {"\\U00110000", ""},
      {"\\ud835", ""},
      {"\\ud835\\u0041", "A"},
      {"\\udc29", ""},
      {"&#65", "&#65"},
      {"&#;", "&#;"},
      {"&#x;", "&#x;"},
      {"&#-65;", "&#-65;"},
      {"&#99999999999;", "&#99999999999;"},
      {"&amp;", "&amp;"},
      {"\\", "\\"},
      {"%", "%"},
      {"", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(Unescaped(row.text), row.plain) << row.text;
}

std::vector<std::string> AllHex(absl::string_view text) {
  std::vector<std::string> all;
  EXPECT_FALSE(Digits(text).AnyHex([&](absl::string_view bytes) {
    all.emplace_back(bytes);
    return false;
  }));
  return all;
}

std::vector<std::string> AllBase64(absl::string_view text) {
  std::vector<std::string> all;
  EXPECT_FALSE(Digits(text).AnyBase64([&](absl::string_view bytes) {
    all.emplace_back(bytes);
    return false;
  }));
  return all;
}

TEST(Digits, AreReadInEveryWay) {
  EXPECT_EQ(AllHex("61:62 63\n64.65,66-67x68").size(), 2u);
  EXPECT_THAT(AllHex("61:62 63\n64.65,66-67z68"), Contains("abcdefgh"));
  EXPECT_THAT(AllHex("0x61,0x62,0x63,0x64,0X65,0x66,0x67,0x68"), Contains("abcdefgh"));
  EXPECT_THAT(AllHex("6162636465666770 0xe"), Contains("abcdefgp\x0e")) << "it is said twice";
  EXPECT_THAT(AllHex("616263646566670"), ElementsAre()) << "too few";
  EXPECT_EQ(AllBase64("YWJjZGVmZ2hp").size(), 4u) << "one reading, from four digits";
  EXPECT_THAT(AllBase64("YWJj ZGVm=\nZ2hp"), Contains("abcdefghi"));
  EXPECT_THAT(AllBase64("YWJj-ZGVm+Z2hp"), Contains("abcdefghi"));
  EXPECT_THAT(AllBase64("YWJj_/-+ZGVm"), Contains("abc\xff\xff\xbe"
                                                  "def"))
      << "both alphabets";
  EXPECT_EQ(AllBase64("YWJj-ZGVm+Z2hp").size(), 16u);
  EXPECT_EQ(AllBase64("YWJj-ZGVm-Z2hp").size(), 8u) << "two are the same";
  EXPECT_THAT(AllBase64("YWJj\uff3aGVmZ2hp"), Contains("abcdefghi")) << "a digit of full width";
  EXPECT_THAT(AllBase64("YWJj\uff21ZGVmZ2hp"), Contains("abcdefghi")) << "which is none";
  EXPECT_THAT(AllBase64("YWJjZGVmZ2g"), Contains("abcdefgh")) << "without padding";
  EXPECT_THAT(AllBase64("YWJjZGVmZ2"), ElementsAre()) << "too few";
  EXPECT_TRUE(Digits("YWJjZGVmZ2hp").AnyBase64([](absl::string_view) { return true; }));
}

}  // namespace
}  // namespace tipstaff::policy::internal
