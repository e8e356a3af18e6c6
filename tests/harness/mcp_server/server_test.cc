#include "tests/harness/mcp_server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/parse.h"

namespace tipstaff::mcp_server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class Told final : public Channel {
 public:
  void Say(const std::string& message) override { said.push_back(message); }
  void Answer(const std::string& message, int code) override {
    said.push_back(message);
    status = code;
  }
  std::vector<std::string> said;
  int status = 0;
};

// A server whose time passes when it is told to.
class Play {
 public:
  explicit Play(const Options& options)
      : server(options,
               [this](absl::Duration, std::function<void()> what) { later.push_back(what); }) {
    session->listener = all;
  }
  // The messages that came of it, in the order of time.
  std::vector<std::string> Ask(absl::string_view id, absl::string_view method,
                               absl::string_view params = "{}") {
    return Take(absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":")", method,
                             R"(","params":)", params, "}"));
  }
  std::vector<std::string> Take(absl::string_view bytes) {
    all->said.clear();
    server.Take(bytes, session, all);
    return all->said;
  }
  std::vector<std::string> Later() {
    all->said.clear();
    const std::deque<std::function<void()>> due = std::exchange(later, {});
    for (const std::function<void()>& what : due) what();
    return all->said;
  }
  void Initialize() {
    Ask("0", "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})");
  }

  std::deque<std::function<void()>> later;
  std::shared_ptr<Told> all = std::make_shared<Told>();
  SessionPtr session = std::make_shared<Session>();
  Server server;
};

std::string Modern(absl::string_view more = "") {
  return absl::StrCat(R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientCapabilities":{}})",
                      more.empty() ? "" : ",", more, "}");
}
constexpr char kEcho[] = R"({"name":"echo","arguments":{"n":9007199254740993}})";
constexpr char kEchoed[] =
    R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"n\":9007199254740993}"}]}})";

TEST(TestServer, ServesTheGenerationsItIsToldTo) {
  Play legacy({.generations = Generations::kLegacy});
  EXPECT_THAT(legacy.Ask("1", "server/discover", Modern()), ElementsAre(HasSubstr("-32601")));
  EXPECT_THAT(legacy.Ask("1", "tools/list"), ElementsAre(HasSubstr("-32601")))
      << "before `initialize`";
  legacy.Initialize();
  EXPECT_THAT(legacy.Ask("1", "tools/call", kEcho), ElementsAre(kEchoed));

  Play modern({.generations = Generations::kModern});
  EXPECT_THAT(modern.Ask("1", "initialize"), ElementsAre(HasSubstr("-32602"))) << "no `_meta`";
  EXPECT_THAT(modern.Ask("1", "initialize", Modern()), ElementsAre(HasSubstr("-32601")));
  EXPECT_EQ(modern.all->status, 404);
  EXPECT_THAT(modern.Ask("1", "server/discover", Modern()),
              ElementsAre(HasSubstr(R"("supportedVersions":["2026-07-28"])")));
  EXPECT_THAT(modern.Ask("1", "tools/list", Modern()),
              ElementsAre(HasSubstr(R"("ttlMs":0,"cacheScope":"private")")));

  Play both({});
  both.Initialize();
  EXPECT_THAT(both.Ask("1", "tools/list"), ElementsAre(Not(HasSubstr("resultType"))));
  EXPECT_THAT(both.Ask("1", "tools/list", Modern()), ElementsAre(HasSubstr("resultType")));
}

TEST(TestServer, RefusesVersionsToCome) {
  Play server({.generations = Generations::kModern});
  EXPECT_THAT(
      server.Ask("1", "server/discover",
                 R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01",)"
                 R"("io.modelcontextprotocol/clientCapabilities":{}}})"),
      ElementsAre(HasSubstr(
          R"("code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2099-01-01"})")));
}

TEST(TestServer, ReportsProgressUntilCancelled) {
  Play server({.generations = Generations::kLegacy});
  server.Initialize();
  EXPECT_THAT(server.Ask("7", "tools/call",
                         R"({"name":"slow","_meta":{"progressToken":"p"},"arguments":{}})"),
              ElementsAre(HasSubstr(R"("progressToken":"p","progress":1,"message":"step 1")")));
  EXPECT_THAT(server.Later(), ElementsAre(HasSubstr(R"("progress":2)")));
  EXPECT_THAT(server.Take(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                          R"("params":{"requestId":7}})"),
              IsEmpty());
  EXPECT_THAT(server.Later(), IsEmpty());
  EXPECT_THAT(server.later, IsEmpty());
}

