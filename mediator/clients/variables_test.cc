#include "mediator/clients/variables.h"

#include <gtest/gtest.h>

namespace tipstaff::clients {
namespace {

std::optional<std::string> Variable(const std::string& name) {
  if (name == "HOME") return "/h/dana";
  if (name == "RUN") return "run_1";
  return std::nullopt;
}

TEST(ExpandTest, AsEachClientDoes) {
  const struct {
    const char *client, *text, *read, *unexpanded, *unset;
  } kRows[] = {
      {"claude-code", "${HOME}/x", "/h/dana/x", "", ""},
      {"claude-code", "${NONE:-/y}/${RUN}", "/y/run_1", "", ""},
      {"claude-code", "${NONE}/x", "${NONE}/x", "", "NONE"},
      {"claude-code", "$HOME/x", "$HOME/x", "$HOME", ""},
      {"claude-code", "~/x", "~/x", "~", ""},
      {"claude-desktop", "${HOME}/x", "${HOME}/x", "${HOME}", ""},
      {"claude-desktop", "%APPDATA%\\x", "%APPDATA%\\x", "%APPDATA%", ""},
      {"inspect", "a$HOME", "a$HOME", "$HOME", ""},
      {"cursor", "${env:HOME}/x", "/h/dana/x", "", ""},
      {"cursor", "${userHome}/x", "/h/dana/x", "", ""},
      {"cursor", "${HOME}/x", "${HOME}/x", "${HOME}", ""},
      {"cursor", "${env:NONE}", "${env:NONE}", "", "NONE"},
      {"vscode", "${workspaceFolder}/x", "${workspaceFolder}/x", "", ""},
      {"vscode", "${input:token}", "${input:token}", "", ""},
      {"vscode", "${HOME}", "${HOME}", "${HOME}", ""},
      {"vscode", "/plain/~/a$/100%/b%c%%/$1${", "/plain/~/a$/100%/b%c%%/$1${", "%c%", ""},
      {"claude-code", "/a~b/c$ d", "/a~b/c$ d", "", ""},
      {"claude-code", "", "", "", ""},
  };
  for (const auto& row : kRows) {
    const Expanded read = Expand(*FindClient(row.client), row.text, Variable);
    EXPECT_EQ(read.text, row.read) << row.client;
    EXPECT_EQ(read.unexpanded, row.unexpanded) << row.client << " " << row.text;
    EXPECT_EQ(read.unset, row.unset) << row.client << " " << row.text;
  }
}

TEST(ExpandTest, SaysWhatItCannotKnow) {
  EXPECT_FALSE(Expand(*FindClient("vscode"), "${workspaceFolder}", Variable).is_known);
  EXPECT_TRUE(Expand(*FindClient("vscode"), "${env:HOME}", Variable).is_known);
  EXPECT_TRUE(Expand(*FindClient("cursor"), "${userHome}", Variable).is_known);
}

}  // namespace
}  // namespace tipstaff::clients
