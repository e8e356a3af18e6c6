// Over HTTP each request has a response of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "mediator/mcp/testing/client_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

ClientDriver Http() { return ClientDriver(Wire::kHttp); }

TEST(ClientHttp, FallsToInitializeOnTheSameConnection) {
  struct Case {
    const char* reason;
    std::function<ClientDriver::Lines(ClientDriver&)> event;
    std::vector<std::string> lines;
  };
  const Case kCases[] = {
      {"a legacy server that knows no session",
       [](ClientDriver& s) { return s.Fails(400, "bad"); },
       {"note: `server/discover`: HTTP 400", "request 2 initialize"}},
      {"the end point is not there",
       [](ClientDriver& s) { return s.Fails(404); },
       {"note: `server/discover`: HTTP 404", "request 2 initialize"}},
      {"no connection",
       [](ClientDriver& s) { return s.Fails(0, "connection refused", false); },
       {"note: `server/discover`: connection refused", "request 2 initialize"}},
      {"an error in the body",
       [](ClientDriver& s) { return s.Fails(400, s.ErrorBody(-32000, "no session")); },
       {"note: `server/discover`: error -32000 `no session`", "request 2 initialize"}},
      {"an error in the body, of no id",
       [](ClientDriver& s) { return s.Fails(400, ErrorMessage("", -32000, "no session")); },
       {"note: `server/discover`: error -32000 `no session`", "request 2 initialize"}},
      {"the unsupported version with versions of ours",
       [](ClientDriver& s) {
         return s.Fails(400, s.ErrorBody(kUnsupportedVersion, "m",
                                         R"({"supported":["2026-07-28"],"requested":"x"})"));
       },
       {"request 2 server/discover"}},
      {"the unsupported version with others",
       [](ClientDriver& s) {
         return s.Fails(400, s.ErrorBody(kUnsupportedVersion, "m", R"({"supported":["x"]})"));
       },
       {"unusable: the server speaks only versions that are not known here: `x`"}},
      {"an answer with a wrong status",
       [](ClientDriver& s) { return s.Fails(500, R"({"jsonrpc":"2.0","id":1,"result":{}})"); },
       {"note: `server/discover`: HTTP 500", "request 2 initialize"}},
      {"an empty response",
       [](ClientDriver& s) { return s.Ends(); },
       {"note: `server/discover`: the response ended without an answer", "request 2 initialize"}},
      {"silence",
       [](ClientDriver& s) { return s.After(kProbeTime); },
       {"forget 1", "note: `server/discover`: no answer within 10s", "request 2 initialize"}},
  };
  for (const Case& c : kCases) {
    ClientDriver server = Http();
    server.Start();
    EXPECT_EQ(c.event(server), c.lines) << c.reason;
  }
}

TEST(ClientHttp, GivesUpWhenInitializeFailsToo) {
  ClientDriver server = Http();
  server.Call();
  server.Start();
  server.Fails(0, "connection refused\n", false);
  EXPECT_THAT(server.Fails(401, "who are you"),
              ElementsAre("unanswered 1 unsent: `initialize`: HTTP 401",
                          "unusable: `initialize`: HTTP 401"));
}

// Request 2 of a modern server, 3 of a legacy one, with ticket 1; nothing came of it over HTTP.
TEST(ClientHttp, FailuresEndARequest) {
  struct Case {
    const char* reason;
    int status;
    const char* body;
    bool sent;
    const char* line;
  };
  const Case kCases[] = {
      {"an error as modern servers give it", 404,
       R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"m"}})", true,
       "error 1 -32601 m"},
      {"an error of no id", 400, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32020}})", true,
       "error 1 -32020 "},
      {"an error of another request", 400,
       R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"m"}})", true,
       "unanswered 1 sent: HTTP 400"},
      {"a result where none may be", 500, R"({"jsonrpc":"2.0","id":2,"result":{}})", true,
       "unanswered 1 sent: HTTP 500"},
      {"the server's failure", 502, "<html>", true, "unanswered 1 sent: HTTP 502"},
      {"a redirect, which is not followed", 302, "", true, "unanswered 1 unsent: HTTP 302"},
      {"no permission", 401, "", true, "unanswered 1 unsent: HTTP 401"},
      {"too large", 413, "", true, "unanswered 1 unsent: HTTP 413"},
      {"it may have been taken before the time was over", 408, "", true,
       "unanswered 1 sent: HTTP 408"},
      {"no connection", 0, "connection refused", false, "unanswered 1 unsent: connection refused"},
      {"a connection that broke", 0, "reset\x1b", true, R"(unanswered 1 sent: reset\x1b)"},
      {"an answer without a status is none", 0,
       R"({"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"m"}})", false,
       R"(unanswered 1 unsent: {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"m"}})"},
  };
  for (const Case& c : kCases) {
    ClientDriver server = Http();
    server.Modern();
    server.Call();
    EXPECT_THAT(server.Fails(c.status, c.body, c.sent), ElementsAre(c.line)) << c.reason;
    EXPECT_THAT(server.Fails(c.status, c.body, c.sent), IsEmpty()) << c.reason << ": once";
    EXPECT_THAT(server.Ends(), IsEmpty()) << c.reason << ": once";
    EXPECT_TRUE(server.session().ready()) << c.reason;
  }
}