TEST(TestServer, ConformanceToolsTakeTheirSteps) {
  Play server({.generations = Generations::kLegacy});
  server.Initialize();
  size_t said = server
                    .Ask("1", "tools/call",
                         R"({"name":"test_tool_with_progress","_meta":{"progressToken":1}})")
                    .size();
  while (!server.later.empty()) said += server.Later().size();
  EXPECT_EQ(said, 4u) << "three times progress, and the answer";
  said = server.Ask("1", "tools/call", R"({"name":"test_tool_with_logging"})").size();
  while (!server.later.empty()) said += server.Later().size();
  EXPECT_EQ(said, 4u);
  server.Ask("1", "logging/setLevel", R"({"level":"error"})");
  EXPECT_THAT(server.Ask("1", "tools/call", R"({"name":"test_logging_tool"})"), SizeIs(1));
}

TEST(TestServer, WritesRows) {
  const base::TempFolder folder;
  Play server({});
  server.Initialize();
  for (const char* text : {"one", "two"}) {
    server.Ask("1", "tools/call",
               absl::StrCat(R"({"name":"write_row","arguments":{"file":")", folder.Path("rows"),
                            R"(","text":")", text, R"("}})"));
  }
  EXPECT_EQ(base::ReadFile(folder.Path("rows")).value_or(""), "one\ntwo\n");
  EXPECT_THAT(server.Ask("1", "tools/call",
                         R"({"name":"write_row","arguments":{"file":"/no/such/folder/x"}})"),
              ElementsAre(HasSubstr(R"("isError":true)")));
}

TEST(TestServer, AnswersMisbehave) {
  struct Case {
    const char* reason;
    Options options;
    std::vector<std::string> said;
  };
  const std::string answer = kEchoed;
  const Case kCases[] = {
      {"none", {}, {answer}},
      {"double", {.double_answer = true}, {answer, answer}},
      {"never", {.never_answer = true}, {}},
      {"null id",
       {.error_null_id = true},
       {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}})"}},
      {"wrong type",
       {.wrong_id_type = true},
       {absl::StrCat(R"({"jsonrpc":"2.0","id":"1",)", answer.substr(answer.find("\"result\"")))}},
  };
  for (const Case& c : kCases) {
    Play server(c.options);
    server.Initialize();
    EXPECT_EQ(server.Ask("1", "tools/call", kEcho), c.said) << c.reason;
  }
  Play huge({.huge_line = true});
  huge.Initialize();
  EXPECT_THAT(huge.Ask("1", "tools/call", kEcho), ElementsAre(SizeIs(40 << 20), kEchoed));
}

TEST(TestServer, SwapsAnswers) {
  Play server({.swap_answers = true});
  server.Initialize();
  const auto first = std::make_shared<Told>(), second = std::make_shared<Told>();
  const auto call = [&](int id, const std::shared_ptr<Told>& channel) {
    server.server.Take(absl::StrCat(R"({"jsonrpc":"2.0","id":)", id,
                                    R"(,"method":"tools/call","params":{"name":"echo"}})"),
                       server.session, channel);
  };
  call(1, first);
  EXPECT_THAT(first->said, IsEmpty());
  call(2, second);
  EXPECT_THAT(first->said, ElementsAre(HasSubstr(R"("id":2)")));
  EXPECT_THAT(second->said, ElementsAre(HasSubstr(R"("id":1)")));
}

TEST(TestServer, AsksDuringACallAndWaits) {
  Play server({.ask = "roots/list"});
  server.Initialize();
  EXPECT_THAT(server.Ask("1", "tools/call", kEcho),
              ElementsAre(R"({"jsonrpc":"2.0","id":"ask-1","method":"roots/list","params":{}})"));
  EXPECT_THAT(server.Take(R"({"jsonrpc":"2.0","id":"ask-2","result":{}})"), IsEmpty());
  EXPECT_THAT(
      server.Take(R"({"jsonrpc":"2.0","id":"ask-1","error":{"code":-32601,"message":"no"}})"),
      ElementsAre(kEchoed));
  EXPECT_THAT(server.Ask("1", "tools/call", Modern(R"("name":"echo")")),
              ElementsAre(HasSubstr(R"("resultType":"input_required")")))
      << "a modern server asks in its answer";
}

