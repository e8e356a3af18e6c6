#include "mediator/upstream/http_transport.h"

#include <atomic>
#include <cstdlib>

#include "absl/strings/match.h"
#include "mediator/upstream/limits.h"
#include "mediator/upstream/testing/transport_fixture.h"

namespace tipstaff::upstream {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kJson[] = "application/json";

bool AnswerJson(const ServedRequest& request, Responder& responder) {
  responder.Respond(200, "application/json; charset=utf-8", absl::StrCat("[", request.body, "]"));
  return true;
}

TEST_F(HttpTransportTest, PostsAMessageAndTakesTheAnswer) {
  const Serving serving = Serve(AnswerJson);
  options_.credential_header = "Authorization";
  options_.credential_value = "Bearer hunter22hunter22";
  Start();
  Call(7, "grüße");
  ASSERT_TRUE(RunUntilReported(2));
  EXPECT_THAT(reports_, ElementsAre("message 7 [{\"id\":7}]", "end 7"));
  const ServedRequest request = server_->requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/mcp");
  EXPECT_EQ(request.Header("content-type"), kJson);
  EXPECT_EQ(request.Header("accept"), "application/json, text/event-stream");
  EXPECT_EQ(request.Header("mcp-protocol-version"), "2026-07-28");
  EXPECT_EQ(request.Header("mcp-method"), "tools/call");
  EXPECT_EQ(request.Header("mcp-name"), "=?base64?Z3LDvMOfZQ==?=");
  EXPECT_EQ(request.Header("authorization"), "Bearer hunter22hunter22");
  for (const char* none : {"mcp-session-id", "expect", "cookie", "accept-encoding", "referer"}) {
    EXPECT_EQ(request.headers.count(none), 0u) << none;
  }
}

TEST_F(HttpTransportTest, SendsWhatBelongsToTheGeneration) {
  const Serving serving = Serve(AnswerJson);
  Start();
  Initialize(1);
  LegacyCall(2);
  ASSERT_TRUE(RunUntilReported(4));
  for (const ServedRequest& request : server_->requests()) {
    EXPECT_EQ(request.headers.count("mcp-method"), 0u);
    EXPECT_EQ(request.headers.count("mcp-name"), 0u);
  }
}

TEST_F(HttpTransportTest, SendsAModernCallsParamsAsHeaders) {
  const Serving serving = Serve(AnswerJson);
  Start();
  transport_->Send(mcp::SendRequest{
      .id = 1,
      .message = "{}",
      .method = "tools/call",
      .name = "x",
      .version = "2026-07-28",
      .modern = true,
      .params = {
          {"Mcp-Param-Region", "eu"}, {"Mcp-Param-Note", " é\r\n"}, {"Mcp-Param-None", ""}}});
  ASSERT_TRUE(RunUntilReported(2));
  const ServedRequest request = server_->requests()[0];
  EXPECT_EQ(request.Header("mcp-param-region"), "eu");
  EXPECT_EQ(request.Header("mcp-param-note"), "=?base64?IMOpDQo=?=");
  EXPECT_EQ(request.headers.count("mcp-param-none"), 1u) << "empty, and there";
}

TEST_F(HttpTransportTest, TakesEventsAsTheyCome) {
  const Serving serving = Serve([](const ServedRequest&, Responder& responder) {
    responder.BeginEvents();
    const std::string text =
        "\xEF\xBB\xBF: hello\r\nid: 1\r\ndata:\r\n\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\n"
        "event: other\ndata: no\n\ndata: two\n\n";
    for (const char byte : text) responder.WriteChunk(absl::string_view(&byte, 1));
    responder.EndChunks();
    return true;
  });
  Start();
  Call(3);
  ASSERT_TRUE(RunUntilReported(3));
  EXPECT_THAT(reports_, ElementsAre("message 3 {\"a\":\n1}", "message 3 two", "end 3"));
}

TEST_F(HttpTransportTest, HandsAnEventOnBeforeTheStreamEnds) {
  std::atomic<bool> go_on{false};
  const Serving serving = Serve([&](const ServedRequest&, Responder& responder) {
    responder.BeginEvents();
    responder.WriteChunk("data: first\n\n");
    while (!go_on && responder.WriteChunk(": wait\n")) absl::SleepFor(absl::Milliseconds(2));
    responder.WriteChunk("data: second\n\n");
    responder.EndChunks();
    return false;
  });
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(1));
  go_on = true;
  ASSERT_TRUE(RunUntilReported(3));
  EXPECT_THAT(reports_, ElementsAre("message 1 first", "message 1 second", "end 1"));
}

