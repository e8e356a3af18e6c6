// `tipstaff connect` and `tipstaff doctor` with a real run: what is written works when it is done
// as the file says, and what then breaks is found.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "tests/e2e/fixture.h"

namespace tipstaff::e2e {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ConnectTest : public E2eTest {
 protected:
  // How the client's file says to start the guest agent.
  std::vector<std::string> CommandIn(const std::string& file, const char* key) {
    const json::Document config = Must(json::Parse(Must(base::ReadFile(file))));
    const json::Value entry = config.root().Find(key).Find("tipstaff");
    std::vector<std::string> command = {std::string(entry.StringOr("command", ""))};
    for (json::Value argument : entry.Find("args").items()) {
      command.emplace_back(argument.string());
    }
    return command;
  }
  // The findings of `doctor` about `check`, "problem: what" a line.
  std::string Doctor(std::vector<std::string> options, const std::string& check, int status) {
    options.insert(options.begin(), "doctor");
    options.insert(options.end(), {"--format", "json"});
    const harness::Finished doctor = Tipstaff(options);
    EXPECT_EQ(doctor.status, status) << doctor.out << doctor.err;
    const json::Document found = Must(json::Parse(doctor.out));
    std::string text;
    for (json::Value finding : found.root().Find("findings").items()) {
      if (finding.StringOr("check", "") != check) continue;
      absl::StrAppend(&text, finding.StringOr("level", ""), ": ", finding.StringOr("what", ""),
                      "\n");
    }
    return text;
  }
};

TEST_F(ConnectTest, WhatIsWrittenWorksAsItIsWritten) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  const struct {
    const char *client, *key;
  } kClients[] = {{"claude-code", "mcpServers"},
                  {"claude-desktop", "mcpServers"},
                  {"cursor", "mcpServers"},
                  {"vscode", "servers"},
                  {"inspect", "mcpServers"}};
  for (const auto& row : kClients) {
    SCOPED_TRACE(row.client);
    const std::string file = Path(absl::StrCat(row.client, "/config.json"));
    const harness::Finished connect =
        Tipstaff({"connect", row.client, "--run", run.run, "--write", "--file", file});
    ASSERT_EQ(connect.status, 0) << connect.err;
    EXPECT_THAT(connect.out, HasSubstr("added `tipstaff` in"));
    const std::vector<std::string> command = CommandIn(file, row.key);
    // From another folder, as clients do.
    const auto agent = Must(
        harness::Agent::StartCommand(command, {.folder = "/", .stderr_file = Path("guest.log")}));
    EXPECT_EQ(Must(agent->Call("reports_get_report", kReadArguments)).reason, "permitted");
    EXPECT_THAT(Doctor({"--client", row.client, "--file", file}, "protocol", 0),
                AllOf(HasSubstr("ok: `initialize`"), HasSubstr("ok: `server/discover`")));
    const std::string token = Must(base::ReadFile(run.token_file));
    EXPECT_THAT(Must(base::ReadFile(file)), Not(HasSubstr(token.substr(0, 40))));
  }
}

TEST_F(ConnectTest, DoctorFindsWhatBreaksLater) {
  Start();
  const harness::OpenedRun run = OpenTriage();
  const std::string file = Path("mcp.json");
  ASSERT_EQ(Tipstaff({"connect", "cursor", "--run", run.run, "--write", "--file", file}).status, 0);
  const std::vector<std::string> options = {"--client", "cursor", "--file", file};
  EXPECT_THAT(Doctor(options, "tool names", 0), HasSubstr("ok: Cursor takes the names"));

  const harness::OpenedRun other = OpenReply();
  EXPECT_THAT(Doctor({"--socket", run.socket, "--token-file", other.token_file}, "token", 1),
              AllOf(HasSubstr("problem: the token is for run " + other.run), HasSubstr(run.run)));
  ::chmod(run.token_file.c_str(), 0644);
  EXPECT_THAT(Doctor(options, "token", 0), HasSubstr("warning: others than its owner"));

  mediator().Kill();
  EXPECT_THAT(Doctor(options, "socket", 1), HasSubstr("problem: nobody listens"));
  EXPECT_THAT(Doctor(options, "mediator", 1), HasSubstr("problem: nobody listens"));
  Must(base::WriteFile(file, "{\n  \"mcpServers\": {\n}"));
  EXPECT_THAT(Doctor(options, "client", 1), HasSubstr(absl::StrCat(file, ":3:2: not JSON")));
}

TEST_F(ConnectTest, PrintsToBeCopied) {
  const harness::Finished print = Bare({"connect", "vscode", "--print"});
  EXPECT_EQ(print.status, 0);
  EXPECT_TRUE(Must(json::Parse(print.out)).root().Find("servers").Find("tipstaff").is_object())
      << "standard output is the configuration alone";
  EXPECT_THAT(print.err, HasSubstr(".vscode/mcp.json"));
  EXPECT_THAT(Bare({"connect", "openai-agents", "--print"}).out, HasSubstr("MCPServerStdio("));
  EXPECT_FALSE(fs::exists(Path(".vscode"))) << "--print writes nothing";
}

TEST_F(ConnectTest, WhatCannotBeDoneIsRefused) {
  ExpectFails(Bare({"connect", "emacs", "--print"}), 2, {"no client `emacs`", "claude-code, "});
  ExpectFails(Bare({"connect", "cursor"}), 2, {"--print", "--write"});
  ExpectFails(Bare({"connect", "langgraph", "--write"}), 2, {"--print shows"});
  ExpectFails(Bare({"connect", "cursor", "--print", "--name", "a b"}), 2, {"--name `a b`"});
  ExpectFails(Bare({"connect", "claude-desktop", "--http", "http://127.0.0.1:1/mcp", "--print"}), 2,
              {"no place for an address"});
  ExpectFails(Bare({"doctor", "--client", "emacs"}), 2, {"no client `emacs`"});
  ExpectFails(Bare({"doctor", "--file", "x"}), 2, {"--file goes with --client"});
  fs::create_directory(Path(".vscode"));
  constexpr char kMine[] = "{\n  // mine\n  \"servers\": {}\n}\n";
  Must(base::WriteFile(Path(".vscode/mcp.json"), kMine));
  const harness::Finished write = Bare({"connect", "vscode", "--write"});
  EXPECT_EQ(write.status, 2);
  EXPECT_THAT(write.err, AllOf(HasSubstr("comments"), HasSubstr("\"tipstaff\": {\"type\"")))
      << "what to add by hand";
  EXPECT_EQ(Must(base::ReadFile(Path(".vscode/mcp.json"))), kMine);
}

}  // namespace
}  // namespace tipstaff::e2e