TEST(ClientHttp, AResponseWithoutAnAnswerIsNone) {
  ClientDriver server = Http();
  server.Modern();
  server.Call();
  EXPECT_THAT(server.Ends(),
              ElementsAre("unanswered 1 sent: the response ended without an answer"));
  server.Call();
  server.Result("{}");
  EXPECT_THAT(server.Ends(), IsEmpty());
}

TEST(ClientHttp, AnswersCountInTheirOwnResponseOnly) {
  ClientDriver server = Http();
  server.Modern();
  server.Call();
  server.Call();
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":2,"result":{"n":2}})", 3),
              ElementsAre("note: an answer to request `2` in another's response"));
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":2,"result":{"n":2}})", 0),
              ElementsAre("note: an answer to request `2` in another's response"));
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":2,"result":{"n":2}})", 2),
              ElementsAre(R"(answered 1 {"n":2})"));
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","error":{"code":5,"message":"m"}})", 3),
              ElementsAre("error 2 5 m"))
      << "there is no doubt whose it is";
}

TEST(ClientHttp, NoticesBelongToTheirResponse) {
  ClientDriver server = Http();
  server.Modern();
  server.Ask({.method = "a", .params = "{}", .want_progress = true});
  server.Ask({.method = "b", .params = "{}", .want_progress = true});
  const char* kProgress = R"({"progressToken":2,"progress":1})";
  EXPECT_THAT(server.Notice("notifications/progress", kProgress, 2),
              ElementsAre("progress 1 1/0 "));
  EXPECT_THAT(server.Notice("notifications/progress", kProgress, 0), ElementsAre("progress 1 1/0 "))
      << "on the stream of the session";
  EXPECT_THAT(server.Notice("notifications/progress", kProgress, 3),
              ElementsAre("note: progress of a request in another's response"));
  EXPECT_THAT(server.Notice("notifications/message", R"({"data":1})", 3),
              ElementsAre(R"(logged 2 {"data":1})"));
  EXPECT_THAT(server.Notice("notifications/message", R"({"data":1})", 0),
              ElementsAre(R"(logged 0 {"data":1})"));
}

TEST(ClientHttp, CancellingClosesTheStream) {
  ClientDriver modern = Http();
  modern.Modern();
  modern.Call();
  EXPECT_THAT(modern.Cancel(1), ElementsAre("forget 2")) << "which is what tells the server";
  ClientDriver legacy = Http();
  legacy.Legacy();
  legacy.Call();
  EXPECT_THAT(legacy.Cancel(1), ElementsAre("notify notifications/cancelled", "forget 3"));
}

TEST(ClientHttp, ASessionThatIsGoneIsOpenedAnewAndNothingRepeated) {
  ClientDriver server = Http();
  server.Legacy();
  server.Call();
  server.Call();
  constexpr char kWhy[] = "the server knows the session no more (HTTP 404)";
  EXPECT_THAT(
      server.Fails(404, server.ErrorBody(-32001, "Session not found")),
      ElementsAre(absl::StrCat("unanswered 2 unsent: ", kWhy), "forget 3",
                  absl::StrCat("unanswered 1 sent: ", kWhy), absl::StrCat("reconnect: ", kWhy)));
  EXPECT_THAT(server.Call(), IsEmpty()) << "waits";
  EXPECT_THAT(server.Connected(), ElementsAre("request 5 initialize"));
  EXPECT_EQ(server.sent().version, "");
  EXPECT_THAT(
      server.Result(ClientDriver::kInitialized),
      ElementsAre("notify notifications/initialized", "request 6 tools/call", "ready 2025-06-18"));
}

}  // namespace
}  // namespace tipstaff::mcp
