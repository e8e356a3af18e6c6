#include "mediator/schema/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

namespace tipstaff::schema {
namespace {

bool Found(const std::string& pattern, absl::string_view text) {
  const re2::RE2 compiled(pattern, re2::RE2::Quiet);
  EXPECT_TRUE(compiled.ok()) << pattern << ": " << compiled.error();
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled);
}

TEST(ToRe2, MeansWhatEcmaMeans) {
  struct Row {
    const char* pattern;
    absl::string_view text;
    bool found;
    const char* reason;
  };
  const Row kRows[] = {
      {"b", "abc", true, "a search, not a match of all"},
      {"^rep_[a-z0-9]{8}$", "rep_aaaaaaaa", true, "the anchors"},
      {"^rep_[a-z0-9]{8}$", "rep_aaaaaaaa\n", false, "$ is the end, not before a line feed"},
      {"^b", "a\nb", false, "^ is the start of the text only"},
      {"a.c",
       "a\xe2\x80\xa8"
       "c",
       false, ". is no line separator"},
      {"a.c", "a\rc", false, ". is no carriage return"},
      {"^.$", "\xf0\x9f\x98\x80", true, "one code point"},
      {"\\s", "\xc2\xa0", true, "a no-break space is white"},
      {"\\s", "\v", true, "a vertical tab is white"},
      {"^\\S$", "\xc2\xa0", false, "and so is not \\S"},
      {"^\\S$", "\xc3\xa9", true, "a letter is"},
      {"^[\\s]$", "\xe3\x80\x80", true, "\\s in a class"},
      {"^[^\\s]$", " ", false, "\\s in a negated class"},
      {"^[\\S]$", "x", true, "\\S in a class"},
      {"^[-\\s]$", "-", true, "a hyphen at the front is itself"},
      {"^[\\w-]+$", "a-b", true, "a hyphen at the end is itself"},
      {"\\d", "\xd9\xa0", false, "digits are ASCII"},
      {"^\\w$", "\xc3\xa9", false, "word characters are ASCII"},
      {"\\u00e9", "\xc3\xa9", true, "four digits"},
      {"\\ud83d\\ude00", "\xf0\x9f\x98\x80", true, "a surrogate pair"},
      {"^\\u{1F600}$", "\xf0\x9f\x98\x80", true, "braces"},
      {"^\\x41$", "A", true, "two digits"},
      {"^\\cJ$", "\n", true, "a control letter"},
      {"^\\0$", absl::string_view("\0", 1), true, "NUL"},
      {"^[\\b]$", "\b", true, "a backspace in a class"},
      {"\\bcat\\b", "a cat", true, "word boundary"},
      {"^[[:alpha:]]$", "a]", true, "no POSIX classes: a set and a bracket"},
      {"^[[:alpha:]]$", "z", false, "no POSIX classes"},
      {"^(?<year>[0-9]{4})$", "2026", true, "a named group"},
      {"^(?:a|b)$", "b", true, "a group that keeps nothing"},
      {"^\\p{Letter}+$", "\xc3\xa9\xd9\x87", true, "a general category"},
      {"^\\p{L}+$", "a1", false, "by its short name"},
      {"^[\\p{gc=Lu}_]+$", "A_", true, "in a class"},
      {"^\\P{General_Category=Decimal_Number}$", "x", true, "negated"},
      {"^a\\/b\\.c\\$$", "a/b.c$", true, "escaped punctuation"},
      {"^(a+)+$", "aaaa", true, "linear however it nests"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const absl::StatusOr<std::string> pattern = ToRe2(row.pattern);
    ASSERT_TRUE(pattern.ok()) << row.pattern << ": " << pattern.status();
    EXPECT_EQ(Found(*pattern, row.text), row.found) << row.pattern << " is " << *pattern;
  }
}

TEST(ToRe2, RefusesWhatDoesNotMap) {
  struct Row {
    const char* pattern;
    const char* problem;
  };
  const Row kRows[] = {
      {"(?=a)", "look-around"},
      {"(?!a)", "look-around"},
      {"(?<=a)b", "look-around"},
      {"(?<!a)b", "look-around"},
      {"(a)\\1", "back-references"},
      {"(?<n>a)\\k<n>", "back-references"},
      {"(?i)a", "not ECMA-262"},
      {"(?P<n>a)", "not ECMA-262"},
      {"\\p{Script=Greek}", "\\p{...}"},
      {"\\p{C}", "\\p{...}"},
      {"\\p{}", "\\p{...}"},
      {"\\pL", "without `{`"},
      {"[\\p{L}-z]", "a range"},
      {"\\A", "ECMA-262 does not have"},
      {"\\Qa\\E", "ECMA-262 does not have"},
      {"\\z", "ECMA-262 does not have"},
      {"\\C", "ECMA-262 does not have"},
      {"\\07", "octal"},
      {"[]", "empty"},
      {"[^]", "empty"},
      {"[a", "without `]`"},
      {"a\\", "lone"},
      {"\\u12", "four"},
      {"\\u{110000}", "code point"},
      {"\\u{", "code point"},
      {"\\ud800", "surrogate"},
      {"\\ud83d\\u0041", "surrogate"},
      {"\\x4", "two"},
      {"\\c1", "letter"},
      {"[\\s-z]", "a range"},
      {"[a-\\s]", "a range"},
      {"[\\0-\\S]", "a range"},
      {"(?<n", "without `>`"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.pattern);
    const absl::StatusOr<std::string> pattern = ToRe2(row.pattern);
    ASSERT_EQ(pattern.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(pattern.status().message()), testing::HasSubstr(row.problem));
  }
}

}  // namespace
}  // namespace tipstaff::schema
