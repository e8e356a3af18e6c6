#include "mediator/mcp/http_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tipstaff::mcp {
namespace {

using ::testing::HasSubstr;

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr uint16_t kPort = 4711;

// A good POST, with headers in place of its own and behind them ("" takes one away).
HttpHead Post(const Headers& more = {}) {
  HttpHead head = {"POST",
                   "/mcp",
                   {{"host", absl::StrCat("127.0.0.1:", kPort)},
                    {"content-type", "application/json"},
                    {"accept", "application/json, text/event-stream"}}};
  for (const auto& [name, value] : more) {
    auto found = std::find_if(head.headers.begin(), head.headers.end(),
                              [&, n = name](const auto& header) { return header.first == n; });
    if (found == head.headers.end()) {
      head.headers.emplace_back(name, value);
    } else if (value.empty()) {
      head.headers.erase(found);
    } else {
      found->second = value;
    }
  }
  return head;
}

int Status(const HttpHead& head, const std::string& token = "") {
  const std::optional<HttpAnswer> answer = JudgeHead(head, {kPort, token});
  if (answer) {
    EXPECT_THAT(answer->body, HasSubstr(R"("error":{"code":-32600)"));
  }
  return answer ? answer->status : 0;
}

TEST(JudgeHead, LetsOnlyTheLoopbackIn) {
  struct Case {
    const char* reason;
    Headers headers;
    int status;
  };
  const Case kCases[] = {
      {"as clients send it", {}, 0},
      {"by name", {{"host", "localhost:4711"}}, 0},
      {"names have no case", {{"host", "LocalHost:4711"}}, 0},
      {"IPv6", {{"host", "[::1]:4711"}}, 0},
      {"no Host", {{"host", ""}}, 403},
      {"another port", {{"host", "127.0.0.1:4712"}}, 403},
      {"no port", {{"host", "127.0.0.1"}}, 403},
      {"a name that was rebound", {{"host", "evil.example:4711"}}, 403},
      {"a suffix", {{"host", "127.0.0.1:4711.evil.example"}}, 403},
      {"a prefix", {{"host", "evil-localhost:4711"}}, 403},
      {"a user", {{"host", "x@127.0.0.1:4711"}}, 403},
      {"another loopback address", {{"host", "127.0.0.2:4711"}}, 403},
      {"the same in other words", {{"host", "0x7f.1:4711"}}, 403},
      {"a page of this server", {{"origin", "http://127.0.0.1:4711"}}, 0},
      {"by name", {{"origin", "http://localhost:4711"}}, 0},
      {"another page", {{"origin", "http://evil.example"}}, 403},
      {"another port's page", {{"origin", "http://localhost:3000"}}, 403},
      {"an opaque page", {{"origin", "null"}}, 403},
      {"https", {{"origin", "https://localhost:4711"}}, 403},
      {"a suffix", {{"origin", "http://localhost:4711.evil.example"}}, 403},
      {"a path", {{"origin", "http://localhost:4711/x"}}, 403},
  };
  for (const Case& c : kCases) EXPECT_EQ(Status(Post(c.headers)), c.status) << c.reason;
  HttpHead plain = Post({{"host", "localhost"}});
  EXPECT_FALSE(JudgeHead(plain, {80, ""}).has_value()) << "HTTP's own port goes without saying";
}

TEST(JudgeHead, TakesEachHeaderThatDecidesOnce) {
  for (const char* name : {"host", "content-type", "origin", "authorization", "mcp-session-id",
                           "mcp-protocol-version", "mcp-method", "mcp-name"}) {
    HttpHead head = Post({{"origin", "http://localhost:4711"}});
    const std::string value(head.Find(name).value_or("x"));
    head.headers.emplace_back(name, value);
    if (head.Find(name) == "x") head.headers.emplace_back(name, value);
    EXPECT_EQ(Status(head), 400) << name;
  }
  HttpHead accepts = Post();
  accepts.headers.emplace_back("accept", "*/*");
  EXPECT_EQ(Status(accepts), 0) << "a list may be split";
}

TEST(JudgeHead, WantsTheTokenWhereThereIsOne) {
  struct Case {
    const char* authorization;
    int status;
  };
  const Case kCases[] = {
      {"", 401},        {"Bearer right", 0},  {"bearer right", 0},        {"Bearer wrong", 401},
      {"Bearer ", 401}, {"Bearer righ", 401}, {"Bearer rightright", 401}, {"Basic right", 401},
      {"right", 401}};
  for (const Case& c : kCases) {
    EXPECT_EQ(Status(Post({{"authorization", c.authorization}}), "right"), c.status)
        << c.authorization;
  }
  const std::optional<HttpAnswer> answer = JudgeHead(Post(), {kPort, "right"});
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->headers.at(0).first, "WWW-Authenticate");
  EXPECT_THAT(answer->body, ::testing::Not(HasSubstr("right"))) << "never the token";
  EXPECT_EQ(Status(Post({{"host", "evil.example"}}), "right"), 403) << "before anything else";
}

