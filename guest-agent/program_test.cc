// tipstaff-guest as an MCP client starts it, with a scripted mediator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "guest-agent/limits.h"
#include "guest-agent/testing/child.h"
#include "guest-agent/testing/fake_mediator.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/write.h"

namespace tipstaff::guest_agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kProgram[] = TIPSTAFF_BIN_DIR "/tipstaff-guest";
constexpr char kToken[] = "SECRET.TOKEN.x";

class Program : public ::testing::Test {
 protected:
  Program() : mediator_(socket(), kToken) {
    EXPECT_TRUE(base::WriteFile(folder_.Path("token"), absl::StrCat(kToken, "\n")).ok());
    mediator_.On("echo", [](auto&, const proto::CallRequest& request, auto& writer) {
      return FakeMediator::End(writer,
                               absl::StrCat(R"({"content":[],"echo":)", request.arguments(), "}"),
                               "allow", "permitted");
    });
    mediator_.On("slow", [](grpc::ServerContext& context, const auto&, auto&) {
      return FakeMediator::UntilCancelled(context);
    });
  }

  std::string socket() const { return folder_.Path("guest.sock"); }

  void StartChild() {
    child_ = std::make_unique<Child>(
        kProgram, std::vector<std::string>{},
        std::vector<std::string>{absl::StrCat("TIPSTAFF_SOCKET=", socket()),
                                 absl::StrCat("TIPSTAFF_TOKEN_FILE=", folder_.Path("token"))});
  }
  void Initialize() {
    Request("0", "initialize",
            R"({"protocolVersion":"2025-11-25","capabilities":{},)"
            R"("clientInfo":{"name":"test-agent","version":"9"}})");
    EXPECT_EQ(Result("0").StringOr("protocolVersion", ""), "2025-11-25");
    child_->WriteLine(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  void Start() {
    mediator_.Start();
    StartChild();
    Initialize();
  }

  void Request(absl::string_view id, absl::string_view method, absl::string_view params) {
    child_->WriteLine(absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":")", method,
                                   R"(","params":)", params, "}"));
  }
  void Call(absl::string_view id, absl::string_view tool, absl::string_view more = "") {
    Request(id, "tools/call", absl::StrCat(R"({"name":")", tool, R"(")", more, "}"));
  }
  // The next message but for those about changed lists; it has to answer `id`.
  json::Value Next(absl::string_view id) {
    do {
      message_ = child_->ReadMessage();
    } while (absl::EndsWith(message_.root().StringOr("method", ""), "/list_changed"));
    EXPECT_EQ(json::Dump(message_.root().Find("id")), id) << json::Dump(message_.root());
    return message_.root();
  }
  json::Value Result(absl::string_view id) { return Next(id).Find("result"); }
  // Ends the program by end of input.
  void Finish() {
    child_->CloseInput();
    EXPECT_EQ(child_->Wait(), 0);
    EXPECT_THAT(child_->Errors(), Not(HasSubstr("SECRET"))) << "never the token or arguments";
  }

  base::TempFolder folder_;
  FakeMediator mediator_;
  std::unique_ptr<Child> child_;
  json::Document message_;
};

TEST_F(Program, ListsAndCalls) {
  proto::ListReply tools;
  proto::Tool& tool = *tools.add_tools();
  tool.set_name("reports_get");
  tool.set_description("Reads a report");
  tool.set_input_schema(R"({"type":"object"})");
  tool.set_read_only(true);
  mediator_.SetTools(tools);
  Start();
  Request("1", "tools/list", "{}");
  EXPECT_EQ(json::Dump(Result("1")),
            R"({"tools":[{"name":"reports_get","description":"Reads a report",)"
            R"("inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]})");
  Call("2", "echo", R"(,"arguments":{"n":9007199254740993,"text":"SECRET"})");
  EXPECT_EQ(json::Dump(Result("2")),
            R"({"content":[],"echo":{"n":9007199254740993,"text":"SECRET"},)"
            R"("_meta":{"tipstaff/decision":{"id":"run_a#1","verdict":"allow",)"
            R"("reason":"permitted","retry":false}}})");
  ASSERT_THAT(mediator_.hellos(), SizeIs(1)) << "one connection serves all";
  EXPECT_EQ(mediator_.hellos()[0].agent_name(), "test-agent");
  EXPECT_EQ(mediator_.hellos()[0].agent_version(), "9");
  EXPECT_EQ(mediator_.calls()[0].call_id().size(), 10u) << "eight random characters, :, a count";
  Finish();
}

