#include "mediator/policy/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace tipstaff::policy {
namespace {

TEST(Glob, MatchesTheWhole) {
  struct Row {
    const char* pattern;
    const char* text;
    bool matches;
  };
  const Row kRows[] = {
      {"mail.send_message", "mail.send_message", true},
      {"mail.send", "mail.send_message", false},
      {"send_message", "mail.send_message", false},
      {"*", "anything.at_all", true},
      {"*", "", true},
      {"*.delete_*", "tickets.delete_ticket", true},
      {"*.delete_*", "tickets.undelete_ticket", false},
      {"*delete*", "tickets.undelete_ticket", true},
      {"mail.*", "mail.", true},
      {"mail.*", "mailbox.send", false},
      {"*a*b*", "xxaxxbxx", true},
      {"*a*b", "xxbxxa", false},
      {"a**b", "ab", true},
      {"*ab", "aab", true},
      {"", "a", false},
      {"", "", true},
      {"a.b", "axb", false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(GlobMatches(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
  }
}

TEST(Glob, BacktracksNoFurtherThanTheLastStar) {
  std::string pattern, text(2000, 'a');
  for (int i = 0; i < 60; ++i) pattern += "*a";
  EXPECT_FALSE(GlobMatches(pattern + "*b", text));
}

TEST(Glob, IsMadeOfAToolsCharacters) {
  EXPECT_TRUE(IsGlob("*.delete_*"));
  EXPECT_TRUE(IsGlob("a-b.C_9"));
  EXPECT_FALSE(IsGlob(""));
  EXPECT_FALSE(IsGlob("mail.send?"));
  EXPECT_FALSE(IsGlob("mail send"));
  EXPECT_FALSE(IsGlob(std::string(129, '*')));
}

}  // namespace
}  // namespace tipstaff::policy
