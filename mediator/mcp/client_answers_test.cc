#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/mcp/testing/client_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// In each case request 2 is out, with ticket 1, and the server says `answer` about it.
TEST(ClientAnswers, EndARequestOnce) {
  struct Case {
    const char* reason;
    const char* answer;
    const char* line;
    bool ends = true;
  };
  const Case kCases[] = {
      {"a result, as it came",
       R"("id":2,"result":{"b":1,"a":9007199254740993,"resultType":"complete"})",
       R"(answered 1 {"b":1,"a":9007199254740993,"resultType":"complete"})"},
      {"without a type: complete", R"("id":2,"result":{})", "answered 1 {}"},
      {"a result of a tool's failure", R"("id":2,"result":{"isError":true,"content":[]})",
       R"(answered 1 {"isError":true,"content":[]})"},
      {"an error",
       R"("id":2,"error":{"code":-32602,"message":"Unknown tool\u0007","data":{"n":1}})",
       "error 1 -32602 Unknown tool\a {\"n\":1}"},
      {"an error without words", R"("id":2,"error":{"code":5})", "error 1 5 "},
      {"an error whose words are none", R"("id":2,"error":{"code":5,"message":[]})", "error 1 5 "},
      {"input wanted", R"("id":2,"result":{"resultType":"input_required","inputRequests":{}})",
       "unanswered 1 sent: the server asks for input, which is declined"},
      {"a type to come", R"("id":2,"result":{"resultType":"task"})",
       "unanswered 1 sent: the server's result is of another type: `task`"},
      {"a type of another kind", R"("id":2,"result":{"resultType":null})",
       "unanswered 1 sent: the server's result is of another type: ``"},
      {"a result that is no object", R"("id":2,"result":"done")",
       "unanswered 1 sent: the server's answer is of no use: its result is not an object"},
      {"a null result", R"("id":2,"result":null)",
       "unanswered 1 sent: the server's answer is of no use: its result is not an object"},
      {"both", R"("id":2,"result":{},"error":{"code":1,"message":""})",
       "unanswered 1 sent: the server's answer is of no use: it has both a result and an error"},
      {"neither", R"("id":2)",
       "unanswered 1 sent: the server's answer is of no use: it has neither a result nor an error"},
      {"an error that is no object", R"("id":2,"error":"no")",
       "unanswered 1 sent: the server's answer is of no use: its error is not an object"},
      {"an error without a code", R"("id":2,"error":{"message":"no"})",
       "unanswered 1 sent: the server's answer is of no use: its error's `code` is not an integer "
       "of 32 bits"},
      {"a code that an int cannot hold", R"("id":2,"error":{"code":4294967296,"message":"no"})",
       "unanswered 1 sent: the server's answer is of no use: its error's `code` is not an integer "
       "of 32 bits"},
      {"an id of another type", R"("id":"2","result":{})",
       R"(note: an answer that nobody waits for, of id `"2"`)", false},
      {"an id that nobody gave", R"("id":3,"result":{})",
       "note: an answer that nobody waits for, of id `3`", false},
      {"the probe's id again", R"("id":1,"result":{})",
       "note: an answer that nobody waits for, of id `1`", false},
      {"a negative id", R"("id":-2,"result":{})",
       "note: an answer that nobody waits for, of id `-2`", false},
      {"an id beyond all", R"("id":18446744073709551615,"result":{})",
       "note: an answer that nobody waits for, of id `18446744073709551615`", false},
      {"an id that is no id", R"("id":[2],"result":{})",
       R"x(note: a message whose id is neither a string nor an integer: `{"jsonrpc":"2.0","id":[2],"result":{}}`)x",
       false},
      {"a null id", R"("id":null,"result":{})",
       R"x(note: an answer without an id: `{"jsonrpc":"2.0","id":null,"result":{}}`)x", false},
      {"an error with a null id", R"("id":null,"error":{"code":-32700,"message":"m"})",
       "note: an answer that nobody waits for, of id ``", false},
      {"an answer that is a request, too", R"("id":2,"method":"ping","result":{})",
       R"x(note: neither a request nor a notification nor an answer: `{"jsonrpc":"2.0","id":2,"method":"ping","result":{}}`)x",
       false},
  };
  for (const Case& c : kCases) {
    ClientDriver server;
    server.Modern();
    ASSERT_THAT(server.Call(), ElementsAre("request 2 tools/call"));
    const std::string message = absl::StrCat(R"({"jsonrpc":"2.0",)", c.answer, "}");
    EXPECT_THAT(server.Says(message), ElementsAre(c.line)) << c.reason;
    EXPECT_EQ(server.session().requests_in_flight(), c.ends ? 0u : 1u) << c.reason;
    if (c.ends) {
      EXPECT_THAT(server.Result("{}"),
                  ElementsAre("note: an answer that nobody waits for, of id `2`"))
          << c.reason << ": a second answer is none";
    } else {
      EXPECT_THAT(server.Result("{}"), ElementsAre("answered 1 {}")) << c.reason;
    }
  }
}

