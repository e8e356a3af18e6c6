#include "mediator/policy/decoded_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/policy/digits.h"
#include "mediator/policy/escapes.h"
#include "mediator/policy/html_references.h"

namespace tipstaff::policy::internal {
namespace {

using testing::Contains;
using testing::ElementsAre;

Planted OneOf(absl::string_view text) {
  Planted planted;
  planted.Add(std::vector<uint32_t>(text.begin(), text.end()));
  return planted;
}

// What is looked at further in `bytes`; "found" where a planted text is.
std::vector<std::string> PartsOf(absl::string_view bytes, ReadAs as, bool further = true) {
  static const Planted planted = OneOf("tipstaff");
  std::vector<std::string> parts;
  const auto found = [&](Planted::Found) { parts.push_back("found"); };
  const auto look = [&](absl::string_view part) {
    parts.emplace_back(part);
    return false;
  };
  const auto afford = [](size_t) { return false; };
  const bool over =
      DecodedText(planted, afford).Any(bytes, as, further ? 1 : 0, {planted, found, look, further});
  EXPECT_EQ(over, !parts.empty() && parts.back() == "found");
  return parts;
}

TEST(DecodedText, GivesStretchesOfUtf8ThatMayEncode) {
  const struct {
    std::string bytes;
    std::vector<std::string> stretches;
    const char* why;
  } kRows[] = {
      {"digits 012345 \u00e9", {"digits 012345 \u00e9"}, "text"},
      {"digits\xff"
       "012345\xe2\x80",
       {"digits012345"},
       "single bytes that are none"},
      {"digits 012345\xff\xfe"
       "%414",
       {"digits 012345"},
       "two in a row, and what is too short"},
      {"\xff\xff%41424344\xff\xff\xff\xff=41424", {"%41424344", "=41424"}, "escapes"},
      {std::string("digits\0 0123\0\0"
                   "45",
                   16),
       {"digits 012345"},
       "zeros"},
      {"\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11",
       {"\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11"},
       "digits of another width"},
      {"\uff0541", {"\uff0541"}, "an escape of another width"},
      {"only words", {}, "too few digits"},
      {"T I P S\xff-TAF\u00b7\uff46 ", {"found"}, "a planted text"},
      {"TIPS\xff\xffTAFF", {}, "two halves of it"},
      {"\xff\xff\xff", {}, "no text"},
      {"", {}, "nothing"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(PartsOf(row.bytes, ReadAs::kUtf8), row.stretches) << row.why;
  }
  EXPECT_THAT(PartsOf("digits 012345", ReadAs::kUtf8, /*further=*/false), ElementsAre());
}

std::string Units(std::initializer_list<std::pair<uint32_t, int>> units, bool big_endian) {
  std::string bytes;
  for (const auto& [unit, times] : units) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit);
    for (int i = 0; i < times; ++i)
      bytes += big_endian ? std::string{high, low} : std::string{low, high};
  }
  return bytes;
}

TEST(DecodedText, FindsUtf16OfEitherOrder) {
  for (const bool big_endian : {false, true}) {
    for (const char* before : {"", "x", "\xff\xfe"}) {
      const auto parts_of = [&](std::initializer_list<std::pair<uint32_t, int>> units) {
        return PartsOf(absl::StrCat(before, Units(units, big_endian)), ReadAs::kAnything);
      };
      EXPECT_THAT(parts_of({{'T', 1},
                            {'I', 1},
                            {0x65e5, 0},
                            {'p', 1},
                            {'s', 1},
                            {0xff34, 1},
                            {'a', 1},
                            {0xd835, 1},
                            {0xdc05, 1},
                            {'F', 1}}),
                  Contains("found"))
          << "a surrogate pair is one letter";
      for (const uint32_t half : {0xd835, 0xdc05}) {
        EXPECT_THAT(parts_of({{'T', 1},
                              {'I', 1},
                              {'p', 1},
                              {'s', 1},
                              {0xff34, 1},
                              {'a', 1},
                              {half, 1},
                              {'F', 1}}),
                    testing::Not(Contains("found")))
            << "halves are none";
      }
    }
  }
}

TEST(DecodedText, GivesPartsOfUtf16ThatMayEncode) {
  const std::string bytes = Units({{0x65e5, 100},
                                   {'%', 1},
                                   {0x65e5, 3},
                                   {0xff14, 1},
                                   {'1', 1},
                                   {0x65e5, 200},
                                   {'x', 2},
                                   {0x65e5, 200}},
                                  true);
  std::vector<std::string> seen = PartsOf(bytes, ReadAs::kAnything);
  // Read otherwise they are something else.
  std::erase_if(seen, [](const std::string& part) { return !absl::StrContains(part, "\u65e5"); });
  ASSERT_EQ(seen.size(), 1u) << "two characters are no encoding";
  EXPECT_THAT(seen[0], testing::HasSubstr("%\u65e5\u65e5\u65e5\uff141\u65e5"));
  EXPECT_LT(seen[0].size(), 3u * 140);
}

// Whatever was looked through before: each of these differs from the others in one place.
TEST(DecodedText, SharesNothingThatDiffers) {
  std::mt19937 random(3);
  const Planted planted = OneOf("tipstaff");
  const auto afford = [](size_t) { return false; };
  DecodedText decoded(planted, afford);
  std::string bytes;
  while (bytes.size() < 40'000) bytes += static_cast<char>(random());
  const std::string kInserted[] = {
      "TIPSTAFF", "T-I-P-S-T-A-F-F",
      Units({{'T', 1}, {'I', 1}, {'P', 1}, {'S', 1}, {'T', 1}, {'A', 1}, {'F', 1}, {'F', 1}},
            true)};
  for (int round = 0; round < 200; ++round) {
    const std::string& inserted = kInserted[round % 3];
    const bool other = random() % 2 == 0;
    std::string one = bytes, written = inserted;
    if (other) written[written.find('P')] = 'X';
    one.insert(random() % one.size(), written);
    if (random() % 2 == 0) one.erase(0, 1 + random() % 3);
    bool found = false;
    const auto on_found = [&](Planted::Found) { found = true; };
    const auto look = [](absl::string_view) { return false; };
    EXPECT_EQ(decoded.Any(one, ReadAs::kAnything, 1, {planted, on_found, look, true}), !other);
    EXPECT_EQ(found, !other) << inserted;
  }
}

// So is what is looked at further: a part that goes over the end of a stretch is whole.
TEST(DecodedText, SharedStretchesGiveTheSameParts) {
  std::mt19937 random(4);
  const Planted planted = OneOf("tipstaff");
  const auto afford = [](size_t) { return false; };
  DecodedText decoded(planted, afford);
  const std::string part = "aGlkZGVuIHRleHQ,anything";
  std::string bytes;
  while (bytes.size() < 30'000) bytes += static_cast<char>(random());
  for (int round = 0; round < 200; ++round) {
    const bool wide = round % 2 == 0;
    std::string one = bytes, written = absl::StrCat("\xff\xff", part, "\xff\xff");
    if (wide) {
      written.clear();
      for (const char c : part) written += {c, '\0'};
    }
    one.insert(random() % one.size(), written);
    size_t seen = 0;
    const auto on_found = [](Planted::Found) {};
    const auto look = [&](absl::string_view text) {
      seen += absl::StrContains(text, part) ? 1 : 0;
      return false;
    };
    EXPECT_FALSE(decoded.Any(one, ReadAs::kAnything, 1, {planted, on_found, look, true}));
    EXPECT_GE(seen, 1u);
  }
}

TEST(DecodedText, AsksBeforeItLooks) {
  const Planted planted = OneOf("tipstaff");
  size_t asked = 0;
  const auto afford = [&](size_t bytes) { return (asked += bytes) > 10'000; };
  DecodedText decoded(planted, afford);
  bool found = false;
  const auto on_found = [&](Planted::Found) { found = true; };
  const auto look = [](absl::string_view) { return false; };
  std::string bytes(20'000, '.');
  EXPECT_TRUE(decoded.Any(bytes + "TIPSTAFF", ReadAs::kUtf8, 1, {planted, on_found, look, true}));
  EXPECT_FALSE(found);
  EXPECT_LE(asked, 20'000u);
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
      {"\\x{41}\\o{102}\\u{0000000000000000000000000000000000000000043}", "ABC"},
      {"&#65;&#x42;&#X43;&#0068;", "ABCD"},
      {"&#65&#x42&#X43 &#0068!", "ABC D!"},
      {"&#0000000000000000000000000000000000000000000065;", "A"},
      {"&amp;&num;&hyphen;&nbsp;&Topf;&eacute;", "&#\u2010\u00a0\U0001d54b\u00e9"},
      {"&ampx&nbsp.&eacute,&notit;&notin;", "&x\u00a0.\u00e9,\u00acit;\u2209"},
      {"&acE;", "\u223e\u0333"},
      {"&hyphen&Topf", "&hyphen&Topf"},
      {"&nowhere;&;&", "&nowhere;&;&"},
      {"\\ud835\\udc29", "\U0001d429"},
      {"&#xd835;&#xdc29", "\U0001d429"},
      {"%ud835%udc29", "\U0001d429"},
      {"a\\nb\\tc\\vd\\ae\\ef\\bg\\fh\\ri", "a b c d e f g h i"},
      {"\\101\\1023\\60\\7x", "AB30\ax"},
      {"%C3%BC\\303\\274", "\u00fc\u00fc"},
      {"%4", "%4"},
      {"%4g", "%4g"},
      {"%u004", "%u004"},
      {"%+4", "%+4"},
      {"\\u00", "\\u00"},
      {"\\u{41", "\\u{41"},
      {"\\u{}", "\\u{}"},
      {"\\o{8}", "\\o{8}"},
      {"\\U0041", "\\U0041"},
      {"\\U00110000", ""},
      {"\\ud835", ""},
      {"\\ud835\\u0041", "A"},
      {"\\udc29", ""},
      {"&#;", "&#;"},
      {"&#x;", "&#x;"},
      {"&#-65;", "&#-65;"},
      {"&#99999999999;", ""},
      {"\\8\\q\\\\", "\\8\\q\\\\"},
      {"\\", "\\"},
      {"%", "%"},
      {"", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Unescaped(row.text, {Digited::kOctal, Doubled::kApart}), row.plain) << row.text;
  }
}

TEST(Unescaped, LanguagesDifferOnDigits) {
  const struct {
    const char* text;
    std::string octal, nul, printf, css;
  } kRows[] = {
      {"a\\0b", std::string("a\0b", 3), std::string("a\0b", 3), std::string("a\0b", 3), "a\v"},
      {"-\\07f", "-\af",
       std::string("-\0"
                   "7f",
                   4),
       "-\af", "-\x7f"},
      {"\\0124\\124", "\n4T",
       std::string("\0"
                   "124T",
                   5),
       "TT", "\u0124\u0124"},
      {"\\54 \\49\n\\000050",
       ", \x04"
       "9\n" +
           std::string(1, '\0') + "050",
       ", \x04"
       "9\n" +
           std::string(1, '\0') + "00050",
       ", \x04"
       "9\n" +
           std::string(1, '\0') + "50",
       "TIP"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Unescaped(row.text, {Digited::kOctal, Doubled::kApart}), row.octal) << row.text;
    EXPECT_EQ(Unescaped(row.text, {Digited::kNul, Doubled::kApart}), row.nul) << row.text;
    EXPECT_EQ(Unescaped(row.text, {Digited::kPrintf, Doubled::kApart}), row.printf) << row.text;
    EXPECT_EQ(Unescaped(row.text, {Digited::kCss, Doubled::kApart}), row.css) << row.text;
  }
  EXPECT_THAT(AllUnescaped("a\\101"), ElementsAre("aA", "a\u0101"));
  EXPECT_THAT(AllUnescaped("a\\n%20\\"), ElementsAre("a  \\")) << "no digits";
  EXPECT_THAT(AllUnescaped("a & b"), ElementsAre());
  EXPECT_THAT(AllUnescaped("a"), ElementsAre());
  EXPECT_THAT(AllUnescaped("\\"), ElementsAre());
}

TEST(Unescaped, DoubledBackslashesAreReadInThreeWays) {
  const struct {
    const char* text;
    const char *apart, *escape, *gone;
  } kRows[] = {
      {"\\\\303\\\\274", "\\\xc3\\\xbc", "\\303\\274", "\xc3\xbc"},
      {"\\\\\\\\x41", "\\\\\\A", "\\\\x41", "A"},
      {"\\\\ud835\\\\udc29", "\\\\", "\\ud835\\udc29", "\U0001d429"},
      {"C:\\\\new", "C:\\ ew", "C:\\new", "C: ew"},
      {"\\\\o{170}41", "\\x41", "\\o{170}41", "x41"},
      {"\\\\q\\\\", "\\\\q\\\\", "\\q\\", "\\\\q\\\\"},
      {"\\\\\\", "\\\\\\", "\\\\", "\\\\\\"},
      {"\\x41", "A", "A", "A"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Unescaped(row.text, {Digited::kOctal, Doubled::kApart}), row.apart) << row.text;
    EXPECT_EQ(Unescaped(row.text, {Digited::kOctal, Doubled::kEscape}), row.escape) << row.text;
    EXPECT_EQ(Unescaped(row.text, {Digited::kOctal, Doubled::kGone}), row.gone) << row.text;
  }
  EXPECT_THAT(AllUnescaped("\\\\q"), ElementsAre("\\q"));
  EXPECT_THAT(AllUnescaped("\\\\t"), ElementsAre("\\ ", "\\t", " "));
  EXPECT_THAT(AllUnescaped("\\\\0101"), ElementsAre("\\\b1",
                                                    std::string("\\\0"
                                                                "101",
                                                                5),
                                                    "\\A", "\\\u0101", "\\0101", "\b1"));
}

// A run of backslashes that nothing follows is gone through once.
TEST(Unescaped, ManyBackslashesTakeNoLonger) {
  const std::string many(4'000'000, '\\');
  EXPECT_EQ(Unescaped(many, {Digited::kOctal, Doubled::kGone}), many);
  EXPECT_EQ(Unescaped(many + "x41", {Digited::kOctal, Doubled::kGone}), "A");
}

TEST(BytesAsCharacters, AreThoseOfLatin1WhereTheyAreNoUtf8) {
  EXPECT_EQ(BytesAsCharacters("Schl\xfcssel"), "Schl\u00fcssel");
  EXPECT_EQ(BytesAsCharacters("\xc3\xbc\xfc\xdf.\x80"), "\u00fc\u00fc\u00df.\u0080");
  EXPECT_EQ(BytesAsCharacters("\xe2\x82"), "\u00e2\u0082") << "a character that is cut off";
  EXPECT_EQ(BytesAsCharacters("\xff"), "\u00ff");
  EXPECT_EQ(BytesAsCharacters("\u00fc"), "") << "UTF-8";
  EXPECT_EQ(BytesAsCharacters(""), "");
}

TEST(HtmlReference, HasAllNames) {
  EXPECT_EQ(ReadHtmlReference("&AElig;").characters, "\u00c6") << "the first";
  EXPECT_EQ(ReadHtmlReference("&zwnj;").characters, "\u200c") << "the last";
  EXPECT_EQ(ReadHtmlReference("&CounterClockwiseContourIntegral;x").bytes, 33u) << "the longest";
  EXPECT_EQ(ReadHtmlReference("&yacuted").bytes, 7u) << "no semicolon";
  EXPECT_EQ(ReadHtmlReference("&").bytes, 0u);
}

std::vector<std::string> AllHex(absl::string_view text) {
  std::vector<std::string> all;
  SeenDigits seen;
  EXPECT_FALSE(Digits(text).AnyHex(seen, 1, [&](absl::string_view bytes) {
    all.emplace_back(bytes);
    return false;
  }));
  return all;
}

std::vector<std::string> AllBase64(absl::string_view text) {
  std::vector<std::string> all;
  SeenDigits seen;
  EXPECT_FALSE(Digits(text).AnyBase64(seen, 1, [&](absl::string_view bytes) {
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
  SeenDigits seen;
  const auto over = [](absl::string_view) { return true; };
  EXPECT_TRUE(Digits("YWJjZGVmZ2hp").AnyBase64(seen, 1, over));
  EXPECT_FALSE(Digits("YWJj ZGVm Z2hp").AnyBase64(seen, 1, over)) << "the same digits";
  EXPECT_TRUE(Digits("YWJjZGVmZ2hp").AnyBase64(seen, 2, over)) << "with more levels";
}

}  // namespace
}  // namespace tipstaff::policy::internal
