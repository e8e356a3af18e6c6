// A POST's body against its headers: which generation, which session, what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/mcp/http_rules.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::HasSubstr;
using Headers = std::vector<std::pair<std::string, std::string>>;

std::string Body(absl::string_view method, absl::string_view params) {
  return absl::StrCat(R"({"jsonrpc":"2.0","id":7,"method":")", method, R"(","params":)", params,
                      "}");
}
std::string Modern(absl::string_view method, absl::string_view members = "") {
  return Body(method, absl::StrCat("{", members, ModernMeta(), "}"));
}
std::string WithVersion(absl::string_view method, absl::string_view version) {
  return Body(method, absl::StrCat(R"({"_meta":{"io.modelcontextprotocol/protocolVersion":)",
                                   version, "}}"));
}
const Headers kModern = {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/list"}};

Headers ModernHeaders(const std::string& method, std::optional<std::string> name = std::nullopt) {
  Headers headers = {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", method}};
  if (name) headers.emplace_back("mcp-name", *name);
  return headers;
}

std::variant<HttpPost, HttpAnswer> Judge(const Headers& headers, absl::string_view body) {
  return JudgePost({"POST", "/mcp", headers}, body);
}

TEST(JudgePost, FindsTheGenerationAndTheSession) {
  struct Case {
    const char* reason;
    Headers headers;
    std::string body;
    Generation generation;
    const char* session;
  };
  constexpr char kNote[] = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  constexpr char kResponse[] = R"({"jsonrpc":"2.0","id":1,"result":{}})";
  const Case kCases[] = {
      {"opens a session", {}, Body("initialize", "{}"), Generation::kLegacy, ""},
      {"opens one, with its version",
       {{"mcp-protocol-version", "2025-11-25"}},
       Body("initialize", "{}"),
       Generation::kLegacy,
       ""},
      {"repeated in its session",
       {{"mcp-session-id", "s"}},
       Body("initialize", "{}"),
       Generation::kLegacy,
       "s"},
      {"an absent version means 2025-03-26",
       {{"mcp-session-id", "s"}},
       Body("tools/list", "{}"),
       Generation::kLegacy,
       "s"},
      {"with the version",
       {{"mcp-session-id", "s"}, {"mcp-protocol-version", "2025-06-18"}},
       Body("tools/list", "{}"),
       Generation::kLegacy,
       "s"},
      {"in `_meta` too",
       {{"mcp-session-id", "s"}, {"mcp-protocol-version", "2025-11-25"}},
       WithVersion("ping", R"("2025-11-25")"),
       Generation::kLegacy,
       "s"},
      {"a notification", {{"mcp-session-id", "s"}}, kNote, Generation::kLegacy, "s"},
      {"a response", {{"mcp-session-id", "s"}}, kResponse, Generation::kLegacy, "s"},
      {"modern", kModern, Modern("tools/list"), Generation::kModern, ""},
      {"modern: a session header is ignored",
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "ping"}, {"mcp-session-id", "s"}},
       Modern("ping"),
       Generation::kModern,
       ""},
      {"modern rules even for initialize", ModernHeaders("initialize"), Modern("initialize"),
       Generation::kModern, ""},
      {"modern notification",
       {{"mcp-protocol-version", "2026-07-28"}},
       kNote,
       Generation::kModern,
       ""},
      {"modern response",
       {{"mcp-protocol-version", "2026-07-28"}},
       kResponse,
       Generation::kModern,
       ""},
  };
  for (const Case& c : kCases) {
    const auto judged = Judge(c.headers, c.body);
    const HttpPost* post = std::get_if<HttpPost>(&judged);
    ASSERT_NE(post, nullptr) << c.reason << ": " << std::get<HttpAnswer>(judged).body;
    EXPECT_EQ(post->generation, c.generation) << c.reason;
    EXPECT_EQ(post->session, c.session) << c.reason;
  }
}

