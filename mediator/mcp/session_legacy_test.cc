// Which generation serves a request, and the rules of the legacy one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Legacy, NegotiatesTheVersionAndNeverFails) {
  struct Case {
    const char* reason;
    const char* asked;
    const char* answered;
  };
  const Case kCases[] = {
      {"oldest", "2024-11-05", "2024-11-05"},
      {"known", "2025-03-26", "2025-03-26"},
      {"known", "2025-06-18", "2025-06-18"},
      {"newest", "2025-11-25", "2025-11-25"},
      {"unknown newer", "2030-01-01", "2025-11-25"},
      {"unknown older", "2023-01-01", "2025-11-25"},
      {"modern, by a bare initialize", "2026-07-28", "2025-11-25"},
      {"nonsense", "x", "2025-11-25"},
  };
  for (const Case& c : kCases) {
    SessionDriver driver;
    driver.Initialize(c.asked);
    EXPECT_EQ(json::Dump(driver.Answer().root()),
              absl::StrCat(R"({"jsonrpc":"2.0","id":"init","result":{"protocolVersion":")",
                           c.answered, R"(","serverInfo":{"name":"tipstaff-guest",)",
                           R"("version":"1.2"},"capabilities":{"tools":{"listChanged":true}},)",
                           R"("instructions":"be good"}})"))
        << c.reason;
    EXPECT_EQ(driver.session().client().name, "c");
    EXPECT_EQ(driver.session().client().version, "2");
  }
}

TEST(Legacy, AnswersARepeatedInitialize) {
  SessionDriver driver;
  driver.Initialize("2025-06-18");
  driver.Initialize("2024-11-05");
  EXPECT_EQ(driver.Answer().root().Find("result").StringOr("protocolVersion", ""), "2024-11-05");
}