TEST(TestServer, AnnouncesChanges) {
  Play server({.list_changed = true});
  server.Initialize();
  const std::string before = server.Ask("1", "tools/list").at(0);
  EXPECT_THAT(server.Ask("1", "tools/call", kEcho),
              ElementsAre(kEchoed, HasSubstr("notifications/tools/list_changed")));
  EXPECT_NE(server.Ask("1", "tools/list").at(0), before);

  Play modern({.generations = Generations::kModern});
  EXPECT_THAT(
      modern.Ask(
          "\"l\"", "subscriptions/listen",
          Modern(R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["r"]})")),
      ElementsAre(AllOf(HasSubstr("notifications/subscriptions/acknowledged"),
                        HasSubstr(R"("io.modelcontextprotocol/subscriptionId":"l")"))));
  EXPECT_THAT(modern.Ask("1", "tools/call", Modern(R"("name":"test_trigger_tool_change")")),
              ElementsAre(HasSubstr("notifications/tools/list_changed"), HasSubstr("\"id\":1")));
  EXPECT_THAT(modern.Ask("1", "tools/call", Modern(R"("name":"test_trigger_prompt_change")")),
              SizeIs(1))
      << "which it did not ask for";
  EXPECT_THAT(modern.Ask("1", "tools/call", Modern(R"("name":"touch","arguments":{"uri":"r"})")),
              ElementsAre(HasSubstr("notifications/resources/updated"), HasSubstr("\"id\":1")));
  modern.server.Closed(modern.all.get());
  EXPECT_THAT(modern.Ask("1", "tools/call", Modern(R"("name":"test_trigger_tool_change")")),
              SizeIs(1));
}

TEST(TestServer, DriftsTheSecondTime) {
  Play server({.paged = 3, .drift = true});
  server.Initialize();
  const auto whole = [&] {
    std::string tools;
    std::string params = "{}";
    for (int i = 0; i < 20 && !params.empty(); ++i) {
      const json::Document page = json::MustParse(server.Ask("1", "tools/list", params).at(0));
      const json::Value result = page.root().Find("result");
      for (const json::Value tool : result.Find("tools").items()) {
        absl::StrAppend(&tools, tool.StringOr("description", ""), ";");
      }
      const absl::string_view next = result.StringOr("nextCursor", "");
      params = next.empty() ? "" : absl::StrCat(R"({"cursor":")", next, R"("})");
    }
    return tools;
  };
  const std::string first = whole(), second = whole();
  EXPECT_THAT(first, HasSubstr("Repeats its arguments.;"));
  EXPECT_THAT(second, HasSubstr("Repeats its arguments, and more.;"));
  EXPECT_EQ(whole(), second);
}

TEST(TestServer, StructuredContentKeepsOrBreaksItsSchema) {
  for (const bool bad : {false, true}) {
    Play server({.bad_structured = bad});
    server.Initialize();
    EXPECT_THAT(server.Ask("1", "tools/call", R"({"name":"structured"})"),
                ElementsAre(HasSubstr(bad ? R"("structuredContent":{"n":"one"})"
                                          : R"("structuredContent":{"n":1})")));
  }
}

TEST(TestServer, UnknownThingsAreErrors) {
  Play server({});
  server.Initialize();
  EXPECT_THAT(server.Ask("1", "tools/call", R"({"name":"nothing"})"),
              ElementsAre(HasSubstr("-32602")));
  EXPECT_THAT(server.Ask("1", "resources/read", R"({"uri":"x:"})"),
              ElementsAre(AllOf(HasSubstr("-32002"), HasSubstr(R"("uri":"x:")"))));
  EXPECT_THAT(server.Ask("1", "prompts/get", R"({"name":"x"})"), ElementsAre(HasSubstr("-32602")));
  EXPECT_THAT(server.Ask("1", "tools/list", R"({"cursor":"x"})"),
              ElementsAre(HasSubstr("invalid cursor")));
  EXPECT_THAT(server.Take("[]"), ElementsAre(HasSubstr("-32600")));
  Play silent({.silent_probe = true});
  EXPECT_THAT(silent.Ask("1", "server/nothing"), IsEmpty());
}

}  // namespace
}  // namespace tipstaff::mcp_server
