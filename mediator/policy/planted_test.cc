#include "mediator/policy/planted.h"

#include <gtest/gtest.h>

#include "mediator/base/utf8.h"

namespace tipstaff::policy::internal {
namespace {

std::vector<uint32_t> Points(absl::string_view text) {
  std::vector<uint32_t> points;
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    points.push_back(point.value);
    text.remove_prefix(point.bytes);
  }
  return points;
}

// "NUMBER" or "NUMBER backwards" of the first one that ends, "" for none.
std::string FirstIn(const Planted& planted, absl::string_view text) {
  Planted::Search search(planted);
  for (const uint32_t c : Points(text)) {
    if (const Planted::Found found = search.Take(c)) {
      return std::to_string(found.text) + (found.backwards ? " backwards" : "");
    }
  }
  return "";
}

TEST(Planted, AreFoundInOnePass) {
  Planted planted;
  for (const char* text : {"abcabd", "bcab", "cabx", "\u0436\u0446\u0443", "aaab"}) {
    planted.Add(Points(text));
  }
  EXPECT_EQ(planted.size(), 5u);
  const struct {
    const char* text;
    const char* found;
    const char* why;
  } kRows[] = {
      {"xxabcabdxx", "1", "the one that ends first, though another one began before"},
      {"xxabca", "", "only beginnings"},
      {"abcacabx", "2", "what a beginning that fails ends with goes on"},
      {"bacb", "1 backwards", "the other way round"},
      {"xbac", "2 backwards", "another one the other way round"},
      {"aaaaaaab", "4", "more of its first letter than it has"},
      {"BC-A b", "1", "whatever case, and what stands between"},
      {"\u0416 \u0426.\u0423", "3", "another script"},
      {"\u0443\u0446\u0436", "3 backwards", "also backwards"},
      {"\u00df\u00df", "", "one character of two letters"},
      {"", "", "nothing"},
  };
  for (const auto& row : kRows) EXPECT_EQ(FirstIn(planted, row.text), row.found) << row.why;
}

TEST(Planted, TwoOfTheSameLettersAreTheFirst) {
  Planted planted;
  planted.Add(Points("abcdcba"));
  planted.Add(Points("abcdcba"));
  EXPECT_EQ(FirstIn(planted, "--ABCDCBA"), "0");
}

TEST(Letters, AreWhatReadersAndDecodersMakeOfACharacter) {
  const Letters& letters = Letters::Get();
  const struct {
    const char* character;
    const char* letters;
    const char* ascii;
  } kRows[] = {
      {"A", "a", "A"},          {"-", "", "-"},           {"\u00df", "ss", ""},
      {"\u00e9", "e", ""},      {"\u0301", "", ""},       {"\uff21", "a", "A"},
      {"\uff05", "", "%"},      {"\U0001d400", "a", "A"}, {"\u212a", "k", "K"},
      {"\ufb01", "fi", "fi"},   {"\u2460", "1", "1"},     {"\u00bd", "12", ""},
      {"\u0416", "\u0436", ""}, {"\u65e5", "\u65e5", ""}, {"\U00020000", "\U00020000", ""},
      {"\U000e0041", "", ""},   {"\u200b", "", ""},
  };
  for (const auto& row : kRows) {
    const uint32_t c = Points(row.character)[0];
    const absl::Span<const uint32_t> of = letters.Of(c);
    EXPECT_EQ(std::vector<uint32_t>(of.begin(), of.end()), Points(row.letters)) << row.character;
    EXPECT_EQ(letters.Ascii(c), row.ascii) << row.character;
  }
  EXPECT_EQ(InAscii("\uff05\uff14\uff11 \u00e9\u65e5x"), "%41 \u00e9\u65e5x");
  EXPECT_TRUE(letters.Of(0xd800).empty());
  EXPECT_TRUE(letters.Of(0x10ffff).empty());
  EXPECT_TRUE(letters.Of(0xffffffff).empty());
}

}  // namespace
}  // namespace tipstaff::policy::internal