TEST_F(HttpTransportTest, ManyRequestsShareFewConnections) {
  const Serving serving = Serve(AnswerJson);
  Start();
  for (uint64_t id = 1; id <= 100; ++id) {
    Call(id);
    ASSERT_TRUE(RunUntilReported(2 * id));
  }
  // The first one went to the name, those after it to its address.
  EXPECT_LE(server_->connections(), 2);
  const int before = server_->connections();
  for (uint64_t id = 101; id <= 150; ++id) Call(id);
  ASSERT_TRUE(RunUntilReported(300));
  EXPECT_LE(server_->connections(), before + 50);
  for (const std::string& report : reports_) EXPECT_THAT(report, Not(StartsWith("failure")));
}

// ---- answers that are of no use ----

struct BadAnswer {
  const char* name;
  HttpServer::Handler handler;
  const char* report;  // how it begins
};

class BadAnswerTest : public HttpTransportTest, public ::testing::WithParamInterface<BadAnswer> {};

HttpServer::Handler Says(int status, std::string type, std::string body,
                         std::vector<std::string> headers = {}) {
  return [=](const ServedRequest&, Responder& responder) {
    responder.Respond(status, type, body, headers);
    return true;
  };
}

HttpServer::Handler Writes(std::string bytes) {
  return [=](const ServedRequest&, Responder& responder) {
    responder.Write(bytes);
    return false;
  };
}

const BadAnswer kBadAnswers[] = {
    {"Redirect", Says(307, kJson, "{}", {"Location: /elsewhere"}),
     "failure 1 0 sent answered 307, a redirect, which is not followed"},
    {"RedirectAfterPost", Says(303, "", "", {"Location: http://127.0.0.1:1/"}),
     "failure 1 0 sent answered 303, a redirect"},
    {"Html", Says(200, "text/html", "<p>Sign in</p>"),
     "failure 1 0 sent answered with the type `text/html`: neither"},
    {"NoType", Says(200, "", "{}"), "failure 1 0 sent answered without a type"},
    {"Compressed", Says(200, kJson, "\x1f\x8b", {"Content-Encoding: gzip"}),
     "failure 1 0 sent answered in the encoding `gzip`"},
    {"Unauthorized", Says(401, "text/plain", "who are you", {"WWW-Authenticate: Bearer"}),
     "failure 1 401 sent who are you"},
    {"SessionGone", Says(404, kJson, "{\"error\":{}}"), "failure 1 404 sent {\"error\":{}}"},
    {"NotAcceptable", Says(405, "", ""), "failure 1 405 sent "},
    {"ServerError", Says(500, "", "oops"), "failure 1 500 sent oops"},
    {"LongError", Says(503, "", std::string(3 * kMaxErrorBytes, 'x')), "failure 1 503 sent xxx"},
    {"ClosesEarly", Writes(""), "failure 1 0 sent "},
    {"ClosesInTheHead", Writes("HTTP/1.1 200 OK\r\nContent-Type: app"), "failure 1 0 sent "},
    {"ClosesInTheBody",
     Writes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{}"),
     "failure 1 0 sent "},
    {"ClosesInTheEvents",
     Writes("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
            "\r\n6\r\ndata: \r\n"),
     "failure 1 0 sent "},
    {"NoHttp", Writes("SSH-2.0-OpenSSH_9.2\r\n"), "failure 1 0 sent "},
    {"BadChunks",
     Writes("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
            "\r\nzz\r\n"),
     "failure 1 0 sent "},
    {"LongHeaders", Says(200, kJson, "{}", {"X-Long: " + std::string(kMaxHeaderBytes, 'x')}),
     "failure 1 0 sent sent headers of more than"},
    {"ManyInterimResponses",
     [](const ServedRequest&, Responder& responder) {
       while (responder.Write("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")) {
       }
       return false;
     },
     "failure 1 0 sent sent headers of more than"},
    {"ControlCharactersInTheType", Says(200, "text/\x1b[2J", "{}"),
     "failure 1 0 sent answered with the type `text/\\x1b[2J`"},
    {"LongMessage",
     [](const ServedRequest&, Responder& responder) {
       responder.Write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
       const std::string much(1 << 20, '1');
       while (responder.Write(much)) {
       }
       return false;
     },
     "failure 1 0 sent said a message of more than"},
    {"LongEvent",
     [](const ServedRequest&, Responder& responder) {
       responder.BeginEvents();
       const std::string much = "data: " + std::string(1 << 20, '1') + "\n";
       while (responder.WriteChunk(much)) {
       }
       return false;
     },
     "failure 1 0 sent said an event of more than"},
};