TEST(Legacy, AnswersByMethod) {
  struct Case {
    const char* reason;
    const char* method;
    const char* params;
    int code;  // 0: a result
  };
  const Case kCases[] = {
      {"ping", "ping", "{}", 0},
      {"initialize without a version", "initialize", "{}", kInvalidParams},
      {"initialize with a number", "initialize", R"({"protocolVersion":1})", kInvalidParams},
      {"prompts when there are none", "prompts/list", "{}", kMethodNotFound},
      {"resources", "resources/read", R"({"uri":"file:///etc/passwd"})", kMethodNotFound},
      {"templates", "resources/templates/list", "{}", kMethodNotFound},
      {"subscriptions", "resources/subscribe", R"({"uri":"a:b"})", kMethodNotFound},
      {"subscriptions", "resources/unsubscribe", R"({"uri":"a:b"})", kMethodNotFound},
      {"a prompt", "prompts/get", R"({"name":"p"})", kMethodNotFound},
      {"completion", "completion/complete", R"({"ref":{},"argument":{}})", kMethodNotFound},
      {"logging", "logging/setLevel", R"({"level":"debug"})", kMethodNotFound},
      {"a modern method", "server/discover", "{}", kMethodNotFound},
      {"a modern method", "subscriptions/listen", "{}", kMethodNotFound},
      {"unknown", "tools/call2", "{}", kMethodNotFound},
      {"cursor of another kind", "tools/list", R"({"cursor":1})", kInvalidParams},
      {"call without a name", "tools/call", R"({"arguments":{}})", kInvalidParams},
      {"name of another kind", "tools/call", R"({"name":1})", kInvalidParams},
      {"arguments of another kind", "tools/call", R"({"name":"a","arguments":[]})", kInvalidParams},
      {"arguments null", "tools/call", R"({"name":"a","arguments":null})", kInvalidParams},
      {"a bad progress token", "tools/call", R"({"name":"a","_meta":{"progressToken":{}}})",
       kInvalidParams},
  };
  for (const Case& c : kCases) {
    SessionDriver driver;
    driver.Initialize();
    driver.Request("7", c.method, c.params);
    if (!driver.lists.empty()) driver.List();
    EXPECT_EQ(driver.ErrorCode(), c.code) << c.reason;
    EXPECT_EQ(driver.Answer().root().IntegerOr("id", 0), 7) << c.reason;
    EXPECT_THAT(driver.calls, IsEmpty()) << c.reason;
    driver.Request("8", "ping");
    EXPECT_EQ(driver.ErrorCode(), 0) << c.reason << ": the connection stays";
  }
}

TEST(Legacy, NotificationsAreNeverAnsweredOrEchoed) {
  SessionDriver driver;
  driver.Initialize();
  for (const char* method : {"notifications/initialized", "notifications/roots/list_changed",
                             "notifications/progress", "ping", "initialize", "tools/list"}) {
    driver.Request("", method);
    EXPECT_THAT(driver.sent, IsEmpty()) << method;
    EXPECT_THAT(driver.lists, IsEmpty()) << method;
  }
  driver.Receive(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_THAT(driver.sent, IsEmpty()) << "a response to nothing";
}

TEST(Generation, IsChosenByTheRequest) {
  constexpr char kOldMeta[] =
      R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}})";
  const std::string modern = absl::StrCat("{", ModernMeta(), "}");
  struct Case {
    const char* reason;
    bool initialized;
    const char* method;
    std::string params;
    int code;
  };
  const Case kCases[] = {
      {"bare ping before anything", false, "ping", "{}", 0},
      {"bare list before anything", false, "tools/list", "{}", kInvalidParams},
      {"bare call before anything", false, "tools/call", R"({"name":"a"})", kInvalidParams},
      {"bare discover", false, "server/discover", "{}", kInvalidParams},
      {"bare prompts", false, "prompts/list", "{}", kInvalidParams},
      {"bare unknown", false, "tasks/list", "{}", kMethodNotFound},
      {"modern discover", false, "server/discover", modern, 0},
      {"modern discover in a legacy session", true, "server/discover", modern, 0},
      {"modern initialize", false, "initialize", modern, kMethodNotFound},
      {"modern ping", false, "ping", modern, kMethodNotFound},
      {"modern ping in a legacy session", true, "ping", modern, kMethodNotFound},
      {"a legacy version in _meta, no session", false, "ping", kOldMeta, kUnsupportedVersion},
      {"a legacy version in _meta in its session", true, "ping", kOldMeta, 0},
  };
  for (const Case& c : kCases) {
    SessionDriver driver;
    if (c.initialized) driver.Initialize();
    driver.Request("1", c.method, c.params);
    if (!driver.lists.empty()) driver.List();
    EXPECT_EQ(driver.ErrorCode(), c.code) << c.reason;
  }
}

TEST(Generation, ModernUseDoesNotOpenALegacySession) {
  SessionDriver driver;
  driver.Request("1", "tools/list", absl::StrCat("{", ModernMeta(), "}"));
  ASSERT_THAT(driver.lists, SizeIs(1));
  driver.Request("2", "tools/list");
  EXPECT_EQ(driver.ErrorCode(), kInvalidParams);
  EXPECT_THAT(driver.sent[0], HasSubstr("initialize"));
}

TEST(Session, SurvivesWhatIsNotAMessage) {
  SessionDriver driver;
  driver.Receive("garbage");
  EXPECT_EQ(driver.ErrorCode(), kParseError);
  EXPECT_FALSE(driver.Answer().root().Find("id").exists());
  driver.Receive(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}])");
  EXPECT_EQ(driver.ErrorCode(), kInvalidRequest);
  EXPECT_THAT(driver.calls, IsEmpty()) << "a batch is no way past anything";
  driver.Take(driver.session().OnTooLong(1000));
  EXPECT_EQ(driver.ErrorCode(), kInvalidRequest);
  EXPECT_THAT(driver.sent[0], HasSubstr("longer than 1000 bytes"));
  driver.Initialize();
  EXPECT_EQ(driver.ErrorCode(), 0);
}

}  // namespace
}  // namespace tipstaff::mcp
