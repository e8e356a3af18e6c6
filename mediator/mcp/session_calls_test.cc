// Requests that take time: tickets, cancellation, progress, answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/testing/session_driver.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kGood[] = R"({"content":[{"type":"text","text":"hi"}]})";

class Calls : public ::testing::Test {
 protected:
  Calls() { driver_.Initialize(); }

  uint64_t Call(absl::string_view id, absl::string_view params = R"({"name":"a"})") {
    driver_.Request(id, "tools/call", params);
    EXPECT_THAT(driver_.calls, SizeIs(1));
    return driver_.calls.empty() ? 0 : driver_.calls[0].ticket;
  }
  void End(uint64_t ticket, const CallEnd& end) {
    driver_.Take(driver_.session().OnCallEnd(ticket, end));
  }
  void Progress(uint64_t ticket, const CallProgress& progress) {
    driver_.Take(driver_.session().OnProgress(ticket, progress));
  }

  SessionDriver driver_;
};

TEST_F(Calls, PassesNameAndArgumentsOn) {
  driver_.Request("1", "tools/call", R"({"name":"a.b","arguments":{"z":1,"a":{"k":[null]}}})");
  ASSERT_THAT(driver_.calls, SizeIs(1));
  EXPECT_EQ(driver_.calls[0].name, "a.b");
  EXPECT_EQ(driver_.calls[0].arguments, R"({"z":1,"a":{"k":[null]}})");
  EXPECT_FALSE(driver_.calls[0].want_progress);
  driver_.Request("2", "tools/call", R"({"name":"s\u0435nd\u200b","task":{"ttl":1}})");
  ASSERT_THAT(driver_.calls, SizeIs(1)) << "the mediator judges names";
  EXPECT_EQ(driver_.calls[0].arguments, "{}");
  driver_.Request("3", "tools/call", absl::StrCat(R"({"name":")", std::string(300, 'a'), R"("})"));
  EXPECT_EQ(driver_.ErrorCode(), kInvalidParams);
}

TEST_F(Calls, AnswersGoToTheirOwnIds) {
  const uint64_t first = Call("9007199254740993"), second = Call("\"9007199254740993\"");
  End(second, {R"({"content":[],"n":2})"});
  EXPECT_EQ(driver_.sent[0],
            R"({"jsonrpc":"2.0","id":"9007199254740993","result":{"content":[],"n":2}})");
  End(first, {R"({"content":[],"n":1})"});
  EXPECT_EQ(driver_.sent[0],
            R"({"jsonrpc":"2.0","id":9007199254740993,"result":{"content":[],"n":1}})");
  End(first, {kGood});
  EXPECT_THAT(driver_.sent, IsEmpty()) << "answered already";
}

TEST_F(Calls, RefusesAnIdThatIsInFlight) {
  const uint64_t ticket = Call("1");
  for (const char* method : {"tools/call", "ping", "tools/list"}) {
    driver_.Request("1", method, R"({"name":"b"})");
    EXPECT_EQ(driver_.ErrorCode(), kInvalidRequest) << method;
    EXPECT_FALSE(driver_.Answer().root().Find("id").exists())
        << "with the id it would be taken for the first request's answer";
    EXPECT_THAT(driver_.calls, IsEmpty());
  }
  End(ticket, {kGood});
  EXPECT_EQ(driver_.ErrorCode(), 0);
  EXPECT_NE(Call("1"), ticket) << "free again after the answer, under a new ticket";
}

TEST_F(Calls, BoundsRequestsInFlight) {
  uint64_t first = 0;
  for (size_t i = 0; i < kMaxRequestsInFlight; ++i) {
    const uint64_t ticket = Call(absl::StrCat(i));
    if (i == 0) first = ticket;
  }
  driver_.Request("9999", "tools/call", R"({"name":"a"})");
  EXPECT_EQ(driver_.ErrorCode(), kInternalError);
  EXPECT_THAT(driver_.sent[0], HasSubstr("at most 256"));
  End(first, {kGood});
  Call("9999");
}

TEST_F(Calls, CancelledCallsAreNeverAnswered) {
  const uint64_t ticket = Call("1", R"({"name":"a","_meta":{"progressToken":1}})");
  driver_.Request("", "notifications/cancelled", R"({"requestId":1,"reason":"bored"})");
  EXPECT_THAT(driver_.cancels, ElementsAre(ticket));
  EXPECT_THAT(driver_.sent, IsEmpty());
  Progress(ticket, {1});
  EXPECT_THAT(driver_.sent, IsEmpty());
  End(ticket, {kGood});
  EXPECT_THAT(driver_.sent, IsEmpty());
  EXPECT_EQ(driver_.session().requests_in_flight(), 0u);
}