TEST_P(BadAnswerTest, IsAFailureThatSaysWhy) {
  const Serving serving = Serve(GetParam().handler);
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_EQ(reports_.size(), 1u);
  EXPECT_THAT(reports_[0], StartsWith(GetParam().report));
  EXPECT_LE(reports_[0].size(), kMaxErrorBytes + 100);
  EXPECT_EQ(server_->requests().size(), 1u) << "it was followed, or sent again";
}

INSTANTIATE_TEST_SUITE_P(, BadAnswerTest, ::testing::ValuesIn(kBadAnswers),
                         [](const auto& info) { return std::string(info.param.name); });

void PrintTo(const BadAnswer& answer, std::ostream* out) { *out << answer.name; }

TEST_F(HttpTransportTest, AnAnswerWithoutBodyIsAnEnd) {
  const Serving serving = Serve(Says(202, "", ""));
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_, ElementsAre("end 1"));
}

TEST_F(HttpTransportTest, TakesAMessageOfTheMostBytes) {
  const std::string most(kMaxMessageBytes, '1');
  const Serving serving = Serve(Says(200, kJson, most));
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(2));
  EXPECT_EQ(reports_[0].size(), std::string("message 1 ").size() + kMaxMessageBytes);
}

// libcurl sends a request again where a connection that was used before breaks. A server that took
// the first one would have done it twice.
TEST_F(HttpTransportTest, NothingIsSentTwice) {
  std::atomic<int> served{0};
  const Serving serving = Serve([&](const ServedRequest& request, Responder& responder) {
    if (++served > 2) return false;  // it takes the request, and is gone
    return AnswerJson(request, responder);
  });
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(2));
  Call(2);
  ASSERT_TRUE(RunUntilReported(4));
  Call(3);
  ASSERT_TRUE(RunUntilReported(5));
  EXPECT_THAT(reports_[4], "failure 3 0 sent closed the connection without an answer");
  const auto requests = server_->requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[1].connection, requests[2].connection) << "a connection that was used before";
}

TEST_F(HttpTransportTest, SaysThatNothingWasSentWhereNobodyListens) {
  const Serving serving = Serve(AnswerJson);
  server_.reset();  // its port is free now
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_[0], StartsWith("failure 1 0 unsent "));
}

TEST_F(HttpTransportTest, WhatIsNotConnectedFails) {
  const Serving serving = Serve(AnswerJson);
  Start();
  transport_->Kill("stopped");
  Call(1);
  EXPECT_THAT(reports_, IsEmpty()) << "never from within Send";
  ASSERT_TRUE(RunUntilReported(2));
  EXPECT_THAT(reports_, ElementsAre("gone stopped", "failure 1 0 unsent it is not connected"));
  ASSERT_TRUE(transport_->Connect().ok());
  Call(2);
  ASSERT_TRUE(RunUntilReported(4));
}

TEST_F(HttpTransportTest, RefusesToConnectWithBadOptions) {
  transport_ = MakeHttpTransport(loop_, client_, {.url = "http://mcp.example/"}, {});
  EXPECT_EQ(transport_->Connect().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(HttpTransportTest, TheEnvironmentsProxyIsNotUsed) {
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) {
    ::setenv(name, "http://127.0.0.1:1", 1);
  }
  const Serving serving = Serve(AnswerJson);
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_[0], StartsWith("message 1"));
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
}

