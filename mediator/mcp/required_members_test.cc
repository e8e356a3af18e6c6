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

std::string Modern(absl::string_view members = "") {
  return absl::StrCat("{", members, ModernMeta(), "}");
}

void List(SessionDriver& driver, const char* method, const std::string& params) {
  driver.catalog = FullCatalog();
  driver.RequestAndList("1", method, params);
}

void CallTool(SessionDriver& driver, const std::string& params) {
  driver.Request("1", "tools/call", params);
  driver.Take(driver.session().OnCallEnd(driver.calls.at(0).ticket, {R"({"isError":true})"}));
}

void Call(SessionDriver& driver, const char* method, const std::string& params,
          const char* result) {
  List(driver, method, params);
  driver.Take(driver.session().OnCallEnd(driver.calls.at(0).ticket, {result}));
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
       [](auto& d) { d.Initialize(), List(d, "tools/list", "{}"); },
       "result",
       {"tools"}},
      {"CallToolResult (legacy)",
       [](auto& d) { d.Initialize(), CallTool(d, R"({"name":"a"})"); },
       "result",
       {"content"}},
      {"DiscoverResult",
       [](auto& d) { d.RequestAndList("1", "server/discover", Modern()); },
       "result",
       {"cacheScope", "capabilities", "resultType", "supportedVersions", "ttlMs"}},
      {"ListToolsResult",
       [](auto& d) { List(d, "tools/list", Modern()); },
       "result",
       {"cacheScope", "resultType", "tools", "ttlMs"}},
      {"Tool",
       [](auto& d) { List(d, "tools/list", Modern()); },
       "result/tools/0",
       {"inputSchema", "name"}},
      {"CallToolResult",
       [](auto& d) { CallTool(d, Modern(R"("name":"a",)")); },
       "result",
       {"content", "resultType"}},
      {"ListResourcesResult",
       [](auto& d) { List(d, "resources/list", Modern()); },
       "result",
       {"cacheScope", "resultType", "resources", "ttlMs"}},
      {"Resource",
       [](auto& d) { List(d, "resources/list", Modern()); },
       "result/resources/0",
       {"name", "uri"}},
      {"ListResourceTemplatesResult",
       [](auto& d) { List(d, "resources/templates/list", Modern()); },
       "result",
       {"cacheScope", "resultType", "resourceTemplates", "ttlMs"}},
      {"ListPromptsResult",
       [](auto& d) { List(d, "prompts/list", Modern()); },
       "result",
       {"cacheScope", "resultType", "prompts", "ttlMs"}},
      {"ReadResourceResult",
       [](auto& d) {
         Call(d, "resources/read", Modern(R"("uri":"file:///a",)"), R"({"contents":[]})");
       },
       "result",
       {"cacheScope", "contents", "resultType", "ttlMs"}},
      {"GetPromptResult",
       [](auto& d) { Call(d, "prompts/get", Modern(R"("name":"p",)"), R"({"messages":[]})"); },
       "result",
       {"messages", "resultType"}},
      {"CompleteResult",
       [](auto& d) {
         Call(d, "completion/complete", Modern(R"("ref":{},"argument":{},)"),
              R"({"completion":{"values":[]}})");
       },
       "result",
       {"completion", "resultType"}},
      {"LoggingMessageNotificationParams",
       [](auto& d) {
         d.Initialize();
         d.Request("1", "tools/call", R"({"name":"a"})");
         d.Take(d.session().OnLog(d.calls.at(0).ticket, R"({"level":"info","data":1})"));
       },
       "params",
       {"data", "level"}},
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
       [](auto& d) {
         d.RequestAndList("1", "subscriptions/listen", Modern(R"("notifications":{},)"));
       },
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
