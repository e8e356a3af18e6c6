// Subscriptions of both generations, and changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using What = Change::What;

const Decision kDenied = {"run_a#2", "deny", "no_permission", false};

class Changes : public ::testing::Test {
 protected:
  Changes() { driver_.catalog = FullCatalog(); }

  // Up to the calls, or the acknowledgement when there are none.
  void Listen(absl::string_view id, absl::string_view filter) {
    driver_.RequestAndList(id, "subscriptions/listen",
                           absl::StrCat(R"({"notifications":)", filter, ",", ModernMeta(), "}"));
  }
  void End(uint64_t ticket, const CallEnd& end) {
    driver_.Take(driver_.session().OnCallEnd(ticket, end));
  }
  void Change(What what, const std::string& uri = "") {
    driver_.Take(driver_.session().OnChange({what, uri}));
  }
  std::string Granted() {
    return json::Dump(driver_.Answer().root().Find("params").Find("notifications"));
  }

  SessionDriver driver_;
};

TEST_F(Changes, NothingIsSentToWhoDidNotAsk) {
  Change(What::kTools);
  EXPECT_THAT(driver_.sent, IsEmpty()) << "no session yet";
  driver_.Request("1", "initialize", R"({"protocolVersion":"2025-11-25"})");
  Change(What::kTools);
  EXPECT_THAT(driver_.sent, IsEmpty()) << "not answered yet";
}

TEST_F(Changes, ALegacySessionHearsOfEveryList) {
  driver_.Initialize();
  const std::pair<What, const char*> kCases[] = {
      {What::kTools, "tools"}, {What::kResources, "resources"}, {What::kPrompts, "prompts"}};
  for (const auto& [what, name] : kCases) {
    Change(what);
    EXPECT_EQ(
        json::Dump(driver_.Answer().root()),
        absl::StrCat(R"({"jsonrpc":"2.0","method":"notifications/)", name, R"(/list_changed"})"));
    EXPECT_EQ(driver_.sends[0].ticket, 0u);
    EXPECT_EQ(driver_.sends[0].kind, Send::Kind::kChange);
  }
}

