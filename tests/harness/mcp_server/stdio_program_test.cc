// The program over a pipe, and a ClientSession at the other end: each misbehaviour, and what the
// session makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/mcp/testing/client_driver.h"
#include "tests/harness/process.h"

namespace tipstaff::mcp_server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr absl::Duration kPatience = absl::Seconds(20);
constexpr char kProgram[] = TIPSTAFF_BIN_DIR "/tipstaff-test-mcp-server";

// Keeps a program and a session together: what the session sends is written, what the program says
// is given to it, and a connection that is to be made anew is a new process.
class Broker {
 public:
  explicit Broker(std::vector<std::string> flags)
      : flags_(std::move(flags)), session_(mcp::Wire::kStdio, {"tipstaff", "1.0", ""}) {
    Spawn();
    Do(session_.Start(absl::Now()));
  }

  // Until a line of what came begins with `what`; that line, or "" when it never comes.
  std::string Await(absl::string_view what) {
    const absl::Time end = absl::Now() + kPatience;
    while (absl::Now() < end) {
      for (; seen_ < lines_.size(); ++seen_) {
        if (lines_[seen_].substr(0, what.size()) == what) return lines_[seen_++];
      }
      Pump(end - absl::Now());
    }
    ADD_FAILURE() << "no `" << what << "` in\n" << absl::StrJoin(lines_, "\n").substr(0, 4000);
    return "";
  }
  uint64_t Call(absl::string_view tool, absl::string_view arguments = "{}", bool progress = false) {
    uint64_t ticket = 0;
    mcp::ClientRequest request{
        .method = "tools/call",
        .params = absl::StrCat(R"({"name":")", tool, R"(","arguments":)", arguments, "}"),
        .want_progress = progress};
    mcp::ClientOutputs outputs = session_.Request(std::move(request), absl::Now(), ticket);
    Do(std::move(outputs));
    return ticket;
  }
  std::string CallAndAwait(absl::string_view tool, absl::string_view arguments = "{}") {
    return Await(absl::StrCat("answered ", Call(tool, arguments)));
  }
  void List(mcp::ListKind kind) {
    uint64_t ticket = 0;
    mcp::ClientOutputs outputs = session_.List(kind, absl::Now(), ticket);
    Do(std::move(outputs));
  }
  void Cancel(uint64_t ticket) { Do(session_.Cancel(ticket, "enough")); }
  // As if `kProbeTime` had passed.
  void LetTimePass() { Do(session_.OnTime(*session_.deadline())); }
  mcp::ClientSession& session() { return session_; }
  std::string All() const { return absl::StrJoin(lines_, "\n"); }

 private:
  void Spawn() {
    std::vector<std::string> command = {kProgram};
    command.insert(command.end(), flags_.begin(), flags_.end());
    absl::StatusOr<harness::Process> process =
        harness::Process::Start(command, {.stderr_file = folder_.Path("stderr")});
    ASSERT_TRUE(process.ok()) << process.status();
    process_.emplace(*std::move(process));
  }
  void Pump(absl::Duration timeout) {
    const absl::StatusOr<std::string> line = process_->ReadLine(timeout);
    if (line.ok()) return Do(session_.OnMessage(*line, absl::Now()));
    if (absl::IsNotFound(line.status())) Do(session_.OnGone("exited", absl::Now()));
  }
  void Do(mcp::ClientOutputs outputs) {
    for (const mcp::ClientOutput& output : outputs) {
      lines_.push_back(mcp::LineOf(output));
      if (const auto* o = std::get_if<mcp::SendRequest>(&output)) Write(o->message);
      if (const auto* o = std::get_if<mcp::SendNotification>(&output)) Write(o->message);
      if (std::holds_alternative<mcp::Reconnect>(output)) {
        process_.reset();
        Spawn();
        Do(session_.OnConnected(absl::Now()));
      }
    }
  }
  void Write(const std::string& message) {
    (void)process_->Write(message + "\n");  // a server that is gone is noticed by its output's end
  }

  const base::TempFolder folder_;
  const std::vector<std::string> flags_;
  std::optional<harness::Process> process_;
  mcp::ClientSession session_;
  std::vector<std::string> lines_;
  size_t seen_ = 0;
};

TEST(McpServerProgram, ServesBothGenerations) {
  Broker legacy({"--generation", "legacy"});
  legacy.Await("reconnect: `server/discover`: error -32601");
  legacy.Await("ready 2025-11-25");
  EXPECT_THAT(legacy.CallAndAwait("echo", R"({"n":9007199254740993})"),
              HasSubstr("9007199254740993"));
  Broker modern({"--generation", "modern"});
  modern.Await("ready 2026-07-28");
  EXPECT_THAT(modern.CallAndAwait("test_simple_text"), HasSubstr(R"("resultType":"complete")"));
  Broker both({});
  both.Await("ready 2026-07-28");
}

TEST(McpServerProgram, ProbesEndInLegacyWhateverTheServerDoes) {
  Broker exits({"--generation", "legacy", "--exit-on-unknown"});
  exits.Await("reconnect: `server/discover`: exited");
  exits.Await("ready 2025-11-25");
  Broker silent({"--generation", "legacy", "--silent-probe"});
  silent.LetTimePass();
  silent.Await("reconnect: `server/discover`: no answer within 10s");
  silent.Await("ready 2025-11-25");
}

TEST(McpServerProgram, NoiseIsSkipped) {
  Broker server({"--banner", "--stderr-flood"});
  server.Await("ready");
  EXPECT_THAT(server.CallAndAwait("echo"), HasSubstr("content"));
  EXPECT_THAT(
      server.All(),
      HasSubstr(
          R"(note: no message (not JSON at byte 0: a value is due): `Welcome to the \x1b[1mtest)"));
}