TEST_F(Program, ServesTheModernGeneration) {
  mediator_.Start();
  StartChild();
  constexpr char kMeta[] = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}})";
  Request("\"d\"", "server/discover", absl::StrCat("{", kMeta, "}"));
  EXPECT_EQ(Result("\"d\"").Find("supportedVersions").At(0).string(), "2026-07-28");
  Call("1", "echo", absl::StrCat(",", kMeta));
  EXPECT_EQ(Result("1").StringOr("resultType", ""), "complete");
  Finish();
}

TEST_F(Program, RefusalsAreResultsAndUnknownToolsErrors) {
  mediator_.On("no", [](auto&, const auto&, auto& writer) {
    return FakeMediator::End(writer, R"({"content":[{"type":"text","text":"no"}],"isError":true})",
                             "deny", "no_permission");
  });
  mediator_.On("broken", [](auto&, const auto&, auto& writer) {
    return FakeMediator::End(writer, "{", "allow", "permitted");
  });
  Start();
  Call("1", "no");
  EXPECT_EQ(json::Dump(Result("1")),
            R"({"content":[{"type":"text","text":"no"}],"isError":true,)"
            R"("_meta":{"tipstaff/decision":{"id":"run_a#1","verdict":"deny",)"
            R"("reason":"no_permission","retry":false}}})");
  Call("2", "nothing");
  EXPECT_EQ(Next("2").Find("error").IntegerOr("code", 0), -32602);
  Call("3", "broken");
  EXPECT_EQ(Next("3").Find("error").IntegerOr("code", 0), -32603);
  Finish();
}

TEST_F(Program, ServesAtOnceWithoutAMediatorAndFindsItLater) {
  StartChild();
  Initialize();
  Call("1", "echo");
  Request("2", "ping", "{}");
  EXPECT_EQ(json::Dump(Result("2")), "{}") << "a call that waits holds nothing else up";
  mediator_.Start();
  EXPECT_EQ(json::Dump(Result("1").Find("echo")), "{}");
  Finish();
}

TEST_F(Program, RunsCallsAtOnceAndKeepsTheirAnswersApart) {
  mediator_.On("wait", [this](auto&, const proto::CallRequest& request, auto& writer) {
    mediator_.WaitForCalls(kMaxCallsAtOnce);
    return FakeMediator::End(writer,
                             absl::StrCat(R"({"content":[],"n":)", request.arguments(), "}"),
                             "allow", "permitted");
  });
  Start();
  constexpr int kCalls = 40;  // more than go out at once
  for (int i = 1; i <= kCalls; ++i) {
    Call(absl::StrCat(i), "wait", absl::StrCat(R"(,"arguments":{"i":)", i, "}"));
  }
  std::vector<bool> seen(kCalls + 1);
  for (int i = 1; i <= kCalls; ++i) {
    const json::Document message = child_->ReadMessage();
    const int64_t id = message.root().IntegerOr("id", 0);
    ASSERT_TRUE(id >= 1 && id <= kCalls && !seen[id]) << id;
    seen[id] = true;
    EXPECT_EQ(message.root().Find("result").Find("n").IntegerOr("i", 0), id);
  }
  Finish();
}