TEST_F(Calls, CancellationsOfNothingAreIgnored) {
  const uint64_t ticket = Call("1");
  for (const char* params : {R"({"requestId":"1"})", R"({"requestId":2})", R"({"requestId":null})",
                             R"({"requestId":[1]})", "{}", "[]"}) {
    driver_.Request("", "notifications/cancelled", params);
    EXPECT_THAT(driver_.cancels, IsEmpty()) << params;
    EXPECT_THAT(driver_.sent, IsEmpty()) << params;
  }
  End(ticket, {kGood});
  EXPECT_THAT(driver_.sent, SizeIs(1));
}

TEST_F(Calls, CancelsLists) {
  driver_.Request("1", "tools/list");
  ASSERT_THAT(driver_.lists, SizeIs(1));
  const uint64_t ticket = driver_.lists[0].ticket;
  driver_.Request("", "notifications/cancelled", R"({"requestId":1})");
  EXPECT_THAT(driver_.cancels, ElementsAre(ticket));
  driver_.Take(driver_.session().OnList(ticket, std::make_shared<Catalog>()));
  EXPECT_THAT(driver_.sent, IsEmpty());
}

TEST_F(Calls, ProgressCarriesTheClientsToken) {
  const uint64_t ticket = Call("1", R"({"name":"a","_meta":{"progressToken":9007199254740993}})");
  EXPECT_TRUE(driver_.calls[0].want_progress);
  Progress(ticket, {0.5, 2, "half"});
  EXPECT_EQ(json::Dump(driver_.Answer().root()),
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
            R"({"progressToken":9007199254740993,"progress":0.5,"total":2,"message":"half"}})");
  Progress(ticket, {1, 0, ""});
  EXPECT_EQ(json::Dump(driver_.Answer().root().Find("params")),
            R"({"progressToken":9007199254740993,"progress":1})");
  Progress(ticket, {1, 0, "again"});
  EXPECT_THAT(driver_.sent, IsEmpty()) << "progress has to grow";
  Progress(ticket, {std::numeric_limits<double>::infinity(), 0, ""});
  EXPECT_THAT(driver_.sent, IsEmpty()) << "no JSON for it";
  End(ticket, {kGood});
  Progress(ticket, {2, 0, ""});
  EXPECT_THAT(driver_.sent, IsEmpty()) << "over";
}

TEST_F(Calls, NoProgressWithoutAToken) {
  Progress(Call("1"), {1});
  EXPECT_THAT(driver_.sent, IsEmpty());
}

TEST_F(Calls, ARefusalIsAResult) {
  End(Call("1"), {R"({"content":[{"type":"text","text":"no"}],"isError":true})",
                  Decision{"run_a#7", "deny", "out_of_scope", false}});
  EXPECT_EQ(driver_.sent[0],
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no"}],)"
            R"("isError":true,"_meta":{"tipstaff/decision":{"id":"run_a#7","verdict":"deny",)"
            R"("reason":"out_of_scope","retry":false}}}})");
}

TEST_F(Calls, AnUnknownToolIsAnError) {
  End(Call("1", R"({"name":"no\u001bpe"})"),
      {R"({"content":[],"isError":true})", Decision{"run_a#7", "deny", "unknown_tool", false}});
  EXPECT_EQ(driver_.sent[0],
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":)"
            R"("unknown tool: `no\\x1bpe`","data":{"tipstaff/decision":{"id":"run_a#7",)"
            R"("verdict":"deny","reason":"unknown_tool","retry":false}}}})");
}

TEST_F(Calls, ABackendsOwnUnknownToolResultIsPassedOn) {
  End(Call("1"), {R"({"content":[{"type":"text","text":"unknown tool"}],"isError":true})",
                  Decision{"run_a#7", "allow", "permitted", false}});
  EXPECT_TRUE(driver_.Answer().root().Find("result").BoolOr("isError", false));
}

TEST_F(Calls, AResultThatIsNoneIsAnInternalError) {
  for (const char* result : {"", "{", "[]", "\"x\""}) {
    End(Call("1"), {result, Decision{"run_a#7", "allow", "permitted", false}});
    EXPECT_EQ(driver_.ErrorCode(), kInternalError) << result;
  }
}

}  // namespace
}  // namespace tipstaff::mcp