TEST(McpServerProgram, ListsAreDrainedOrEnded) {
  for (const char* flag : {"--paged", "--empty-cursor"}) {
    Broker server(flag == std::string("--paged") ? std::vector<std::string>{flag, "3"}
                                                 : std::vector<std::string>{flag});
    server.List(mcp::ListKind::kTools);
    EXPECT_THAT(server.Await("listed 1"),
                AllOf(HasSubstr("test_simple_text"), HasSubstr("\"structured\"")))
        << flag;
  }
  Broker loop({"--cursor-loop"});
  loop.List(mcp::ListKind::kPrompts);
  loop.Await("not listed 1: `prompts/list`: the cursor `page 1` comes again");
  Broker endless({"--endless-pages"});
  endless.List(mcp::ListKind::kResources);
  endless.Await("not listed 1: `resources/list`: the list is longer than 1000 pages");
}

TEST(McpServerProgram, SlowCallsReportAndAreCancelled) {
  Broker server({"--generation", "legacy"});
  const uint64_t ticket = server.Call("slow", R"({"ms":1})", true);
  server.Await(absl::StrCat("progress ", ticket, " 2/0 step 2"));
  server.Cancel(ticket);
  EXPECT_THAT(server.CallAndAwait("echo"), HasSubstr("content")) << "the rest goes on";
}

TEST(McpServerProgram, AnswersThatMisbehaveEndNoOtherCall) {
  struct Case {
    const char* flag;
    const char* line;  // what comes of two calls
  };
  const Case kCases[] = {
      {"--double-answer", "note: an answer that nobody waits for"},
      {"--swap-answers", "answered 2"},
      {"--wrong-id-type", "note: an answer that nobody waits for, of id `\""},
      {"--error-null-id", "note: an answer that nobody waits for, of id ``"},
  };
  for (const Case& c : kCases) {
    Broker server({c.flag});
    server.Await("ready");
    server.Call("echo", R"({"text":"first"})");
    server.Call("echo", R"({"text":"second"})");
    server.Await(c.line);
  }
  Broker swapped({"--swap-answers"});
  swapped.Await("ready");
  swapped.Call("echo", R"({"text":"first"})");
  swapped.Call("echo", R"({"text":"second"})");
  EXPECT_THAT(swapped.Await("answered 2"), HasSubstr("second"));
  EXPECT_THAT(swapped.Await("answered 1"), HasSubstr("first"));
}

TEST(McpServerProgram, AServerThatAsksIsDeclined) {
  for (const char* flag : {"--ask-sampling", "--ask-roots", "--ask-elicitation"}) {
    Broker legacy({"--generation", "legacy", flag});
    EXPECT_THAT(legacy.CallAndAwait("echo"), HasSubstr("content")) << flag;
    EXPECT_THAT(legacy.All(), HasSubstr("reply {\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"error\""));
    Broker modern({"--generation", "modern", flag});
    modern.Call("echo");
    modern.Await("unanswered 1 sent: the server asks for input, which is declined");
  }
}

TEST(McpServerProgram, ChangesAreAnnounced) {
  Broker server({"--generation", "legacy", "--list-changed"});
  server.CallAndAwait("echo");
  server.Await("changed tools/list");
  server.List(mcp::ListKind::kTools);
  EXPECT_THAT(server.Await("listed"), HasSubstr("and more"));
  Broker drifting({"--drift"});
  drifting.List(mcp::ListKind::kTools);
  EXPECT_THAT(drifting.Await("listed"), Not(HasSubstr("and more")));
  drifting.List(mcp::ListKind::kTools);
  EXPECT_THAT(drifting.Await("listed"), HasSubstr("and more"));
}

TEST(McpServerProgram, AServerThatDiesLeavesCallsUnanswered) {
  Broker server({"--die-after", "2"});
  EXPECT_THAT(server.CallAndAwait("echo"), HasSubstr("content"));
  server.Call("echo");
  server.Await("unanswered 2 sent: exited");
}

TEST(McpServerProgram, LinesOfAnyLengthComeWhole) {
  Broker server({"--huge-line"});
  server.Await("ready");
  server.Call("big", R"({"bytes":5000000})");
  server.Await("note: no message");
  EXPECT_GT(server.Await("answered 1").size(), 5'000'000u);
}

TEST(McpServerProgram, LeavesAChildThatOutlivesIt) {
  const base::TempFolder folder;
  const std::string file = folder.Path("pid");
  {
    Broker server({"--leave-child", file});
    server.Await("ready");
  }
  pid_t child = 0;
  ASSERT_TRUE(absl::SimpleAtoi(base::ReadFile(file).value_or(""), &child));
  EXPECT_EQ(::kill(child, 0), 0) << "it is still there";
  ::kill(child, SIGTERM);
  EXPECT_EQ(::kill(child, 0), 0) << "and deaf to that";
  ::kill(child, SIGKILL);
}

TEST(McpServerProgram, SaysWhatIsWrongWithItsArguments) {
  const absl::StatusOr<harness::Finished> finished =
      harness::RunCommand({kProgram, "--generation", "old"});
  ASSERT_TRUE(finished.ok()) << finished.status();
  EXPECT_EQ(finished->status, 2);
  EXPECT_THAT(finished->err, HasSubstr("one of legacy, modern, both is due"));
}

}  // namespace
}  // namespace tipstaff::mcp_server
