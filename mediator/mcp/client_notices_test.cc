#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/mcp/testing/client_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(ClientNotices, AServersRequestsAreAnsweredAtOnce) {
  struct Case {
    const char* reason;
    const char* members;
    std::vector<std::string> lines;
  };
  const auto declined = [](const char* id, const char* method) {
    return std::vector<std::string>{
        absl::StrCat("note: asks for `", method, "`, which is declined"),
        absl::StrCat(R"(reply {"jsonrpc":"2.0","id":)", id,
                     R"(,"error":{"code":-32601,"message":"not offered by this client: `)", method,
                     R"(`"}})")};
  };
  const Case kCases[] = {
      {"ping", R"("id":1,"method":"ping")", {R"(reply {"jsonrpc":"2.0","id":1,"result":{}})"}},
      {"its ids are its own",
       R"("id":"3","method":"ping")",
       {R"(reply {"jsonrpc":"2.0","id":"3","result":{}})"}},
      {"sampling", R"("id":-7,"method":"sampling/createMessage","params":{"messages":[]})",
       declined("-7", "sampling/createMessage")},
      {"roots", R"("id":0,"method":"roots/list")", declined("0", "roots/list")},
      {"elicitation", R"("id":"e","method":"elicitation/create","params":{})",
       declined("\"e\"", "elicitation/create")},
      {"what only a client may ask", R"("id":9,"method":"tools/call","params":{"name":"x"})",
       declined("9", "tools/call")},
  };
  for (const Case& c : kCases) {
    ClientDriver server;
    server.Legacy();
    server.Call();
    EXPECT_EQ(server.Says(absl::StrCat(R"({"jsonrpc":"2.0",)", c.members, "}")), c.lines)
        << c.reason;
    EXPECT_EQ(server.session().requests_in_flight(), 1u) << c.reason;
  }
}

TEST(ClientNotices, RequestsAreAnsweredBeforeReadyToo) {
  ClientDriver server(Wire::kStdio, Generation::kLegacy);
  server.Start();
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"),
              ElementsAre(R"(reply {"jsonrpc":"2.0","id":1,"result":{}})"));
  EXPECT_EQ(std::get<SendNotification>(server.outputs()[0]).version, "") << "not agreed yet";
  EXPECT_THAT(server.Result(ClientDriver::kInitialized),
              ElementsAre(StartsWith("notify"), StartsWith("ready")));
}

// Ticket 1 is request 2 and wants progress, ticket 2 is request 3 and does not.
TEST(ClientNotices, AreReadByKind) {
  struct Case {
    const char* reason;
    const char* method;
    const char* params;
    const char* line;  // "": nothing comes of it
  };
  const Case kCases[] = {
      {"progress", "progress", R"({"progressToken":2,"progress":1,"total":4,"message":"one"})",
       "progress 1 1/4 one"},
      {"progress without the rest", "progress", R"({"progressToken":2,"progress":0.5})",
       "progress 1 0.5/0 "},
      {"the rest of other kinds", "progress",
       R"({"progressToken":2,"progress":1,"total":"4","message":[]})", "progress 1 1/0 "},
      {"progress backwards", "progress", R"({"progressToken":2,"progress":-1})",
       "progress 1 -1/0 "},
      {"progress that is no number", "progress", R"({"progressToken":2,"progress":"1"})",
       "note: progress that is not a number"},
      {"a token of another type", "progress", R"({"progressToken":"2","progress":1})",
       R"(note: progress of a token that was not given: `"2"`)"},
      {"a token nobody gave", "progress", R"({"progressToken":77,"progress":1})",
       "note: progress of a token that was not given: `77`"},
      {"of a request that wants none", "progress", R"({"progressToken":3,"progress":1})",
       "note: progress of a token that was not given: `3`"},
      {"of one that is over: the two crossed", "progress", R"({"progressToken":1,"progress":1})",
       ""},
      {"no token", "progress", R"({"progress":1})",
       "note: progress of a token that was not given: `null`"},
      {"params of another kind", "progress", "[]",
       "note: progress of a token that was not given: `null`"},
      {"a log message", "message", R"({"level":"info","data":{"n":9007199254740993}})",
       R"(logged 0 {"level":"info","data":{"n":9007199254740993}})"},
      {"a log message without params", "message", "7", "note: a log message without params"},
      {"tools", "tools/list_changed", "{}", "changed tools/list"},
      {"resources", "resources/list_changed", "{}", "changed resources/list"},
      {"prompts", "prompts/list_changed", "{}", "changed prompts/list"},
      {"a resource", "resources/updated", R"({"uri":"file:///a b"})", "updated file:///a b"},
      {"a resource without a name", "resources/updated", "{}",
       "note: `notifications/resources/updated` without a `uri`"},
      {"a request of ours", "cancelled", R"({"requestId":2})",
       "note: cancels a request, which is not the server's to do"},
      {"what is not known", "elicitation/complete", "{}", ""},
  };
  for (const Case& c : kCases) {
    ClientDriver server;
    server.Modern();
    server.Ask({.method = "m", .params = "{}", .want_progress = true});
    server.Call();
    const ClientDriver::Lines lines =
        server.Notice(absl::StrCat("notifications/", c.method), c.params);
    if (*c.line == '\0') {
      EXPECT_THAT(lines, IsEmpty()) << c.reason;
    } else {
      EXPECT_THAT(lines, ElementsAre(c.line)) << c.reason;
    }
    EXPECT_EQ(server.session().requests_in_flight(), 2u) << c.reason;
  }
}

TEST(ClientNotices, ProgressEndsWithTheRequest) {
  ClientDriver server;
  server.Modern();
  server.Ask({.method = "m", .params = "{}", .want_progress = true});
  server.Cancel(1);
  EXPECT_THAT(server.Notice("notifications/progress", R"({"progressToken":2,"progress":1})"),
              IsEmpty());
}

TEST(ClientNotices, ASubscriptionMayBeEndedByTheServer) {
  ClientDriver server;
  server.Modern();
  server.Ask({.method = "subscriptions/listen", .params = R"({"notifications":{}})"});
  EXPECT_THAT(server.Notice("notifications/cancelled", R"({"requestId":2})"),
              ElementsAre("unanswered 1 sent: the server ended the subscription"));
  EXPECT_EQ(server.session().requests_in_flight(), 0u);
}

TEST(ClientNotices, NotesAreBounded) {
  ClientDriver server;
  server.Modern();
  int notes = 0;
  std::string last;
  for (int i = 0; i < 1000; ++i) {
    for (const std::string& line : server.Says("babble")) {
      ++notes;
      last = line;
    }
  }
  EXPECT_EQ(notes, kMaxPeerNotes + 1);
  EXPECT_EQ(last, "note: there is more that the server says out of turn; it is not noted");
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})"),
              ElementsAre(HasSubstr("reply")))
      << "answered all the same";
  server.Gone();
  server.Connected();
  EXPECT_THAT(server.Says("babble"), ElementsAre(HasSubstr("babble"))) << "of each connection";
}

}  // namespace
}  // namespace tipstaff::mcp
