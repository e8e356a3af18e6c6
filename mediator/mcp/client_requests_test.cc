// What goes out to a server that is ready.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/mcp/testing/client_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kModernMeta[] =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"tipstaff","version":"1.0"},)"
    R"("io.modelcontextprotocol/clientCapabilities":{})";

TEST(ClientRequests, HaveTheMetaOfTheGeneration) {
  struct Case {
    const char* reason;
    Generation generation;
    ClientRequest request;
    std::string params;
  };
  const std::string modern = kModernMeta;
  const Case kCases[] = {
      {"modern",
       Generation::kModern,
       {.method = "m", .params = R"({"a":9007199254740993})"},
       R"({"_meta":{)" + modern + R"(},"a":9007199254740993})"},
      {"modern, with all",
       Generation::kModern,
       {.method = "m", .params = "{}", .want_progress = true, .log_level = "info"},
       R"({"_meta":{)" + modern +
           R"(,"io.modelcontextprotocol/logLevel":"info","progressToken":3}})"},
      {"legacy", Generation::kLegacy, {.method = "m", .params = R"({"a":1.50})"}, R"({"a":1.50})"},
      {"legacy, with progress",
       Generation::kLegacy,
       {.method = "m", .params = R"({"a":[]})", .want_progress = true, .log_level = "info"},
       R"({"_meta":{"progressToken":3},"a":[]})"},
      {"no params", Generation::kLegacy, {.method = "m", .params = ""}, "{}"},
  };
  for (const Case& c : kCases) {
    ClientDriver server(Wire::kStdio, c.generation);
    server.Start();
    const bool modern_one = c.generation == Generation::kModern;
    server.Result(modern_one ? ClientDriver::kDiscovered : ClientDriver::kInitialized);
    server.Ask({.method = "first", .params = "{}"});
    ASSERT_THAT(server.Ask(c.request), ElementsAre("request 3 m")) << c.reason;
    EXPECT_EQ(server.sent().message,
              absl::StrCat(R"({"jsonrpc":"2.0","id":3,"method":"m","params":)", c.params, "}"))
        << c.reason;
    EXPECT_EQ(server.sent().version, modern_one ? "2026-07-28" : "2025-06-18") << c.reason;
    EXPECT_EQ(server.sent().modern, modern_one) << c.reason;
  }
}

TEST(ClientRequests, CarryTheNameForTheHeader) {
  ClientDriver server;
  server.Modern();
  server.Call();
  EXPECT_EQ(server.sent().name, "t");
  EXPECT_EQ(server.sent().method, "tools/call");
}

TEST(ClientRequests, AreNotSentWithWhatAreNoParams) {
  ClientDriver server;
  server.Modern();
  for (const char* params : {"[]", "{", "{\n}", R"({"_meta":{"progressToken":1}})"}) {
    EXPECT_THAT(server.Ask({.method = "m", .params = params}),
                ElementsAre(HasSubstr("unsent: the params are not")))
        << params;
  }
  EXPECT_EQ(server.session().requests_in_flight(), 0u);
}

TEST(ClientRequests, AreCancelledAtOnce) {
  ClientDriver server;
  server.Modern();
  server.Call();
  server.Call();
  EXPECT_THAT(server.Cancel(1), ElementsAre("notify notifications/cancelled"));
  EXPECT_EQ(std::get<SendNotification>(server.outputs()[0]).message,
            R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
            R"("params":{"requestId":2,"reason":"why not"}})");
  EXPECT_EQ(server.session().requests_in_flight(), 1u);
  EXPECT_THAT(server.Cancel(1), IsEmpty()) << "it is over";
  EXPECT_THAT(server.Cancel(99), IsEmpty()) << "there was none";
  EXPECT_THAT(server.Result("{}"), ElementsAre("answered 2 {}"));
  EXPECT_THAT(server.Cancel(2), IsEmpty()) << "it is answered";
}

TEST(ClientRequests, AListIsCancelledOnAnyPage) {
  ClientDriver server;
  server.Legacy();
  server.List(ListKind::kResources);
  server.Result(R"({"resources":[],"nextCursor":"2"})");
  EXPECT_THAT(server.Cancel(1), ElementsAre("notify notifications/cancelled"));
  EXPECT_THAT(std::get<SendNotification>(server.outputs()[0]).message,
              HasSubstr(R"("requestId":4)"));
  EXPECT_THAT(server.Result(R"({"resources":[],"nextCursor":"3"})"), IsEmpty());
}

TEST(ClientRequests, CancelledWhileTheyWaitNeverGoOut) {
  ClientDriver server;
  server.Call();
  server.Start();
  server.Call();
  server.Cancel(2);
  server.Error(kMethodNotFound, "no");
  server.Cancel(1);
  server.Connected();
  EXPECT_THAT(server.Result(ClientDriver::kInitialized),
              Not(::testing::Contains(HasSubstr("tools/call"))));
}

TEST(ClientRequests, NotificationsGoWhenReady) {
  ClientDriver server;
  server.Start();
  EXPECT_THAT(server.Notify("notifications/x", "{}"), IsEmpty());
  server.Result(ClientDriver::kDiscovered);
  EXPECT_THAT(server.Notify("notifications/x", R"({"a":1})"),
              ElementsAre("notify notifications/x"));
  EXPECT_EQ(std::get<SendNotification>(server.outputs()[0]).message,
            R"({"jsonrpc":"2.0","method":"notifications/x","params":{"a":1}})");
  EXPECT_THAT(server.Notify("notifications/x", "[\n]"), IsEmpty()) << "would break the framing";
}

TEST(ClientRequests, OfTwoServersDoNotMix) {
  ClientDriver modern, legacy;
  modern.Modern();
  legacy.Legacy();
  modern.Ask({.method = "m", .params = R"({"a":1})"});
  legacy.Ask({.method = "m", .params = R"({"a":1})"});
  EXPECT_THAT(modern.sent().message, HasSubstr("2026-07-28"));
  EXPECT_EQ(legacy.sent().message, R"({"jsonrpc":"2.0","id":3,"method":"m","params":{"a":1}})");
  EXPECT_THAT(modern.Says(R"({"jsonrpc":"2.0","id":3,"result":{}})"),
              ElementsAre(HasSubstr("nobody waits")));
  EXPECT_THAT(legacy.Result(R"({"of":"legacy"})"), ElementsAre(R"(answered 1 {"of":"legacy"})"));
  EXPECT_THAT(modern.Result(R"({"of":"modern"})"), ElementsAre(R"(answered 1 {"of":"modern"})"));
}

}  // namespace
}  // namespace tipstaff::mcp