TEST(JudgeHead, KnowsPathsMethodsAndTypes) {
  struct Case {
    const char* reason;
    const char* method;
    const char* target;
    Headers headers;
    int status;
  };
  const Case kCases[] = {
      {"another path", "POST", "/", {}, 404},
      {"below", "POST", "/mcp/", {}, 404},
      {"a proxy's form", "POST", "http://127.0.0.1:4711/mcp", {}, 404},
      {"another method", "PUT", "/mcp", {}, 405},
      {"a preflight", "OPTIONS", "/mcp", {{"origin", "http://localhost:4711"}}, 405},
      {"lower case is another method", "post", "/mcp", {}, 405},
      {"a form", "POST", "/mcp", {{"content-type", "text/plain"}}, 415},
      {"no type", "POST", "/mcp", {{"content-type", ""}}, 415},
      {"with a charset", "POST", "/mcp", {{"content-type", "Application/JSON; charset=utf-8"}}, 0},
      {"compressed", "POST", "/mcp", {{"content-encoding", "gzip"}}, 415},
      {"takes no form of ours", "POST", "/mcp", {{"accept", "text/html"}}, 406},
      {"takes any", "POST", "/mcp", {{"accept", "*/*"}}, 0},
      {"does not say", "POST", "/mcp", {{"accept", ""}}, 0},
      {"a stream of a session", "GET", "/mcp", {{"mcp-session-id", "s"}}, 0},
      {"with a version",
       "GET",
       "/mcp",
       {{"mcp-session-id", "s"}, {"mcp-protocol-version", "2025-11-25"}},
       0},
      {"that takes no stream",
       "GET",
       "/mcp",
       {{"mcp-session-id", "s"}, {"accept", "application/json"}},
       406},
      {"legacy, no session", "GET", "/mcp", {{"mcp-protocol-version", "2025-11-25"}}, 400},
      {"legacy, no session", "DELETE", "/mcp", {{"mcp-protocol-version", "2025-11-25"}}, 400},
      {"nothing of a session", "GET", "/mcp", {}, 405},
      {"nothing of a session", "DELETE", "/mcp", {}, 405},
      {"modern",
       "GET",
       "/mcp",
       {{"mcp-session-id", "s"}, {"mcp-protocol-version", "2026-07-28"}},
       405},
      {"modern",
       "DELETE",
       "/mcp",
       {{"mcp-session-id", "s"}, {"mcp-protocol-version", "2026-07-28"}},
       405},
      {"ends a session", "DELETE", "/mcp", {{"mcp-session-id", "s"}}, 0},
  };
  for (const Case& c : kCases) {
    HttpHead head = Post(c.headers);
    head.method = c.method;
    head.target = c.target;
    EXPECT_EQ(Status(head), c.status) << c.reason << ", " << c.method;
  }
}

TEST(AcceptsOf, ReadsTheList) {
  struct Case {
    const char* accept;
    bool json;
    bool events;
  };
  const Case kCases[] = {{"application/json, text/event-stream", true, true},
                         {"text/event-stream;q=0.9,application/JSON", true, true},
                         {"application/json", true, false},
                         {"text/event-stream", false, true},
                         {"text/*", false, true},
                         {"*/*;q=0.1", true, true},
                         {"application/jsonp", false, false}};
  for (const Case& c : kCases) {
    const HttpAccepts accepts = AcceptsOf(Post({{"accept", c.accept}}));
    EXPECT_EQ(accepts.json, c.json) << c.accept;
    EXPECT_EQ(accepts.events, c.events) << c.accept;
  }
}

TEST(DecodeHeaderValue, KnowsTheEncodingOfTheRevision) {
  const std::pair<const char*, std::optional<std::string>> kCases[] = {
      {"us-west1", "us-west1"},
      {"=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"},
      {"=?base64?IHBhZGRlZCA=?=", " padded "},
      {"=?base64?bGluZTEKbGluZTI=?=", "line1\nline2"},
      {"=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="},
      {"=?BASE64?eA==?=", "=?BASE64?eA==?="},
      {"=?base64?!?=", std::nullopt},
      {"世界", std::nullopt},
      {"a\x01", std::nullopt},
      {"", ""},
  };
  for (const auto& [value, decoded] : kCases) EXPECT_EQ(DecodeHeaderValue(value), decoded) << value;
}

TEST(HttpStatusOf, IsOfTheGeneration) {
  EXPECT_EQ(HttpStatusOf(Generation::kModern, 0), 200);
  EXPECT_EQ(HttpStatusOf(Generation::kModern, kMethodNotFound), 404);
  EXPECT_EQ(HttpStatusOf(Generation::kModern, kUnsupportedVersion), 400);
  EXPECT_EQ(HttpStatusOf(Generation::kModern, kInvalidParams), 200) << "an unknown tool";
  EXPECT_EQ(HttpStatusOf(Generation::kLegacy, kMethodNotFound), 200);
}

}  // namespace
}  // namespace tipstaff::mcp