TEST(ClientAnswers, AreNotHeardInWhatIsNoMessage) {
  const std::pair<const char*, const char*> kCases[] = {
      {"an array body", R"([{"jsonrpc":"2.0","id":2,"result":{}}])"},
      {"a banner", "Listening on stdio"},
      {"a duplicate id", R"({"jsonrpc":"2.0","id":2,"id":2,"result":{}})"},
      {"half a message", R"({"jsonrpc":"2.0","id":2,"result":)"},
      {"two in a line", R"({"jsonrpc":"2.0","id":2,"result":{}}{})"},
      {"a number that is not exact", R"({"jsonrpc":"2.0","id":2,"result":{"n":1e999}})"},
      {"bytes that are no text", "\xff\xfe\x00"},
      {"a string", R"("result")"},
      {"nothing", ""},
  };
  for (const auto& [reason, bytes] : kCases) {
    ClientDriver server;
    server.Modern();
    server.Call();
    EXPECT_THAT(server.Says(bytes), ElementsAre(HasSubstr("note: no message"))) << reason;
    EXPECT_EQ(server.session().requests_in_flight(), 1u) << reason;
  }
  ClientDriver server;
  server.Modern();
  server.Call();
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(server.Says(absl::StrCat(R"({"jsonrpc":"2.0","id":2,"result":{"x":)", deep, "}}")),
              ElementsAre(HasSubstr("nested deeper")));
}

TEST(ClientAnswers, AnotherJsonRpcVersionIsOfNoUse) {
  ClientDriver server;
  server.Modern();
  server.Call();
  EXPECT_THAT(server.Says(R"({"jsonrpc":"1.0","id":2,"result":{}})"),
              ElementsAre("unanswered 1 sent: the server's answer is of no use: its `jsonrpc` is "
                          "not \"2.0\""));
}

TEST(ClientAnswers, GoToWhoAskedWhateverTheOrder) {
  ClientDriver server;
  server.Modern();
  for (int i = 0; i < 3; ++i) server.Call();
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":4,"result":{"n":4}})"),
              ElementsAre(R"(answered 3 {"n":4})"));
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":2,"result":{"n":2}})"),
              ElementsAre(R"(answered 1 {"n":2})"));
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":3,"result":{"n":3}})"),
              ElementsAre(R"(answered 2 {"n":3})"));
}

TEST(ClientAnswers, LegacyResultsMayHaveATypeOfTheirOwn) {
  ClientDriver server;
  server.Legacy();
  server.Call();
  EXPECT_THAT(server.Result(R"({"resultType":"table"})"),
              ElementsAre(R"(answered 1 {"resultType":"table"})"));
  server.Call();
  EXPECT_THAT(server.Result(R"({"resultType":"input_required"})"),
              ElementsAre("unanswered 2 sent: the server asks for input, which is declined"));
}

TEST(ClientAnswers, OfWhatIsCancelledAreNothingToNote) {
  ClientDriver server;
  server.Modern();
  server.Call();
  server.Cancel(1);
  EXPECT_THAT(server.Result("{}"), IsEmpty()) << "the two crossed";
  EXPECT_THAT(server.Result("{}"), ElementsAre(HasSubstr("nobody waits for")));
}

