#include "mediator/schema/plain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "mediator/base/utf8.h"

namespace tipstaff::schema {
namespace {

TEST(PlainProblem, RefusesSyntax) {
  struct Row {
    const char* name;
    std::string text;
    const char* says;
  };
  const Row kRows[] = {
      {"an option", "-rf", "a word begins with `-`, as options do"},
      {"a long option", "--upload-pack=id", "a word begins with `-`, as options do"},
      {"an option after a space", "main --force", "a word begins with `-`, as options do"},
      {"an option after a space of another kind", "a\xc2\xa0-x", "a word begins with `-`"},
      {"a hyphen alone: standard input", "a - b", "a word begins with `-`, as options do"},
      {"an option of sort or vim", "+set", "a word begins with `+`, as options do"},
      {"an option of Windows", "/c", "a word begins with `/`, as options of Windows do"},
      {"a file of arguments", "@args", "a word begins with `@`"},
      {"an en dash, an option to PowerShell", "\xe2\x80\x93x", "a word begins with `U+2013`"},
      {"a full-width hyphen", "\xef\xbc\x8dx", "a word begins with `U+FF0D`"},
      {"a second command", "a; id", "it holds `;`, which ends a command"},
      {"in the background", "a & id", "it holds `&`, which ends a command"},
      {"a pipe", "a | id", "it holds `|`, which begins another command"},
      {"a redirection", "a > b", "it holds `>`, which redirects"},
      {"a substitution", "$(id)", "it holds `$`"},
      {"an old substitution", "`id`", "it holds ```"},
      {"an accent that normalizes to a back-quote", "\xe1\xbf\xaf", "it holds `U+1FEF`"},
      {"a question mark that normalizes to a semicolon", "a\xcd\xbe", "it holds `U+037E`"},
      {"a full-width dollar", "\xef\xbc\x84x", "it holds `U+FF04`"},
      {"a curly quote, which quotes in PowerShell", "\xe2\x80\x99", "it holds `U+2019`"},
      {"a superscript plus", "\u207ax", "a word begins with `U+207A`, as options do"},
      {"a subscript bracket", "a\u208d", "it holds `U+208D`, which groups"},
      {"a vertical form", "a\ufe14b", "it holds `U+FE14`, which ends a command"},
      {"a small semicolon", "a\ufe54b", "it holds `U+FE54`, which ends a command"},
      {"a small ampersand", "a\ufe60b", "it holds `U+FE60`, which ends a command"},
      {"two question marks", "\u2047", "it holds `U+2047`, which is a pattern"},
      {"a numbered bracket", "\u2474", "it holds `U+2474`, which groups commands"},
      {"a prime, a quote in a code page", "5\u2032", "it holds `U+2032`, which quotes"},
      {"a double prime", "5\u2033", "it holds `U+2033`, which quotes"},
      {"an acute accent", "\u00b4", "it holds `U+00B4`, which quotes"},
      {"a modifier apostrophe", "it\u02bcs", "it holds `U+02BC`, which quotes"},
      {"a modifier grave", "\u02cbid", "it holds `U+02CB`"},
      {"divides, a bar in a code page", "a\u2223b", "it holds `U+2223`, which begins another"},
      {"an angle bracket", "a\u3009b", "it holds `U+3009`, which redirects"},
      {"a yen sign, a backslash in a code page", "\u00a5", "it holds `U+00A5`, which quotes"},
      {"a quote", "it's", "it holds `'`, which quotes"},
      {"a double quote", "\"a\"", "it holds `\"`, which quotes"},
      {"a backslash", "a\\b", "it holds `\\`"},
      {"a pattern", "*.txt", "it holds `*`, which is a pattern"},
      {"a list", "{a,b}", "it holds `{`"},
      {"a home folder", "~root", "it holds `~`"},
      {"a comment", "a #b", "it holds `#`, which begins a comment"},
      {"a variable of cmd.exe", "%PATH%", "it holds `%`"},
      {"the quote of cmd.exe", "^a", "it holds `^`"},
      {"history", "!!", "it holds `!`"},
      {"an assignment", "LD_PRELOAD=x", "it holds `=`"},
      {"a second line", "a\nid", "U+000A"},
      {"a carriage return", "a\rb", "U+000D"},
      {"a tab", "a\tb", "U+0009"},
      {"NUL", std::string("a\0b", 3), "U+0000"},
      {"an escape", "\x1b[2J", "U+001B"},
      {"a right-to-left override", "a\xe2\x80\xae", "U+202E"},
      {"a zero-width space", "\xe2\x80\x8b-x", "U+200B"},
      {"not UTF-8", "a\xff", "byte 2 is not UTF-8"},
  };
  for (const Row& row : kRows) {
    const std::optional<std::string> problem = PlainProblem(row.text);
    ASSERT_TRUE(problem.has_value()) << row.name;
    EXPECT_THAT(*problem, testing::HasSubstr(row.says)) << row.name;
  }
}

TEST(PlainProblem, PassesText) {
  for (const char* text : {"", "main", "feature/x-1", "v1.2.3+build", "ann@example.com", "a-b_c",
                           "Quarterly report, part 2: costs",
                           "\xc3\x9c"
                           "ber 2026",
                           "\xe6\x97\xa5\xe6\x9c\xac", "12:30"}) {
    EXPECT_EQ(PlainProblem(text), std::nullopt) << text;
  }
}

TEST(PlainProblem, TakesAnyBytes) {
  std::mt19937 random(17);
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (size_t size = random() % 8; size > 0; --size) text += static_cast<char>(random());
    if (PlainProblem(text).has_value()) continue;
    EXPECT_TRUE(base::IsUtf8(text));
    EXPECT_EQ(text.find_first_of(";&|<>(){}[]$`\\\"'*?!~#%^=\n\r\t"), std::string::npos);
  }
}

}  // namespace
}  // namespace tipstaff::schema
