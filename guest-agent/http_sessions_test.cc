// Sessions without sockets: their ends, and what must not be mixed up.
#include "guest-agent/http_sessions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "guest-agent/limits.h"
#include "mediator/json/write.h"

namespace tipstaff::guest_agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FakeResponse final : public HttpResponse {
 public:
  void AddHeader(absl::string_view, absl::string_view value) override {
    session = std::string(value);
  }
  void Answer(const mcp::HttpAnswer& answer) override {
    status = answer.status;
    body = answer.body;
    ++ends;
  }
  void Event(absl::string_view message, bool) override { events.emplace_back(message); }
  void Stream() override { streaming = true; }
  void End() override { ++ends; }
  void KeepAlive() override { ++kept_alive; }

  std::string session, body;
  int status = 0, ends = 0, kept_alive = 0;
  bool streaming = false;
  std::vector<std::string> events;
};
using Response = std::shared_ptr<FakeResponse>;

class HttpSessionsTest : public ::testing::Test, protected Wishes {
 protected:
  HttpSessionsTest() : clock_(absl::FromUnixSeconds(1000)) {}

  void List(const mcp::WantList& list, const mcp::ClientInfo&) override { lists_.push_back(list); }
  void Call(const mcp::WantCall& call, const mcp::ClientInfo&) override { calls_.push_back(call); }
  void Cancel(uint64_t ticket) override { cancelled_.push_back(ticket); }
  void Note(absl::string_view) override {}

  Response Request(const std::string& method, const std::string& session,
                   const std::string& body = "") {
    mcp::HttpHead head = {method, "/mcp", {}};
    if (!session.empty()) head.headers.emplace_back("mcp-session-id", session);
    auto response = std::make_shared<FakeResponse>();
    sessions_.OnRequest(response, head, body);
    return response;
  }
  // Answers every list that is wanted.
  void AnswerLists() {
    for (const mcp::WantList& list : std::exchange(lists_, {})) {
      sessions_.OnList(list.ticket, std::make_shared<const mcp::Catalog>());
    }
  }
  std::string Initialize() {
    const Response response = Request("POST", "",
                                      R"({"jsonrpc":"2.0","id":0,"method":"initialize",)"
                                      R"("params":{"protocolVersion":"2025-11-25"}})");
    AnswerLists();
    EXPECT_THAT(response->body, HasSubstr("protocolVersion"));
    return response->session;
  }
  static std::string CallBody(int id) {
    return absl::StrCat(R"({"jsonrpc":"2.0","id":)", id,
                        R"(,"method":"tools/call","params":{"name":"t"}})");
  }
  Response ModernCall() {
    const mcp::HttpHead head = {
        "POST",
        "/mcp",
        {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "t"}}};
    auto response = std::make_shared<FakeResponse>();
    sessions_.OnRequest(
        response, head,
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
    return response;
  }

  base::FakeClock clock_;
  HttpSessions sessions_{{"s", "1", ""}, *this, clock_};
  std::vector<mcp::WantList> lists_;
  std::vector<mcp::WantCall> calls_;
  std::vector<uint64_t> cancelled_;
};

TEST_F(HttpSessionsTest, EndWhenTheyAreIdleForLong) {
  const std::string idle = Initialize(), used = Initialize(), streaming = Initialize();
  const Response stream = Request("GET", streaming);
  EXPECT_TRUE(stream->streaming);
  clock_.Advance(kHttpSessionIdle);
  Request("POST", used, CallBody(1));
  clock_.Advance(absl::Seconds(1));
  sessions_.OnTime();
  EXPECT_EQ(Request("DELETE", idle)->status, 404);
  EXPECT_EQ(stream->kept_alive, 1);
  EXPECT_EQ(sessions_.sessions(), 2u);
  clock_.Advance(kHttpSessionIdle + absl::Seconds(1));
  sessions_.OnTime();
  EXPECT_EQ(sessions_.sessions(), 2u) << "a call under way, an open stream";
  sessions_.OnCallEnd(calls_.at(0).ticket, {R"({"content":[]})"});
  sessions_.OnGone(stream);
  clock_.Advance(kHttpSessionIdle + absl::Seconds(1));
  sessions_.OnTime();
  EXPECT_EQ(sessions_.sessions(), 0u);
}