TEST_F(Changes, ALegacySessionHearsOfResourcesItSubscribedTo) {
  driver_.Initialize();
  Change(What::kResource, "file:///a");
  EXPECT_THAT(driver_.sent, IsEmpty());
  driver_.RequestAndList("1", "resources/subscribe", R"({"uri":"file:///a"})");
  End(driver_.calls.at(0).ticket, {"{}"});
  driver_.RequestAndList("2", "resources/subscribe", R"({"uri":"file:///b"})");
  End(driver_.calls.at(0).ticket, {"", kDenied, CallError{kInvalidParams, "no"}});
  struct Case {
    const char* uri;
    bool heard;
  };
  const Case kCases[] = {{"file:///a", true},  {"file:///a/below", true}, {"file:///ab", false},
                         {"file:///b", false}, {"file://", false},        {"", false},
                         {"file:///A", false}};
  for (const Case& c : kCases) {
    Change(What::kResource, c.uri);
    EXPECT_THAT(driver_.sent, SizeIs(c.heard ? 1 : 0)) << c.uri;
  }
  Change(What::kResource, "file:///a");
  EXPECT_EQ(json::Dump(driver_.Answer().root()),
            R"({"jsonrpc":"2.0","method":"notifications/resources/updated",)"
            R"("params":{"uri":"file:///a"}})");
  driver_.RequestAndList("3", "resources/unsubscribe", R"({"uri":"file:///a"})");
  EXPECT_EQ(json::Dump(driver_.Answer().root().Find("result")), "{}");
  Change(What::kResource, "file:///a");
  EXPECT_THAT(driver_.sent, IsEmpty());
}

TEST_F(Changes, ALegacySessionSubscribesToSoMany) {
  driver_.Initialize();
  for (size_t i = 0; i < kMaxSubscriptions; ++i) {
    driver_.RequestAndList("1", "resources/subscribe", absl::StrCat(R"({"uri":"u:)", i, R"("})"));
    End(driver_.calls.at(0).ticket, {"{}"});
  }
  driver_.RequestAndList("1", "resources/subscribe", R"({"uri":"u:more"})");
  EXPECT_EQ(driver_.ErrorCode(), kInvalidParams);
  EXPECT_THAT(driver_.sent[0], HasSubstr("at most 64"));
  driver_.RequestAndList("1", "resources/subscribe", R"({"uri":"u:0"})");
  EXPECT_THAT(driver_.calls, SizeIs(1)) << "one it has already";
}

TEST_F(Changes, AStreamBeginsWithWhatIsGranted) {
  struct Case {
    const char* reason;
    const char* filter;
    const char* granted;
  };
  const Case kCases[] = {
      {"nothing", "{}", "{}"},
      {"all lists",
       R"({"toolsListChanged":true,"promptsListChanged":true,)"
       R"("resourcesListChanged":true})",
       R"({"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true})"},
      {"false is no wish", R"({"toolsListChanged":false})", "{}"},
      {"no resources", R"({"resourceSubscriptions":[]})", "{}"},
      {"unknown members", R"({"x":true})", "{}"},
  };
  for (const Case& c : kCases) {
    Listen("\"l\"", c.filter);
    EXPECT_EQ(Granted(), c.granted) << c.reason;
    EXPECT_EQ(driver_.Answer().root().StringOr("method", ""),
              "notifications/subscriptions/acknowledged");
    driver_.Request("", "notifications/cancelled", R"({"requestId":"l"})");
  }
}

TEST_F(Changes, WhatTheRunHasNotIsNotGranted) {
  driver_.catalog = Catalog();
  Listen("1", R"({"toolsListChanged":true,"promptsListChanged":true,)"
              R"("resourcesListChanged":true,"resourceSubscriptions":["file:///a"]})");
  EXPECT_THAT(driver_.calls, IsEmpty());
  EXPECT_EQ(Granted(), R"({"toolsListChanged":true})");
}

TEST_F(Changes, ResourcesAreAskedForBeforeTheAcknowledgement) {
  Listen("7", R"({"resourceSubscriptions":["file:///a","file:///b","file:///a"]})");
  ASSERT_THAT(driver_.calls, SizeIs(2)) << "each once";
  EXPECT_THAT(driver_.sent, IsEmpty());
  const std::vector<WantCall> calls = driver_.calls;
  EXPECT_EQ(calls[0].kind, CallKind::kSubscription);
  EXPECT_EQ(calls[0].arguments, R"({"uri":"file:///a"})");
  Change(What::kResource, "file:///a");
  EXPECT_THAT(driver_.sent, IsEmpty()) << "nothing before the acknowledgement";
  End(calls[1].ticket, {"", kDenied, CallError{kInvalidParams, "no"}});
  EXPECT_THAT(driver_.sent, IsEmpty());
  End(calls[0].ticket, {"{}"});
  EXPECT_EQ(Granted(), R"({"resourceSubscriptions":["file:///a"]})");
  Change(What::kResource, "file:///b");
  EXPECT_THAT(driver_.sent, IsEmpty()) << "not granted";
  Change(What::kResource, "file:///a");
  EXPECT_EQ(json::Dump(driver_.Answer().root()),
            R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":)"
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":7},"uri":"file:///a"}})");
}

TEST_F(Changes, EachStreamHearsWhatItAskedForUnderItsId) {
  Listen("1", R"({"toolsListChanged":true})");
  Listen("\"1\"", R"({"toolsListChanged":true,"promptsListChanged":true})");
  Change(What::kTools);
  ASSERT_THAT(driver_.sent, SizeIs(2));
  EXPECT_THAT(driver_.sent[0], HasSubstr(R"("io.modelcontextprotocol/subscriptionId":1})"));
  EXPECT_THAT(driver_.sent[1], HasSubstr(R"("io.modelcontextprotocol/subscriptionId":"1"})"));
  EXPECT_NE(driver_.sends[0].ticket, driver_.sends[1].ticket);
  Change(What::kPrompts);
  EXPECT_THAT(driver_.sent, SizeIs(1));
  Change(What::kResources);
  EXPECT_THAT(driver_.sent, IsEmpty());
  driver_.Request("", "notifications/cancelled", R"({"requestId":1})");
  Change(What::kTools);
  EXPECT_THAT(driver_.sent, SizeIs(1));
}

TEST_F(Changes, AStreamThatIsGoneCancelsWhatItAsked) {
  Listen("1", R"({"resourceSubscriptions":["file:///a","file:///b"]})");
  const std::vector<WantCall> calls = driver_.calls;
  driver_.Request("", "notifications/cancelled", R"({"requestId":1})");
  EXPECT_THAT(driver_.cancels, SizeIs(3)) << "the stream and both calls";
  End(calls[0].ticket, {"{}"});
  End(calls[1].ticket, {"{}"});
  EXPECT_THAT(driver_.sent, IsEmpty());
  EXPECT_EQ(driver_.session().requests_in_flight(), 0u);
}

TEST_F(Changes, RefuseBadFilters) {
  std::string many;
  for (size_t i = 0; i <= kMaxSubscriptions; ++i) absl::StrAppend(&many, "\"u:", i, "\",");
  const std::string kFilters[] = {"7",
                                  "[]",
                                  "null",
                                  R"({"resourceSubscriptions":"a"})",
                                  R"({"resourceSubscriptions":[7]})",
                                  R"({"resourceSubscriptions":[""]})",
                                  absl::StrCat(R"({"resourceSubscriptions":[)", many, R"("x"]})")};
  for (const std::string& filter : kFilters) {
    driver_.Request("1", "subscriptions/listen",
                    absl::StrCat(R"({"notifications":)", filter, ",", ModernMeta(), "}"));
    EXPECT_EQ(driver_.ErrorCode(), kInvalidParams) << filter;
  }
}

TEST_F(Changes, SharedTicketsNeverMeet) {
  Tickets tickets;
  ServerSession one({"s", "1", ""}, &tickets), other({"s", "1", ""}, &tickets);
  constexpr char kCall[] =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a",%s}})";
  const std::string call = absl::StrReplaceAll(kCall, {{"%s", ModernMeta()}});
  const uint64_t first = std::get<WantCall>(one.OnMessage(call).at(0)).ticket;
  const uint64_t second = std::get<WantCall>(other.OnMessage(call).at(0)).ticket;
  EXPECT_NE(first, second) << "two clients in flight with id 1";
  EXPECT_THAT(other.OnCallEnd(first, {R"({"content":[]})"}), IsEmpty());
  EXPECT_THAT(other.OnGone(first), IsEmpty());
  EXPECT_THAT(other.OnCallEnd(second, {R"({"content":[]})"}), SizeIs(1));
}

}  // namespace
}  // namespace tipstaff::mcp