// ---- giving up ----

// Answers only when its client is gone.
class Silent {
 public:
  HttpServer::Handler handler() {
    return [this](const ServedRequest&, Responder& responder) {
      ++waiting;
      responder.AwaitClose();
      ++closed;
      return false;
    };
  }
  std::atomic<int> waiting{0}, closed{0};
};

TEST_F(HttpTransportTest, ForgetClosesTheRequest) {
  Silent silent;
  const Serving serving = Serve(silent.handler());
  Start();
  Call(1);
  ASSERT_TRUE(RunUntil([&] { return silent.waiting == 1; }));
  transport_->Forget(1);
  ASSERT_TRUE(RunUntil([&] { return silent.closed == 1; }));
  loop_.restart();
  loop_.poll();
  EXPECT_THAT(reports_, IsEmpty());
}

TEST_F(HttpTransportTest, KillGivesUpAllAndIsGone) {
  Silent silent;
  const Serving serving = Serve(silent.handler());
  Start();
  for (uint64_t id = 1; id <= 5; ++id) Call(id);
  ASSERT_TRUE(RunUntil([&] { return silent.waiting == 5; }));
  transport_->Kill("stopped");
  ASSERT_TRUE(RunUntil([&] { return silent.closed == 5; }));
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_, ElementsAre("gone stopped"));
}

TEST_F(HttpTransportTest, MayBeDestroyedAtAnyTime) {
  const Serving serving = Serve([](const ServedRequest&, Responder& responder) {
    responder.BeginEvents();
    while (responder.WriteChunk("data: x\n\ndata: y\n\n")) {
    }
    return false;
  });
  on_report_ = [this] { transport_.reset(); };
  for (int i = 1; i <= 20; ++i) {
    Start();
    Call(1);
    ASSERT_TRUE(RunUntil([this] { return transport_ == nullptr; }));
    EXPECT_EQ(reports_.size(), static_cast<size_t>(i)) << "nothing comes after that";
  }
}

TEST_F(HttpTransportTest, TheLoopMayEndBeforeTheClient) {
  Silent silent;
  const Serving serving = Serve(silent.handler());
  {
    boost::asio::io_context short_lived;
    const auto transport = MakeHttpTransport(short_lived, client_, options_, {});
    ASSERT_TRUE(transport->Connect().ok());
    transport->Send(mcp::SendRequest{.id = 1, .message = "{}", .method = "ping"});
    ASSERT_TRUE(RunUntil([&] { return silent.waiting == 1; }));
  }
  ASSERT_TRUE(RunUntil([&] { return silent.closed == 1; }));
}

// A server that says more than the loop takes is not read any further.
TEST_F(HttpTransportTest, ReadsNoFurtherThanTheLoopCanFollow) {
  constexpr int kEvents = 64;
  std::atomic<int> written{0};
  const Serving serving = Serve([&](const ServedRequest&, Responder& responder) {
    responder.BeginEvents();
    const std::string event = "data: " + std::string(1 << 20, 'x') + "\n\n";
    for (; written < kEvents && responder.WriteChunk(event); ++written) {
    }
    responder.EndChunks();
    return false;
  });
  Start();
  Call(1);
  // The loop does not run. The server goes on until the socket's buffers are full.
  int before = -1;
  for (const absl::Time deadline = absl::Now() + absl::Seconds(30);
       before != written && absl::Now() < deadline;) {
    before = written;
    absl::SleepFor(absl::Milliseconds(300));
  }
  EXPECT_LT(written, kEvents / 2);
  ASSERT_TRUE(RunUntilReported(kEvents + 1));
  EXPECT_EQ(reports_.back(), "end 1");
}

TEST_F(HttpTransportTest, FailsWhatIsTooMuchToBeSent) {
  Silent silent;
  const Serving serving = Serve(silent.handler());
  Start();
  const std::string big(kMaxUnsentBytes / 2, 'x');
  for (uint64_t id = 1; id <= 3; ++id) {
    transport_->Send(mcp::SendRequest{.id = id, .message = big, .method = "tools/call"});
  }
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_, ElementsAre("failure 3 0 unsent it does not answer what it was sent"));
}

