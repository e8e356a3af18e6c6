#include "mediator/clients/tool_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::clients {
namespace {

using ::testing::HasSubstr;

std::string Name(size_t length, char last = 'x') { return std::string(length - 1, 'n') + last; }

TEST(CheckToolNamesTest, LengthsByClient) {
  const struct {
    const char *client, *server;
    size_t longest;  // 0: any
  } kRows[] = {
      {"claude-code", "tipstaff", 64 - 15}, {"claude-code", "t", 64 - 8},
      {"cursor", "tipstaff", 60 - 8},       {"claude-desktop", "tipstaff", 64 - 8},
      {"openai-agents", "tipstaff", 64},    {"langgraph", "tipstaff", 64},
      {"inspect", "tipstaff", 0},
  };
  for (const auto& row : kRows) {
    const Client& client = *FindClient(row.client);
    const size_t fits = row.longest == 0 ? 300 : row.longest;
    EXPECT_TRUE(CheckToolNames(client, row.server, {Name(fits)}).empty()) << row.client;
    if (row.longest == 0) continue;
    const auto problems = CheckToolNames(client, row.server, {"ok", Name(fits + 1)});
    ASSERT_EQ(problems.size(), 1u) << row.client;
    EXPECT_EQ(problems[0].tool, Name(fits + 1));
    EXPECT_THAT(problems[0].problem, HasSubstr("characters")) << row.client;
  }
}

TEST(CheckToolNamesTest, VsCodeCutsNamesAndTwoMayBecomeOne) {
  const Client& client = *FindClient("vscode");
  EXPECT_TRUE(CheckToolNames(client, "tipstaff", {Name(60)}).empty()) << "cut, but still one";
  EXPECT_TRUE(CheckToolNames(client, "tipstaff", {Name(46, 'a'), Name(46, 'b')}).empty());
  const auto problems = CheckToolNames(client, "tipstaff", {Name(47, 'a'), Name(47, 'b')});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].tool, Name(47, 'b'));
  EXPECT_THAT(problems[0].problem, HasSubstr("cuts it to `mcp_tipstaff-gues_nnn"));
}

TEST(CheckToolNamesTest, CharactersAndDoubles) {
  for (const char* client : {"claude-code", "cursor", "openai-agents"}) {
    EXPECT_EQ(CheckToolNames(*FindClient(client), "t", {"a.b"}).size(), 1u) << client;
    EXPECT_EQ(CheckToolNames(*FindClient(client), "t", {""}).size(), 1u) << client;
    EXPECT_EQ(CheckToolNames(*FindClient(client), "t", {"a", "a"}).size(), 1u) << client;
  }
}

}  // namespace
}  // namespace tipstaff::clients
