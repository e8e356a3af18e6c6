// A client's configuration, as people get it wrong.
#include "mediator/doctor/testing/made_up_machine.h"

namespace tipstaff::doctor {
namespace {

TEST(CheckClientTest, AllIsWell) {
  Scene scene;
  const std::vector<Finding> findings = scene.Examine();
  EXPECT_FALSE(HasProblem(findings));
  EXPECT_EQ(findings.size(), AllChecks().size() + 1) << "one a check, and two of the protocol";
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.level, Level::kOk) << finding.check << ": " << finding.what;
    EXPECT_EQ(finding.fix, "") << finding.check;
  }
}

TEST(CheckClientTest, EntriesThatDoNotWork) {
  const struct {
    const char *name, *client;
    std::string entry;
    Level level;
    const char *what, *fix;
  } kRows[] = {
      {"relative command", "claude-code", Scene::Entry("tipstaff-guest"), Level::kProblem,
       "the command `tipstaff-guest` is relative", "write /usr/local/bin/tipstaff-guest"},
      {"command elsewhere", "claude-code", Scene::Entry("/opt/tipstaff-guest"), Level::kProblem,
       "`/opt/tipstaff-guest` is not there", "write /usr/local/bin/tipstaff-guest"},
      {"no command", "claude-code", R"({"args": []})", Level::kProblem, "has no `command`",
       "--replace"},
      {"braces for nobody", "claude-desktop", Scene::Entry(kGuest, "${HOME}/s"), Level::kProblem,
       "`args[1]` has `${HOME}`, which Claude Desktop does not replace", "whole path"},
      {"plain variable", "claude-code", Scene::Entry(kGuest, "$HOME/s"), Level::kProblem,
       "`args[1]` has `$HOME`, which Claude Code does not replace", "whole path"},
      {"tilde", "cursor", Scene::Entry("~/bin/tipstaff-guest"), Level::kProblem,
       "the command has `~`, which Cursor does not replace", "whole path"},
      {"of Windows", "claude-desktop", Scene::Entry(kGuest, "%APPDATA%/s"), Level::kProblem,
       "`%APPDATA%`", "whole path"},
      {"unset", "claude-code", Scene::Entry(kGuest, "${NONE}/s"), Level::kProblem,
       "the variable `NONE`, which is not set", "set it"},
      {"HTTP as a process", "claude-code",
       R"({"command": "/usr/local/bin/tipstaff-guest", "args": ["--http", "127.0.0.1:1"]})",
       Level::kProblem, "`args` has --http", "leave --http out"},
      {"another program", "claude-code", R"({"command": "/usr/local/bin/tipstaff-gate"})",
       Level::kNotChecked, "is not started by doctor", ""},
      {"a token in it", "vscode",
       absl::StrCat(R"({"command": "/usr/local/bin/tipstaff-guest", "env": {"TIPSTAFF_SOCKET": ")",
                    RunToken(absl::UnixEpoch(), absl::UnixEpoch()), R"("}})"),
       Level::kProblem, "a token stands in `env.TIPSTAFF_SOCKET`", "--token-file"},
      {"an address outside", "claude-code", R"({"type": "http", "url": "http://10.0.0.1:80/mcp"})",
       Level::kProblem, "the address `http://10.0.0.1:80/mcp` is not", "tipstaff-guest --http"},
      {"nobody there", "claude-code", R"({"type": "http", "url": "http://[::1]:81/mcp"})",
       Level::kProblem, "nobody listens at `http://[::1]:81/mcp`", "--http [::1]:81"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Scene scene;
    scene.SetClient(row.client, row.entry);
    scene.Expect("client", row.level, row.what, row.fix);
    EXPECT_TRUE(scene.machine.conversations.empty() || row.level == Level::kProblem);
  }
}