TEST_F(Program, ListsWhileEveryCallTakesLong) {
  Start();
  constexpr int kCalls = 30;
  for (int i = 1; i <= kCalls; ++i) Call(absl::StrCat(i), "slow");
  mediator_.WaitForCalls(kMaxCallsAtOnce);
  Request("99", "tools/list", "{}");
  EXPECT_TRUE(Result("99").Find("tools").is_array());
  EXPECT_THAT(mediator_.calls(), SizeIs(kMaxCallsAtOnce));
  Finish();
}

TEST_F(Program, CancelsAndDoesNotAnswer) {
  Start();
  std::promise<void> cancelled;
  mediator_.On("slow", [&](grpc::ServerContext& context, const auto&, auto&) {
    const grpc::Status status = FakeMediator::UntilCancelled(context);
    cancelled.set_value();
    return status;
  });
  Call("1", "slow");
  mediator_.WaitForCalls(1);
  child_->WriteLine(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  ASSERT_EQ(cancelled.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready)
      << "the mediator is told";
  Request("2", "ping", "{}");
  Next("2");
  child_->CloseInput();
  EXPECT_EQ(child_->ReadOutput(), "") << "no answer to a cancelled call";
  EXPECT_EQ(child_->Wait(), 0);
}

TEST_F(Program, PassesProgressOn) {
  mediator_.On("steps", [](auto&, const proto::CallRequest& request, auto& writer) {
    EXPECT_TRUE(request.want_progress());
    for (int i = 1; i <= 3; ++i) {
      proto::CallEvent event;
      event.mutable_progress()->set_progress(i);
      event.mutable_progress()->set_total(3);
      writer.Write(event);
    }
    return FakeMediator::End(writer, R"({"content":[]})", "allow", "permitted");
  });
  Start();
  Call("1", "steps", R"(,"_meta":{"progressToken":"p"})");
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(json::Dump(child_->ReadMessage().root().Find("params")),
              absl::StrCat(R"({"progressToken":"p","progress":)", i, R"(,"total":3})"));
  }
  Next("1");
  Finish();
}

TEST_F(Program, PassesLogMessagesOn) {
  mediator_.On("talk", [](auto&, const proto::CallRequest& request, auto& writer) {
    EXPECT_EQ(request.log_level(), "notice");
    for (const char* log : {R"({"level":"debug","data":1})", R"({"level":"error","data":2})"}) {
      proto::CallEvent event;
      event.set_log(log);
      writer.Write(event);
    }
    return FakeMediator::End(writer, R"({"content":[]})", "allow", "permitted");
  });
  proto::ListReply reply;
  reply.set_logging(true);
  mediator_.SetTools(reply);
  Start();
  Request("1", "logging/setLevel", R"({"level":"notice"})");
  EXPECT_EQ(json::Dump(Result("1")), "{}");
  Call("2", "talk");
  EXPECT_EQ(json::Dump(child_->ReadMessage().root()),
            R"({"jsonrpc":"2.0","method":"notifications/message",)"
            R"("params":{"level":"error","data":2}})");
  Next("2");
  Finish();
}