// ---- where it connects to ----

class Recorder final : public HttpSink {
 public:
  Next OnHead(HttpHead head) override {
    status = head.status;
    return Next::kMore;
  }
  Next OnBytes(absl::string_view) override { return Next::kMore; }
  void OnEnd(HttpEnd ended) override {
    end = std::move(ended);
    done = true;
  }
  std::atomic<int> status{0};
  HttpEnd end;
  std::atomic<bool> done{false};
};

TEST_F(HttpTransportTest, AnAddressThatIsGivenIsUsedAndNoNameIsResolved) {
  const Serving serving = Serve(AnswerJson);
  const auto recorder = std::make_shared<Recorder>();
  client_->Start({.method = "POST",
                  .url = absl::StrCat("http://nobody.invalid:", server_->port(), "/mcp"),
                  .address = "127.0.0.1"},
                 recorder);
  ASSERT_TRUE(RunUntil([&] { return recorder->done.load(); }));
  EXPECT_EQ(recorder->status, 200) << recorder->end.how;
  EXPECT_EQ(server_->requests()[0].Header("host"),
            absl::StrCat("nobody.invalid:", server_->port()));
}

TEST_F(HttpTransportTest, PlainHttpLeavesThisMachineUnderNoName) {
  const Serving serving = Serve(AnswerJson);
  const auto recorder = std::make_shared<Recorder>();
  // An address that leads here too, and that looks like another machine's.
  client_->Start(
      {.method = "POST", .url = server_->Url("[::ffff:127.0.0.1]"), .only_loopback = true},
      recorder);
  ASSERT_TRUE(RunUntil([&] { return recorder->done.load(); }));
  EXPECT_FALSE(recorder->end.whole);
  EXPECT_FALSE(recorder->end.sent);
  EXPECT_THAT(recorder->end.how, HasSubstr("is not this machine"));
  EXPECT_THAT(server_->requests(), IsEmpty());
}

// ---- credentials ----

TEST_F(HttpTransportTest, TheCredentialComesBackNowhere) {
  constexpr char kToken[] = "s3cr3t/token/of/the/operator";
  std::atomic<int> form{0};
  const Serving serving = Serve([&](const ServedRequest& request, Responder& responder) {
    const std::string echo = request.Header("authorization");
    switch (form) {
      case 0:
        responder.Respond(200, kJson, absl::StrCat("{\"headers\":\"", echo, "\"}"));
        break;
      case 1:
        responder.Respond(401, "text/plain", absl::StrCat("bad token ", echo));
        break;
      case 2:
        responder.Respond(200, kJson, "{\"x\":\"s3cr3t\\/token\\/of\\/the\\/operator\"}");
        break;
      case 3:
        responder.BeginEvents();
        responder.WriteChunk(absl::StrCat("data: ", echo, "\n\n"));
        responder.EndChunks();
        break;
      case 4:
        responder.Respond(200, absl::StrCat("text/", kToken), "");
        break;
      case 5:
        responder.Write(
            absl::StrCat("HTTP/1.1 200 ", echo, "\r\nContent-Length: ", echo, "\r\n\r\n"));
        return false;
      default:
        responder.Write(echo);
        return false;
    }
    return true;
  });
  options_.credential_header = "Authorization";
  options_.credential_value = absl::StrCat("Bearer ", kToken);
  Start();
  for (form = 0; form <= 6; ++form) {
    Call(static_cast<uint64_t>(form) + 1);
    ASSERT_TRUE(RunUntilReported(static_cast<size_t>(form) + 1));
    transport_->Send(mcp::SendNotification{.message = "{}", .method = "", .version = "2026-07-28"});
  }
  ASSERT_TRUE(RunUntil([this] { return server_->requests().size() == 14; }));
  loop_.restart();
  loop_.run_for(std::chrono::milliseconds(100));
  for (const std::string& report : reports_) {
    EXPECT_THAT(report, Not(HasSubstr("s3cr3t"))) << "in whatever form";
    EXPECT_THAT(report, Not(StartsWith("message")));
  }
  EXPECT_EQ(server_->requests()[0].Header("authorization"), options_.credential_value);
}

}  // namespace
}  // namespace tipstaff::upstream