TEST(ClientAnswers, AreNotToBeHadOfAConnectionThatIsGone) {
  ClientDriver server;
  server.Modern();
  server.Call();
  server.List(ListKind::kTools);
  EXPECT_THAT(server.Gone("killed by signal 9"),
              ElementsAre("unanswered 1 sent: killed by signal 9",
                          "unanswered 2 sent: killed by signal 9"));
  EXPECT_THAT(server.Call(), ElementsAre("unanswered 3 unsent: there is no connection"));
  EXPECT_THAT(server.Connected(), ElementsAre("request 4 server/discover"));
  EXPECT_THAT(server.Call(), IsEmpty());
  EXPECT_THAT(server.Says(R"({"jsonrpc":"2.0","id":2,"result":{}})"),
              ElementsAre("note: an answer that nobody waits for, of id `2`"));
  EXPECT_THAT(server.Says(absl::StrCat(R"({"jsonrpc":"2.0","id":4,"result":)",
                                       ClientDriver::kDiscovered, "}")),
              ElementsAre("request 5 tools/call", "ready 2026-07-28"));
}

TEST(ClientAnswers, ListsAreDrained) {
  ClientDriver server;
  server.Modern();
  EXPECT_THAT(server.List(ListKind::kTools), ElementsAre("request 2 tools/list"));
  EXPECT_THAT(server.Result(R"({"tools":[{"name":"a"}],"nextCursor":""})"),
              ElementsAre("request 3 tools/list"));
  EXPECT_THAT(server.sent().message, HasSubstr(R"("cursor":"")")) << "an empty cursor is one";
  EXPECT_THAT(server.sent().message, HasSubstr(R"("_meta":{"io.modelcontextprotocol/)"));
  EXPECT_THAT(server.Result(R"({"tools":[],"nextCursor":"p\n2"})"),
              ElementsAre("request 4 tools/list"));
  EXPECT_THAT(server.sent().message, HasSubstr(R"("cursor":"p\n2")"));
  EXPECT_THAT(server.Result(R"({"tools":[{"name":"b","n":9007199254740993}]})"),
              ElementsAre(R"(listed 1 {"name":"a"},{"name":"b","n":9007199254740993})"));
}

TEST(ClientAnswers, ListsThatAreNoneEndWithAnError) {
  struct Case {
    const char* reason;
    std::vector<const char*> pages;
    const char* line;
  };
  const Case kCases[] = {
      {"a cursor twice",
       {R"({"prompts":[],"nextCursor":"a"})", R"({"prompts":[],"nextCursor":"b"})",
        R"({"prompts":[],"nextCursor":"a"})"},
       "not listed 1: `prompts/list`: the cursor `a` comes again: the list has no end"},
      {"an item that is no object",
       {R"({"prompts":[{},7]})"},
       "not listed 1: `prompts/list`: item 1 of `prompts` is not an object"},
      {"no items", {"{}"}, "not listed 1: `prompts/list`: `prompts` is missing"},
      {"input wanted",
       {R"({"resultType":"input_required"})"},
       "unanswered 1 sent: the server asks for input, which is declined"},
  };
  for (const Case& c : kCases) {
    ClientDriver server;
    server.Modern();
    server.List(ListKind::kPrompts);
    ClientDriver::Lines last;
    for (const char* page : c.pages) last = server.Result(page);
    EXPECT_THAT(last, ElementsAre(c.line)) << c.reason;
    EXPECT_EQ(server.session().requests_in_flight(), 0u) << c.reason;
  }
  ClientDriver server;
  server.Modern();
  server.List(ListKind::kResourceTemplates);
  EXPECT_THAT(server.Error(kMethodNotFound, "none"),
              ElementsAre("not listed 1: `resources/templates/list`: error -32601 `none`"));
  EXPECT_TRUE(server.session().ready()) << "the connection stays";
}

}  // namespace
}  // namespace tipstaff::mcp
