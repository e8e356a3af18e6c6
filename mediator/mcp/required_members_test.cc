// Every kind of message that the serving side sends has the members that the protocol's schemas
// require (schema/2025-06-18 to 2026-07-28 of modelcontextprotocol/modelcontextprotocol).
#include <gtest/gtest.h>

#include <functional>

#include "absl/strings/str_split.h"
#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

struct Case {
  const char* definition;  // its name in the schema
  std::function<void(SessionDriver&)> provoke;
  const char* path;  // to the object, members separated by '/'; "": the whole message
  std::vector<const char*> required;
};

const std::vector<Tool> kTools = {{.name = "a", .input_schema = R"({"type":"object"})"}};

std::string Modern(absl::string_view members = "") {
  return absl::StrCat("{", members, ModernMeta(), "}");
}

void List(SessionDriver& driver, const std::string& params) {
  driver.Request("1", "tools/list", params);
  driver.Take(driver.session().OnTools(driver.lists.at(0), kTools));
}

void CallTool(SessionDriver& driver, const std::string& params) {
  driver.Request("1", "tools/call", params);
  driver.Take(driver.session().OnCallEnd(driver.calls.at(0).ticket, {R"({"isError":true})"}));
}

const std::vector<Case>& Cases() {
  static const auto& cases = *new std::vector<Case>{
      {"InitializeResult",
       [](auto& d) { d.Initialize(); },
       "result",
       {"capabilities", "protocolVersion", "serverInfo"}},
      {"Implementation", [](auto& d) { d.Initialize(); }, "result/serverInfo", {"name", "version"}},
      {"JSONRPCResultResponse",
       [](auto& d) { d.Request("1", "ping"); },
       "",
       {"id", "jsonrpc", "result"}},
      {"ListToolsResult (legacy)",
       [](auto& d) { d.Initialize(), List(d, "{}"); },
       "result",
       {"tools"}},
      {"CallToolResult (legacy)",
       [](auto& d) { d.Initialize(), CallTool(d, R"({"name":"a"})"); },
       "result",
       {"content"}},
      {"DiscoverResult",
       [](auto& d) { d.Request("1", "server/discover", Modern()); },
       "result",
       {"cacheScope", "capabilities", "resultType", "supportedVersions", "ttlMs"}},
      {"ListToolsResult",
       [](auto& d) { List(d, Modern()); },
       "result",
       {"cacheScope", "resultType", "tools", "ttlMs"}},
      {"Tool", [](auto& d) { List(d, Modern()); }, "result/tools/0", {"inputSchema", "name"}},
      {"CallToolResult",
       [](auto& d) { CallTool(d, Modern(R"("name":"a",)")); },
       "result",
       {"content", "resultType"}},
      {"JSONRPCErrorResponse", [](auto& d) { d.Receive("?"); }, "", {"error", "jsonrpc"}},
      {"JSONRPCError (2025-06-18)",
       [](auto& d) { d.Initialize(), d.Request("1", "x"); },
       "",
       {"error", "id", "jsonrpc"}},
      {"Error", [](auto& d) { d.Receive("?"); }, "error", {"code", "message"}},
      {"UnsupportedProtocolVersionError",
       [](auto& d) {
         d.Request("1", "ping",
                   R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}})");
       },
       "error/data",
       {"requested", "supported"}},
      {"ProgressNotificationParams",
       [](auto& d) {
         d.Initialize();
         d.Request("1", "tools/call", R"({"name":"a","_meta":{"progressToken":1}})");
         d.Take(d.session().OnProgress(d.calls.at(0).ticket, {1}));
       },
       "params",
       {"progress", "progressToken"}},
      {"SubscriptionsAcknowledgedNotificationParams",
       [](auto& d) { d.Request("1", "subscriptions/listen", Modern(R"("notifications":{},)")); },
       "params",
       {"notifications", "_meta"}},
  };
  return cases;
}

json::Value At(json::Value value, absl::string_view path) {
  for (const absl::string_view step : absl::StrSplit(path, '/', absl::SkipEmpty())) {
    value = value.is_array() ? value.At(step[0] - '0') : value.Find(step);
  }
  return value;
}

TEST(RequiredMembers, AreThere) {
  for (const Case& c : Cases()) {
    SessionDriver driver;
    c.provoke(driver);
    const json::Document message = driver.Answer();
    const json::Value object = At(message.root(), c.path);
    ASSERT_TRUE(object.is_object()) << c.definition << ": " << json::Dump(message.root());
    for (const char* member : c.required) {
      EXPECT_TRUE(object.Find(member).exists())
          << c.definition << " lacks " << member << ": " << json::Dump(message.root());
    }
  }
}

}  // namespace
}  // namespace tipstaff::mcp
