// The rules of 2026-07-28.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kServerMeta[] =
    R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"tipstaff-guest","version":"1.2"}})";

TEST(Modern, Discovers) {
  SessionDriver driver;
  driver.RequestAndList("\"d\"", "server/discover",
                        absl::StrCat("{",
                                     ModernMeta(R"("io.modelcontextprotocol/clientInfo":)"
                                                R"({"name":"agent","version":"3"})"),
                                     "}"));
  EXPECT_EQ(
      json::Dump(driver.Answer().root()),
      absl::StrCat(R"({"jsonrpc":"2.0","id":"d","result":{"resultType":"complete",)", kServerMeta,
                   R"(,"supportedVersions":["2026-07-28"],)",
                   R"("ttlMs":60000,"cacheScope":"private",)",
                   R"("capabilities":{"tools":{"listChanged":true}},"instructions":"be good"}})"));
  EXPECT_EQ(driver.session().client().name, "agent");
}

TEST(Modern, WantsVersionAndCapabilitiesInEachRequest) {
  struct Case {
    const char* reason;
    const char* meta;
    int code;
  };
  const Case kCases[] = {
      {"no capabilities", R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"})",
       kInvalidParams},
      {"capabilities of another kind",
       R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientCapabilities":[]})",
       kInvalidParams},
      {"no version", R"({"io.modelcontextprotocol/clientCapabilities":{}})", kInvalidParams},
      {"version of another kind",
       R"({"io.modelcontextprotocol/protocolVersion":20260728,)"
       R"("io.modelcontextprotocol/clientCapabilities":{}})",
       kInvalidParams},
      {"an unknown version, even without capabilities",
       R"({"io.modelcontextprotocol/protocolVersion":"1900-01-01"})", kUnsupportedVersion},
      {"_meta of another kind", "7", kInvalidParams},
  };
  for (const Case& c : kCases) {
    for (const char* method : {"server/discover", "tools/list", "tools/call"}) {
      SessionDriver driver;
      driver.Request("1", method, absl::StrCat(R"({"name":"a","_meta":)", c.meta, "}"));
      EXPECT_EQ(driver.ErrorCode(), c.code) << c.reason << ", " << method;
      EXPECT_THAT(driver.calls, IsEmpty()) << c.reason;
    }
  }
}

TEST(Modern, NamesTheVersionsItHas) {
  SessionDriver driver;
  driver.Request("1", "tools/list",
                 R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01",)"
                 R"("io.modelcontextprotocol/clientCapabilities":{}}})");
  EXPECT_EQ(json::Dump(driver.Answer().root()),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,)"
            R"("message":"unsupported protocol version",)"
            R"("data":{"supported":["2026-07-28"],"requested":"2027-01-01"}}})");
}

TEST(Modern, ListsWithCachingHints) {
  SessionDriver driver;
  driver.Request("1", "tools/list", absl::StrCat("{", ModernMeta(), "}"));
  ASSERT_THAT(driver.lists, SizeIs(1));
  driver.List();
  EXPECT_EQ(json::Dump(driver.Answer().root()),
            absl::StrCat(R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",)",
                         kServerMeta, R"(,"tools":[],"ttlMs":60000,"cacheScope":"private"}})"));
}

TEST(Modern, CallsAndMarksTheResultComplete) {
  SessionDriver driver;
  driver.Request(
      "1", "tools/call",
      absl::StrCat(R"({"name":"a","arguments":{"n":9007199254740993},)", ModernMeta(), "}"));
  ASSERT_THAT(driver.calls, SizeIs(1));
  EXPECT_EQ(driver.calls[0].arguments, R"({"n":9007199254740993})");
  driver.Take(driver.session().OnCallEnd(
      driver.calls[0].ticket,
      {R"({"content":[]})", Decision{"run_a#1", "allow", "permitted", false}}));
  const json::Document answer = driver.Answer();
  const json::Value result = answer.root().Find("result");
  EXPECT_EQ(result.StringOr("resultType", ""), "complete");
  EXPECT_EQ(json::Dump(result.Find("_meta").Find(kDecisionKey)),
            R"({"id":"run_a#1","verdict":"allow","reason":"permitted","retry":false})");
}

TEST(Modern, AcknowledgesASubscriptionAndHoldsItUntilCancelled) {
  SessionDriver driver;
  const std::string params =
      absl::StrCat(R"({"notifications":{"toolsListChanged":true},)", ModernMeta(), "}");
  driver.RequestAndList("\"l\"", "subscriptions/listen", params);
  EXPECT_EQ(json::Dump(driver.Answer().root()),
            R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",)"
            R"("params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"},)"
            R"("notifications":{"toolsListChanged":true}}})");
  EXPECT_EQ(driver.session().requests_in_flight(), 1u);
  driver.Request("", "notifications/cancelled", R"({"requestId":"l"})");
  EXPECT_EQ(driver.session().requests_in_flight(), 0u);
  EXPECT_THAT(driver.sent, IsEmpty());
  driver.Request("\"m\"", "subscriptions/listen", absl::StrCat("{", ModernMeta(), "}"));
  EXPECT_EQ(driver.ErrorCode(), kInvalidParams) << "the filter is required";
}

}  // namespace
}  // namespace tipstaff::mcp