TEST(JudgePost, SaysWhatIsWrong) {
  struct Case {
    const char* reason;
    Headers headers;
    std::string body;
    int code;
    const char* message;
  };
  const Headers kOnlyVersion = {{"mcp-protocol-version", "2026-07-28"}};
  const Headers kOld = {{"mcp-protocol-version", "2025-11-25"}, {"mcp-session-id", "s"}};
  const Case kCases[] = {
      {"not JSON", {}, "hello", kParseError, "parse error"},
      {"nothing", {}, "", kParseError, "parse error"},
      {"array body",
       {},
       absl::StrCat("[", Body("tools/list", "{}"), "]"),
       kInvalidRequest,
       "batches"},
      {"array body, modern", kModern, absl::StrCat("[", Modern("tools/list"), "]"), kInvalidRequest,
       "batches"},
      {"no session", {}, Body("tools/list", "{}"), kInvalidRequest, "`Mcp-Session-Id` is missing"},
      {"no session, ping", {}, Body("ping", "{}"), kInvalidRequest, "`Mcp-Session-Id` is missing"},
      {"no session, notification",
       {},
       R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
       kInvalidRequest,
       "`Mcp-Session-Id` is missing"},
      {"a version header that nobody has",
       {{"mcp-protocol-version", "2099-01-01"}},
       Body("tools/list", "{}"),
       kUnsupportedVersion,
       "unsupported"},
      {"no version at all",
       {{"mcp-protocol-version", "x"}, {"mcp-session-id", "s"}},
       Body("tools/list", "{}"),
       kUnsupportedVersion,
       "unsupported"},
      {"an unsupported version in both",
       {{"mcp-protocol-version", "2099-01-01"}},
       WithVersion("tools/list", R"("2099-01-01")"),
       kUnsupportedVersion,
       "unsupported"},
      {"header and `_meta` differ", kOld, Modern("tools/list"), kHeaderMismatch,
       "`MCP-Protocol-Version` says `2025-11-25`"},
      {"header and `_meta` differ", kModern, WithVersion("tools/list", R"("2025-11-25")"),
       kHeaderMismatch, "`MCP-Protocol-Version` says `2026-07-28`"},
      {"no version header",
       {{"mcp-method", "tools/list"}},
       Modern("tools/list"),
       kHeaderMismatch,
       "`MCP-Protocol-Version` is missing"},
      {"no `_meta`", kModern, Body("tools/list", "{}"), kInvalidParams, "`_meta` lacks"},
      {"no params", kModern, R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})", kInvalidParams,
       "`_meta` lacks"},
      {"version of another kind", kModern, WithVersion("tools/list", "7"), kInvalidParams,
       "is not a string"},
      {"no capabilities", kModern, WithVersion("tools/list", R"("2026-07-28")"), kInvalidParams,
       "clientCapabilities"},
      {"no method header", kOnlyVersion, Modern("tools/list"), kHeaderMismatch,
       "`Mcp-Method` is missing"},
      {"another method", kModern, Modern("ping"), kHeaderMismatch, "`Mcp-Method` says"},
      {"case counts", ModernHeaders("Tools/List"), Modern("tools/list"), kHeaderMismatch,
       "`Mcp-Method` says"},
      {"no name header", ModernHeaders("tools/call"), Modern("tools/call", R"("name":"a",)"),
       kHeaderMismatch, "`Mcp-Name` is missing"},
      {"another name", ModernHeaders("tools/call", "b"), Modern("tools/call", R"("name":"a",)"),
       kHeaderMismatch, "`Mcp-Name` says `b`, the body `a`"},
      {"a name in the header only", ModernHeaders("tools/call", "b"), Modern("tools/call"),
       kHeaderMismatch, "`Mcp-Name` is there"},
      {"a URI", ModernHeaders("resources/read", "a:c"), Modern("resources/read", R"("uri":"a:b",)"),
       kHeaderMismatch, "`Mcp-Name` says"},
      {"a prompt", ModernHeaders("prompts/get"), Modern("prompts/get", R"("name":"a",)"),
       kHeaderMismatch, "`Mcp-Name` is missing"},
      {"bad base64", ModernHeaders("tools/call", "=?base64?!?="),
       Modern("tools/call", R"("name":"a",)"), kHeaderMismatch, "characters"},
      {"raw UTF-8", ModernHeaders("tools/call", "é"), Modern("tools/call", R"("name":"é",)"),
       kHeaderMismatch, "characters"},
  };
  for (const Case& c : kCases) {
    const auto judged = Judge(c.headers, c.body);
    const HttpAnswer* answer = std::get_if<HttpAnswer>(&judged);
    ASSERT_NE(answer, nullptr) << c.reason;
    EXPECT_EQ(answer->status, 400) << c.reason;
    const json::Document body = json::MustParse(answer->body);
    EXPECT_EQ(body.root().Find("error").IntegerOr("code", 0), c.code) << c.reason;
    EXPECT_THAT(std::string(body.root().Find("error").StringOr("message", "")),
                HasSubstr(c.message))
        << c.reason;
    EXPECT_FALSE(body.root().Find("id").is_null()) << c.reason << ": ids are never null";
  }
}

TEST(JudgePost, NamesTheVersionsItHas) {
  const auto modern =
      Judge({{"mcp-protocol-version", "2099-01-01"}}, WithVersion("tools/list", R"("2099-01-01")"));
  EXPECT_EQ(std::get<HttpAnswer>(modern).body,
            R"({"jsonrpc":"2.0","id":7,"error":{"code":-32022,)"
            R"("message":"unsupported protocol version",)"
            R"("data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}})");
}

TEST(JudgePost, DecodesTheName) {
  for (const char* header : {"get weather", "=?base64?Z2V0IHdlYXRoZXI=?="}) {
    const auto judged = Judge(ModernHeaders("tools/call", header),
                              Modern("tools/call", R"("name":"get weather",)"));
    EXPECT_TRUE(std::holds_alternative<HttpPost>(judged)) << header;
  }
  const auto read = Judge(ModernHeaders("resources/read", "=?base64?ZmlsZTovLy/DqQ==?="),
                          Modern("resources/read", R"("uri":"file:///é",)"));
  EXPECT_TRUE(std::holds_alternative<HttpPost>(read));
}

}  // namespace
}  // namespace tipstaff::mcp
