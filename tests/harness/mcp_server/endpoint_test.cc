#include "tests/harness/mcp_server/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tipstaff::mcp_server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Told final : public Channel {
 public:
  void SetSession(const std::string& id) override { session = id; }
  void Say(const std::string& message) override { said.push_back(message); }
  void Answer(const std::string& message, int code) override {
    said.push_back(message);
    status = code;
  }
  std::string session;
  std::vector<std::string> said;
  int status = 0;
};

class Play {
 public:
  explicit Play(Options given)
      : options(std::move(given)),
        server(options, [](absl::Duration, std::function<void()>) {}),
        endpoint(options, server) {}
  // The status.
  int Send(HttpRequest request) {
    request.headers.emplace("host", "127.0.0.1:8080");
    told = std::make_shared<Told>();
    plain = endpoint.Take(request, told);
    return plain ? plain->status : told->status;
  }
  int Post(std::map<std::string, std::string> headers, absl::string_view method,
           absl::string_view params = "{}") {
    return Send({"POST", "/mcp",
                 absl::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method, R"(","params":)",
                              params, "}"),
                 std::move(headers)});
  }

  const Options options;
  Server server;
  Endpoint endpoint;
  std::shared_ptr<Told> told;
  std::optional<Plain> plain;
};

constexpr char kModern[] = R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}},"name":"echo"})";

TEST(Endpoint, KeepsLegacySessions) {
  Play play({.session_gone_after = 1});
  EXPECT_EQ(play.Post({}, "tools/list"), 400) << "no session";
  EXPECT_EQ(play.Post({{"mcp-session-id", "x"}}, "tools/list"), 404);
  EXPECT_THAT(play.plain->body, HasSubstr("Session not found"));
  EXPECT_EQ(play.Post({}, "initialize"), 200);
  const std::string id = play.told->session;
  EXPECT_EQ(play.Post({{"mcp-session-id", id}}, "tools/list"), 200);
  EXPECT_EQ(play.Post({{"mcp-session-id", id}}, "tools/list"), 404) << "gone after one";
  EXPECT_EQ(play.Post({}, "initialize"), 200);
  EXPECT_NE(play.told->session, id);
  const std::string second = play.told->session;
  EXPECT_EQ(play.Send({"DELETE", "/mcp", "", {{"mcp-session-id", second}}}), 200);
  EXPECT_EQ(play.Post({{"mcp-session-id", second}}, "ping"), 404);
}

TEST(Endpoint, ChecksModernHeaders) {
  Play play({});
  const std::string version = "2026-07-28";
  const std::map<std::string, std::string> good = {
      {"mcp-protocol-version", version}, {"mcp-method", "tools/call"}, {"mcp-name", "echo"}};
  EXPECT_EQ(play.Post(good, "tools/call", kModern), 200);
  for (const char* header : {"mcp-protocol-version", "mcp-method", "mcp-name"}) {
    std::map<std::string, std::string> bad = good;
    bad[header] = "other";
    EXPECT_EQ(play.Post(bad, "tools/call", kModern), 400) << header;
    EXPECT_THAT(play.plain->body, HasSubstr("-32020")) << header;
  }
  EXPECT_EQ(play.Post({{"mcp-protocol-version", version}, {"mcp-method", "ping"}, {"mcp-name", ""}},
                      "ping", kModern),
            404);
}

TEST(Endpoint, AnswersOtherRequests) {
  Play modern({.generations = Generations::kModern});
  EXPECT_EQ(modern.Send({"GET", "/mcp", "", {}}), 405);
  EXPECT_EQ(modern.Send({"POST", "/other", "{}", {}}), 404);
  EXPECT_EQ(modern.Send({"POST", "/mcp", "[]", {}}), 400);
  Play redirect({.redirect = true});
  EXPECT_EQ(redirect.Post({}, "initialize"), 302);
  EXPECT_THAT(redirect.plain->location, HasSubstr("/elsewhere"));
}

TEST(Endpoint, TurnsForeignersAway) {
  Play play({});
  EXPECT_EQ(play.Post({{"host", "evil.example"}}, "initialize"), 403);
  EXPECT_EQ(play.Post({{"host", "localhost.evil.example"}}, "initialize"), 403);
  EXPECT_EQ(play.Post({{"origin", "http://evil.example"}}, "initialize"), 403);
  EXPECT_EQ(play.Post({{"origin", "http://localhost:1"}, {"host", "localhost"}}, "initialize"),
            200);
}

TEST(Endpoint, TellsListenersOfASession) {
  Play play({});
  play.Post({}, "initialize");
  const std::string id = play.told->session;
  EXPECT_EQ(play.Send({"GET", "/mcp", "", {{"mcp-session-id", id}}}), 0) << "stays open";
  const std::shared_ptr<Told> stream = play.told;
  play.Post({{"mcp-session-id", id}}, "tools/call", R"({"name":"test_trigger_tool_change"})");
  EXPECT_THAT(stream->said, ElementsAre(HasSubstr("tools/list_changed")));
}

}  // namespace
}  // namespace tipstaff::mcp_server