TEST(CheckClientTest, FilesThatDoNotWork) {
  const struct {
    const char *name, *client, *text, *what, *fix;
  } kRows[] = {
      {"not JSON", "claude-code", "{\n  \"mcpServers\": {,}\n}", "/h/dana/.mcp.json:2:18: not JSON",
       "ignores the whole file"},
      {"comments", "cursor", "{\"mcpServers\": {\"tipstaff\": {}}} // mine",
       "has comments or trailing commas, which Cursor does not take", "remove"},
      {"the other key", "vscode", "{\"mcpServers\": {}}", "no object `servers`, but `mcpServers`",
       "reads `servers` only"},
      {"not in it", "claude-code", "{\"mcpServers\": {\"a\": {}, \"b\": {}}}",
       "no server `tipstaff`; it has a, b", "connect claude-code"},
      {"a list", "claude-code", "[]", "no object `mcpServers`", "connect claude-code"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Scene scene;
    scene.SetClient(row.client, "{}");
    scene.machine.AddFile(kClientFile, row.text);
    scene.Expect("client", Level::kProblem, row.what, row.fix);
  }
  Scene scene;
  scene.machine.paths.erase(kClientFile);
  scene.Expect("client", Level::kProblem, "is not there, so Claude Code does not know", "--write");
  scene.machine.Add(kClientFile, PathFacts::Kind::kFile, 0);
  scene.Expect("client", Level::kProblem, "`/h/dana/.mcp.json`: no", "user read it");
}

TEST(CheckClientTest, CommentsAreFineWhereTheClientTakesThem) {
  Scene scene;
  scene.SetClient("vscode", absl::StrCat("/* mine */ ", Scene::Entry(), ","));
  EXPECT_FALSE(HasProblem(scene.Examine()));
}

// As the client reads it: variables that it replaces, and the guest agent's own defaults.
TEST(CheckClientTest, TheEntrySaysWhichRunIsLookedAt) {
  Scene scene;
  scene.machine.variables["BASE"] = "/srv/run/run_abcdefghijkl";
  scene.SetClient("claude-code", Scene::Entry(kGuest, "${BASE}/guest.sock"));
  EXPECT_FALSE(HasProblem(scene.Examine()));
  ASSERT_FALSE(scene.machine.conversations.empty());
  EXPECT_EQ(scene.machine.conversations[0].command,
            (std::vector<std::string>{kGuest, "--connect", kSocket, "--token-file", kToken}));

  scene.SetClient("claude-code", absl::StrCat(R"({"command": ")", kGuest, R"("})"));
  scene.Expect("socket", Level::kProblem, "`/run/tipstaff/guest.sock` is not there", "mounted");
  scene.Expect("token", Level::kProblem, "`/run/tipstaff/token` is not there", "token file");

  scene.SetClient("claude-code", absl::StrCat(R"({"command": ")", kGuest,
                                              R"(", "env": {"TIPSTAFF_SOCKET": "/a/b"}})"));
  scene.Expect("socket", Level::kProblem, "`/a/b` is not there", "mounted");
  scene.SetClient("claude-code",
                  absl::StrCat(R"({"command": ")", kGuest, R"(", "args": ["--connect=/c/d"]})"));
  scene.Expect("socket", Level::kProblem, "`/c/d` is not there", "mounted");
}

TEST(CheckClientTest, VsockIsNeverDialled) {
  for (const char* arguments : {R"(["--vsock", "2:5000"])", R"(["--vsock=2:5000"])"}) {
    Scene scene;
    scene.SetClient("claude-code",
                    absl::StrCat(R"({"command": ")", kGuest, R"(", "args": )", arguments, "}"));
    scene.Expect("socket", Level::kNotChecked, "never dialled", "in the VM");
    scene.Expect("protocol", Level::kNotChecked, "vsock", "");
    EXPECT_TRUE(scene.machine.conversations.empty()) << arguments;
  }
}

TEST(CheckClientTest, HttpThatListens) {
  Scene scene;
  scene.machine.listeners["127.0.0.1:8787"] = absl::OkStatus();
  scene.SetClient("claude-code",
                  R"({"type": "http", "url": "http://127.0.0.1:8787/mcp",
                      "headers": {"Authorization": "Bearer ${NONE}"}})");
  scene.Expect("client", Level::kOk, "somebody listens", "");
  scene.Expect("client", Level::kProblem, "`headers.Authorization` has the variable `NONE`", "set");
  scene.Expect("protocol", Level::kNotChecked, "HTTP", "");
}

TEST(CheckClientTest, WithoutAClient) {
  Scene scene;
  scene.subject.client = nullptr;
  scene.subject.socket = kSocket;
  scene.subject.token_file = kToken;
  scene.Expect("client", Level::kNotChecked, "no client is named", "--client");
  scene.Expect("protocol", Level::kOk, "`server/discover` is answered", "");
  scene.Expect("tool names", Level::kNotChecked, "2 tools are listed", "--client");
  scene.subject.client = clients::FindClient("langgraph");
  scene.subject.client_file = "";
  scene.Expect("client", Level::kNotChecked, "set up in a program", "connect langgraph --print");
  scene.Expect("tool names", Level::kOk, "LangGraph takes the names of all 2 tools", "");
}

}  // namespace
}  // namespace tipstaff::doctor