TEST_F(HttpSessionsTest, WhenAllAreInUseThereIsNoRoom) {
  for (size_t i = 0; i < kMaxHttpSessions; ++i) Request("GET", Initialize());
  const Response response =
      Request("POST", "", R"({"jsonrpc":"2.0","id":7,"method":"initialize","params":{}})");
  EXPECT_EQ(response->status, 503);
  EXPECT_THAT(response->body, HasSubstr(R"("id":7)"));
  EXPECT_THAT(response->body, HasSubstr("all 64 sessions are in use"));
}

TEST_F(HttpSessionsTest, TheOldestIdleOneMakesRoom) {
  std::vector<std::string> names;
  for (size_t i = 0; i < kMaxHttpSessions; ++i) {
    names.push_back(Initialize());
    clock_.Advance(absl::Seconds(1));
  }
  Request("POST", names[0], R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  Initialize();
  EXPECT_EQ(sessions_.sessions(), kMaxHttpSessions);
  EXPECT_EQ(Request("POST", names[1], CallBody(1))->status, 404);
  EXPECT_EQ(Request("POST", names[0], R"({"jsonrpc":"2.0","id":2,"method":"ping"})")->status, 200)
      << "it was used since";
}

// repeated `initialize`: answered by the guest agent
TEST_F(HttpSessionsTest, ARepeatedInitializeStaysInItsSession) {
  const std::string session = Initialize();
  const Response again = Request("POST", session,
                                 R"({"jsonrpc":"2.0","id":1,"method":"initialize",)"
                                 R"("params":{"protocolVersion":"2030-01-01"}})");
  AnswerLists();
  EXPECT_THAT(again->body, HasSubstr("2025-11-25"));
  EXPECT_EQ(again->session, "") << "no new name";
  EXPECT_EQ(sessions_.sessions(), 1u);
}

TEST_F(HttpSessionsTest, AnswersGoToTheResponseOfTheirRequest) {
  const std::string one = Initialize(), two = Initialize();
  const Response a = Request("POST", one, CallBody(1)), b = Request("POST", two, CallBody(1)),
                 c = Request("POST", one, CallBody(2));
  ASSERT_THAT(calls_, SizeIs(3));
  sessions_.OnCallEnd(calls_[1].ticket, {R"({"content":[],"n":"b"})"});
  sessions_.OnCallEnd(calls_[2].ticket, {R"({"content":[],"n":"c"})"});
  sessions_.OnCallEnd(calls_[0].ticket, {R"({"content":[],"n":"a"})"});
  EXPECT_THAT(a->body, HasSubstr(R"("n":"a")"));
  EXPECT_THAT(b->body, HasSubstr(R"("n":"b")"));
  EXPECT_THAT(c->body, HasSubstr(R"("n":"c")"));
  for (const Response& response : {a, b, c}) EXPECT_EQ(response->ends, 1);
}

TEST_F(HttpSessionsTest, ChangesGoToTheStreamsOfSessions) {
  const std::string one = Initialize(), two = Initialize();
  const Response stream = Request("GET", one);
  const Response call = Request("POST", two, CallBody(1));
  sessions_.OnChange({mcp::Change::What::kTools});
  EXPECT_THAT(stream->events, ElementsAre(HasSubstr("tools/list_changed")));
  EXPECT_THAT(call->events, IsEmpty()) << "not related to that request";
}

TEST_F(HttpSessionsTest, AModernRequestThatIsGoneWhileItsHeadersAreCheckedIsNeverMade) {
  const Response response = ModernCall();
  ASSERT_THAT(lists_, SizeIs(1));
  sessions_.OnGone(response);
  EXPECT_THAT(cancelled_, ElementsAre(lists_[0].ticket));
  AnswerLists();
  EXPECT_THAT(calls_, IsEmpty());
}

TEST_F(HttpSessionsTest, AModernCallIsMadeEvenWithoutAList) {
  ModernCall();
  ASSERT_THAT(lists_, SizeIs(1));
  sessions_.OnList(lists_[0].ticket, absl::UnavailableError("gone"));
  EXPECT_THAT(calls_, SizeIs(1)) << "the mediator says what it thinks of it";
}

TEST_F(HttpSessionsTest, NothingStaysOfAModernRequest) {
  const Response response = ModernCall();
  AnswerLists();
  sessions_.OnCallEnd(calls_.at(0).ticket, {R"({"content":[]})"});
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(sessions_.sessions(), 0u);
  EXPECT_EQ(response.use_count(), 1) << "nobody holds on to it";
}

}  // namespace
}  // namespace tipstaff::guest_agent