TEST_F(Program, ServesResourcesPromptsAndCompletions) {
  proto::ListReply reply;
  reply.add_resources(R"({"uri":"file:///a","name":"a"})");
  reply.add_prompts(R"({"name":"p"})");
  reply.set_completions(true);
  reply.set_subscriptions(true);
  mediator_.SetTools(reply);
  mediator_.On("RESOURCE", [](auto&, const proto::CallRequest& request, auto& writer) {
    if (request.arguments() != R"({"uri":"file:///a"})") {
      return FakeMediator::EndWithError(writer, -32002, "not found", "deny", "no_permission");
    }
    return FakeMediator::End(writer, R"({"contents":[]})", "allow", "permitted");
  });
  mediator_.On("p", [](auto&, const proto::CallRequest& request, auto& writer) {
    EXPECT_EQ(request.kind(), proto::PROMPT);
    return FakeMediator::End(writer, R"({"messages":[]})", "allow", "permitted");
  });
  mediator_.On("COMPLETION", [](auto&, const auto&, auto& writer) {
    return FakeMediator::End(writer, R"({"completion":{"values":["v"]}})", "allow", "permitted");
  });
  mediator_.On("SUBSCRIPTION", [](auto&, const auto&, auto& writer) {
    return FakeMediator::End(writer, "{}", "allow", "permitted");
  });
  Start();
  Request("1", "resources/list", "{}");
  EXPECT_EQ(json::Dump(Result("1")), R"({"resources":[{"uri":"file:///a","name":"a"}]})");
  Request("2", "resources/read", R"({"uri":"file:///a"})");
  EXPECT_TRUE(Result("2").Find("contents").is_array());
  Request("3", "resources/read", R"({"uri":"file:///b"})");
  EXPECT_EQ(json::Dump(Next("3").Find("error")),
            R"({"code":-32002,"message":"not found","data":{"uri":"file:///b","tipstaff/decision":)"
            R"({"id":"run_a#1","verdict":"deny","reason":"no_permission","retry":false}}})");
  Request("4", "prompts/get", R"({"name":"p"})");
  EXPECT_TRUE(Result("4").Find("messages").is_array());
  Request("5", "completion/complete", R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{}})");
  EXPECT_EQ(Result("5").Find("completion").Find("values").size(), 1u);
  Request("6", "resources/subscribe", R"({"uri":"file:///a"})");
  EXPECT_EQ(Result("6").StringOr("resultType", ""), "");
  mediator_.WaitForWatches(1);
  mediator_.ResourceUpdated("file:///b");
  mediator_.ResourceUpdated("file:///a");
  EXPECT_EQ(json::Dump(child_->ReadMessage().root().Find("params")), R"({"uri":"file:///a"})");
  Finish();
}

// list_changed: the change is passed on.
TEST_F(Program, SaysThatAListChanged) {
  Start();
  mediator_.WaitForWatches(1);
  mediator_.Change(proto::TOOL);
  EXPECT_EQ(json::Dump(child_->ReadMessage().root()),
            R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  Finish();
}

TEST_F(Program, ServesAMediatorThatKnowsOfNoChanges) {
  mediator_.RefuseToWatch();
  Start();
  Call("1", "echo");
  EXPECT_EQ(json::Dump(Result("1").Find("echo")), "{}");
  Finish();
  EXPECT_THAT(child_->Errors(), Not(HasSubstr("gone"))) << "not an error";
}

TEST_F(Program, PutsLargeResultsTogether) {
  const std::string text(3 << 20, 'x');
  const std::string result =
      absl::StrCat(R"({"content":[{"type":"text","text":")", text, R"("}]})");
  mediator_.On("large", [&](auto&, const auto&, auto& writer) {
    constexpr size_t kPiece = 200'000;
    size_t at = 0;
    for (; at + kPiece < result.size(); at += kPiece) {
      proto::CallEvent event;
      event.set_piece(result.substr(at, kPiece));
      writer.Write(event);
    }
    return FakeMediator::End(writer, result.substr(at), "allow", "permitted");
  });
  mediator_.On("endless", [](grpc::ServerContext& context, const auto&, auto& writer) {
    proto::CallEvent event;
    event.set_piece(std::string(500'000, 'x'));
    while (!context.IsCancelled() && writer.Write(event)) {
    }
    return grpc::Status::OK;
  });
  Start();
  Call("1", "large");
  EXPECT_TRUE(Result("1").Find("content").At(0).StringOr("text", "") == text);
  Call("2", "endless");
  EXPECT_THAT(json::Dump(Result("2")), HasSubstr("larger than 8388608 bytes"));
  Call("3", "echo");
  EXPECT_FALSE(Result("3").BoolOr("isError", false)) << "the connection stays";
  Finish();
}

TEST_F(Program, RepeatsACallUnderItsIdWhenTheMediatorComesBack) {
  Start();
  Call("1", "slow", R"(,"arguments":{"a":1})");
  mediator_.WaitForCalls(1);
  mediator_.Stop();
  mediator_.On("slow", [](auto&, const auto&, auto& writer) {
    return FakeMediator::End(writer, R"({"content":[],"done":true})", "allow", "permitted");
  });
  mediator_.Start();
  EXPECT_TRUE(Result("1").BoolOr("done", false));
  ASSERT_THAT(mediator_.calls(), SizeIs(2));
  EXPECT_EQ(mediator_.calls()[0].call_id(), mediator_.calls()[1].call_id());
  EXPECT_EQ(mediator_.calls()[0].arguments(), mediator_.calls()[1].arguments());
  EXPECT_NE(mediator_.calls()[0].session(), mediator_.calls()[1].session()) << "a new Hello";
  Call("2", "echo");
  Next("2");
  EXPECT_NE(mediator_.calls()[2].call_id(), mediator_.calls()[0].call_id());
  Finish();
}

TEST_F(Program, SaysHelloAgainWhenItsSessionIsNotKnown) {
  Start();
  Call("1", "echo");
  Next("1");
  mediator_.ForgetSessions();
  Call("2", "echo");
  EXPECT_EQ(json::Dump(Result("2").Find("echo")), "{}");
  EXPECT_THAT(mediator_.hellos(), SizeIs(2));
  Finish();
}

TEST_F(Program, TakesARefusedChannelAsFinal) {
  mediator_.RefuseHello({grpc::StatusCode::PERMISSION_DENIED, "the token is of another channel"});
  Start();
  for (const char* id : {"1", "2"}) {
    Call(id, "echo");
    const json::Value result = Result(id);
    EXPECT_TRUE(result.BoolOr("isError", false));
    EXPECT_EQ(json::Dump(result.Find("_meta")),
              R"({"tipstaff/decision":{"id":"","verdict":"deny","reason":"undecided",)"
              R"("retry":false}})");
    EXPECT_THAT(json::Dump(result), HasSubstr("the token is of another channel"));
  }
  Request("3", "tools/list", "{}");
  EXPECT_EQ(Next("3").Find("error").IntegerOr("code", 0), -32603);
  EXPECT_THAT(mediator_.hellos(), SizeIs(1)) << "each try would count against the channel";
  Finish();
  EXPECT_THAT(child_->Errors(), HasSubstr("refused this channel"));
}

TEST_F(Program, SaysThatTheTokenIsNotAccepted) {
  ASSERT_TRUE(base::WriteFile(folder_.Path("token"), "expired").ok());
  Start();
  Call("1", "echo");
  EXPECT_THAT(json::Dump(Result("1")), HasSubstr("does not accept the run token: bad token"));
  ASSERT_TRUE(base::WriteFile(folder_.Path("token"), kToken).ok());
  Call("2", "echo");
  EXPECT_FALSE(Result("2").Find("isError").exists()) << "the token was renewed";
  Finish();
}

TEST_F(Program, RefusesArgumentsThatAreTooLarge) {
  Start();
  Call("1", "echo", absl::StrCat(R"(,"arguments":{"a":")", std::string(300'000, 'x'), R"("})"));
  EXPECT_THAT(json::Dump(Result("1")), HasSubstr("at most 262144 are accepted"));
  EXPECT_THAT(mediator_.calls(), SizeIs(0));
  Finish();
}

TEST_F(Program, SurvivesGarbageAndLinesWithoutEnd) {
  Start();
  for (const char* line : {"garbage", "\x01\x02", "{", "[]", "[[[[", "7", "null"}) {
    child_->WriteLine(line);
    const json::Document message = child_->ReadMessage();
    EXPECT_TRUE(message.root().Find("error").exists()) << line;
    EXPECT_FALSE(message.root().Find("id").exists()) << line;
  }
  child_->WriteLine(std::string(200'000, '['));
  EXPECT_EQ(child_->ReadMessage().root().Find("error").IntegerOr("code", 0), -32700);
  Call("1", "echo", absl::StrCat(R"(,"arguments":{"a":")", std::string(5 << 20, 'x'), R"("})"));
  EXPECT_EQ(child_->ReadMessage().root().Find("error").IntegerOr("code", 0), -32600);
  Call("2", "echo");
  EXPECT_EQ(json::Dump(Result("2").Find("echo")), "{}");
  Finish();
}

TEST_F(Program, EndsWithItsInputAndCancelsWhatIsUnderWay) {
  Start();
  std::promise<void> cancelled;
  mediator_.On("slow", [&](grpc::ServerContext& context, const auto&, auto&) {
    const grpc::Status status = FakeMediator::UntilCancelled(context);
    cancelled.set_value();
    return status;
  });
  Call("1", "slow");
  mediator_.WaitForCalls(1);
  Finish();
  EXPECT_EQ(cancelled.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
}

TEST_F(Program, EndsWhileItLooksForTheMediator) {
  StartChild();
  Initialize();
  Call("1", "echo");
  Request("2", "tools/list", "{}");
  Finish();
}

TEST_F(Program, EndsWhenNobodyReadsItsOutput) {
  Start();
  child_->CloseOutput();
  Request("1", "ping", "{}");
  EXPECT_EQ(child_->Wait(), 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
int64_t ResidentKib(int pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  int64_t kib = 0;
  for (std::string line; std::getline(status, line);) {
    if (absl::StartsWith(line, "VmRSS:")) std::istringstream(line.substr(6)) >> kib;
  }
  EXPECT_GT(kib, 0);
  return kib;
}

TEST_F(Program, IsSmall) {
  mediator_.On("large", [](auto&, const auto&, auto& writer) {
    for (int i = 0; i < 10; ++i) {
      proto::CallEvent event;
      event.set_piece(std::string(300'000, i == 0 ? ' ' : '\n'));
      writer.Write(event);
    }
    return FakeMediator::End(writer, R"({"content":[]})", "allow", "permitted");
  });
  Start();
  for (int i = 1; i <= 20; ++i) {
    Call(absl::StrCat(i), i == 10 ? "large" : "echo");
    Next(absl::StrCat(i));
  }
  constexpr int64_t kMostKib = 10 << 10;
  EXPECT_LE(ResidentKib(child_->pid()), kMostKib) << "it shares a small VM with the agent";
  RecordProperty("resident_kib", static_cast<int>(ResidentKib(child_->pid())));
#ifdef NDEBUG
  EXPECT_LE(std::filesystem::file_size(kProgram), 8 << 20) << "release builds are stripped";
#endif
  Finish();
}
#endif

TEST_F(Program, RefusesAVariableThatNobodyExpanded) {
  ASSERT_TRUE(base::WriteFile(folder_.Path("token"), "${TIPSTAFF_TOKEN}").ok());
  StartChild();
  EXPECT_EQ(child_->Wait(), 2);
  EXPECT_THAT(child_->Errors(), HasSubstr("the variable was not expanded"));
  Child option(kProgram, {"--connect", "${SOCK}"});
  EXPECT_EQ(option.Wait(), 2);
  EXPECT_THAT(option.Errors(), HasSubstr("the variable was not expanded"));
}

TEST_F(Program, PrintsHelpAndVersion) {
  Child help(kProgram, {"--help"}), version(kProgram, {"--version"});
  EXPECT_THAT(help.ReadOutput(), HasSubstr("--token-file"));
  EXPECT_THAT(version.ReadOutput(), HasSubstr("tipstaff-guest "));
  EXPECT_EQ(help.Wait(), 0);
  EXPECT_EQ(version.Wait(), 0);
}

}  // namespace
}  // namespace tipstaff::guest_agent
