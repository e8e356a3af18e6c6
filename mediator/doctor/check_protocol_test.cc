#include "mediator/doctor/testing/made_up_machine.h"

namespace tipstaff::doctor {
namespace {

bool Says(const Conversation& talk, absl::string_view method) {
  for (const Conversation::Line& line : talk.lines) {
    if (line.text.find(std::string(method)) != std::string::npos) return true;
  }
  return false;
}

// A program takes the generation of the first message: each gets one of its own.
TEST(CheckProtocolTest, BothGenerationsAreAsked) {
  Scene scene;
  scene.Examine();
  ASSERT_EQ(scene.machine.conversations.size(), 2u);
  EXPECT_TRUE(Says(scene.machine.conversations[0], "\"initialize\""));
  EXPECT_FALSE(Says(scene.machine.conversations[0], "server/discover"));
  EXPECT_TRUE(Says(scene.machine.conversations[1], "server/discover"));
  EXPECT_FALSE(Says(scene.machine.conversations[1], "\"initialize\""));
}

TEST(CheckProtocolTest, WhatIsNotAnsweredIsAProblem) {
  const struct {
    const char* name;
    std::function<absl::StatusOr<std::vector<std::string>>(const Conversation&)> answer;
    const char* what;
  } kRows[] = {
      {"it ends",
       [](const Conversation&) { return absl::UnavailableError("it ended: no run token"); },
       "`initialize` fails: it ended: no run token"},
      {"an error",
       [](const Conversation&) {
         return std::vector<std::string>{
             R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no \u0007 mediator"}})"};
       },
       "`server/discover` fails: no \\x07 mediator"},
      {"no result",
       [](const Conversation&) { return std::vector<std::string>{R"({"jsonrpc":"2.0","id":1})"}; },
       "`initialize` fails: no result and no error"},
      {"nothing", [](const Conversation&) { return std::vector<std::string>{}; },
       "`server/discover` fails"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Scene scene;
    scene.machine.answer = row.answer;
    scene.Expect("protocol", Level::kProblem, row.what, "standard error");
    scene.Expect("tool names", Level::kNotChecked, "not known", "");
  }
}

TEST(CheckNamesTest, AllPagesAreRead) {
  Scene scene;
  const auto plain = scene.machine.answer;
  scene.machine.answer =
      [plain](const Conversation& talk) -> absl::StatusOr<std::vector<std::string>> {
    if (!Says(talk, "tools/list")) return plain(talk);
    const bool is_second = Says(talk, "\"cursor\":\"a\\\"b\"");
    return std::vector<std::string>{
        R"({"id":1,"result":{}})",
        is_second ? R"({"id":2,"result":{"tools":[{"name":"two"}]}})"
                  : R"({"id":2,"result":{"tools":[{"name":"one"}],"nextCursor":"a\"b"}})"};
  };
  scene.Expect("tool names", Level::kOk, "all 2 tools", "");
}

// A program that names a next page for ever.
TEST(CheckNamesTest, PagesHaveAnEnd) {
  Scene scene;
  scene.machine.answer = [](const Conversation&) {
    return std::vector<std::string>{
        R"({"id":2,"result":{"tools":[{"name":"x"}],"nextCursor":"more"}})"};
  };
  scene.Examine();
  EXPECT_LT(scene.machine.conversations.size(), 200u);
}

TEST(CheckNamesTest, NamesThatTheClientDoesNotTake) {
  Scene scene;
  scene.tools = {"ok", std::string(55, 'n')};
  scene.Expect("tool names", Level::kProblem, "has 70 characters, and Claude Code takes 64",
               "shorter name");
  scene.SetClient("cursor", Scene::Entry());
  scene.Expect("tool names", Level::kProblem, "has 63 characters, and Cursor takes 60", "--name");
  scene.tools = {};
  scene.Expect("tool names", Level::kWarning, "no tool at all", "run show");
}

}  // namespace
}  // namespace tipstaff::doctor
