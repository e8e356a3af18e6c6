// Sessions and notifications of legacy servers.
#include <atomic>

#include "mediator/upstream/limits.h"
#include "mediator/upstream/testing/transport_fixture.h"

namespace tipstaff::upstream {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kJson[] = "application/json";

// A legacy server: a session, 202 for notifications, and a stream that the test writes.
class LegacyServer {
 public:
  using Stream = std::function<void(Responder& responder)>;
  explicit LegacyServer(Stream stream) : stream_(std::move(stream)) {}

  HttpServer::Handler handler() {
    return [this](const ServedRequest& request, Responder& responder) {
      if (request.method == "GET") {
        ++streams;
        stream_(responder);
        return false;
      }
      if (request.method == "DELETE") {
        responder.Respond(200, "", "");
      } else if (request.Header("mcp-protocol-version").empty()) {
        responder.Respond(200, kJson, "{}", {absl::StrCat("Mcp-Session-Id: s", ++sessions)});
      } else {
        while (hold_notifications && responder.Write("HTTP/1.1 102 Wait\r\n\r\n")) {
          absl::SleepFor(absl::Milliseconds(2));
        }
        responder.Respond(202, "", "");
      }
      return true;
    };
  }

  std::atomic<int> streams{0}, sessions{0};
  std::atomic<bool> hold_notifications{false};

 private:
  const Stream stream_;
};

void NoStream(Responder& responder) { responder.Respond(405, "", ""); }

class HttpSessionTest : public HttpTransportTest {
 protected:
  std::vector<ServedRequest> ServedAs(const std::string& method) const {
    std::vector<ServedRequest> all = server_->requests();
    std::erase_if(all, [&](const ServedRequest& one) { return one.method != method; });
    return all;
  }
};

TEST_F(HttpSessionTest, TheSessionGoesWithWhatFollowsAndIsEnded) {
  LegacyServer legacy(NoStream);
  const Serving serving = Serve(legacy.handler());
  options_.credential_header = "X-Api-Key";
  options_.credential_value = "hunter22";
  Start();
  Initialize(1);
  ASSERT_TRUE(RunUntilReported(2));
  Initialized();
  LegacyCall(2);
  ASSERT_TRUE(RunUntilReported(3));
  ASSERT_TRUE(RunUntil([&] { return legacy.streams == 1; }));
  transport_.reset();
  ASSERT_TRUE(RunUntil([this] { return Served("DELETE") == 1; }));
  const auto requests = server_->requests();
  EXPECT_EQ(requests[0].headers.count("mcp-session-id"), 0u);
  EXPECT_EQ(requests[0].headers.count("mcp-protocol-version"), 0u);
  for (size_t i = 1; i < requests.size(); ++i) {
    EXPECT_EQ(requests[i].Header("mcp-session-id"), "s1") << requests[i].method;
    EXPECT_EQ(requests[i].Header("mcp-protocol-version"), "2025-11-25") << requests[i].method;
    EXPECT_EQ(requests[i].Header("x-api-key"), "hunter22") << requests[i].method;
  }
  EXPECT_EQ(ServedAs("GET")[0].Header("accept"), "text/event-stream");
}

TEST_F(HttpSessionTest, ANewConnectionIsANewSession) {
  LegacyServer legacy(NoStream);
  const Serving serving = Serve(legacy.handler());
  Start();
  Initialize(1);
  ASSERT_TRUE(RunUntilReported(2));
  ASSERT_TRUE(transport_->Connect().ok());
  Initialize(2);
  ASSERT_TRUE(RunUntilReported(4));
  LegacyCall(3);
  ASSERT_TRUE(RunUntilReported(5));
  ASSERT_TRUE(RunUntil([this] { return Served("DELETE") == 1; }));
  std::vector<std::string> posted;
  for (const auto& request : ServedAs("POST")) posted.push_back(request.Header("mcp-session-id"));
  EXPECT_THAT(posted, ElementsAre("", "", "s2"));
  EXPECT_EQ(ServedAs("DELETE")[0].Header("mcp-session-id"), "s1");
}

TEST_F(HttpSessionTest, TheClientsEndStillSaysTheLastWord) {
  LegacyServer legacy(NoStream);
  const Serving serving = Serve(legacy.handler());
  Start();
  Initialize(1);
  ASSERT_TRUE(RunUntilReported(2));
  transport_.reset();
  client_.reset();
  EXPECT_EQ(Served("DELETE"), 1u);
}

TEST_F(HttpSessionTest, ASilentServerHoldsUpTheEndOnlyForAMoment) {
  const Serving serving = Serve([](const ServedRequest& request, Responder& responder) {
    if (request.method != "POST") {
      responder.AwaitClose();
      return false;
    }
    responder.Respond(200, kJson, "{}", {"Mcp-Session-Id: s1"});
    return true;
  });
  Start();
  Initialize(1);
  ASSERT_TRUE(RunUntilReported(2));
  transport_.reset();
  const absl::Time since = absl::Now();
  client_.reset();
  EXPECT_LT(absl::Now() - since, kLastWordsTime + absl::Seconds(2));
}

// Cause: a server may end a response before its answer, and have the rest asked for (SEP-1699).
TEST_F(HttpSessionTest, AResponseIsTakenUpAgainWhereItEnded) {
  const Serving serving = Serve([](const ServedRequest& request, Responder& responder) {
    responder.BeginEvents();
    responder.WriteChunk(request.method == "POST" ? "id: e1\nretry: 20\ndata:\n\n"
                                                  : "id: e2\ndata: the answer\n\n");
    responder.EndChunks();
    return true;
  });
  Start();
  std::vector<bool> resumed;
  on_report_ = [&] {
    if (reports_.back() == "end 2") resumed.push_back(transport_->Resume(2));
  };
  LegacyCall(2);
  ASSERT_TRUE(RunUntil([&] { return resumed.size() == 2; }));
  EXPECT_THAT(reports_, ElementsAre("end 2", "message 2 the answer", "end 2"));
  EXPECT_THAT(resumed, ElementsAre(true, true)) << "whether there is an answer is not its to know";
  transport_->Forget(2);
  EXPECT_EQ(ServedAs("GET")[0].Header("last-event-id"), "e1");
  EXPECT_EQ(ServedAs("POST").size(), 1u) << "what was sent is not sent again";
}

TEST_F(HttpSessionTest, AResponseIsNotTakenUpForEver) {
  const Serving serving = Serve([](const ServedRequest&, Responder& responder) {
    responder.BeginEvents();
    responder.WriteChunk("id: e\nretry: 1\ndata:\n\n");
    responder.EndChunks();
    return true;
  });
  Start();
  bool refused = false;
  on_report_ = [&] { refused = reports_.back() == "end 2" && !transport_->Resume(2); };
  LegacyCall(2);
  ASSERT_TRUE(RunUntil([&] { return refused; }));
  EXPECT_EQ(ServedAs("GET").size(), static_cast<size_t>(kMaxResumptions));
}

TEST_F(HttpSessionTest, AModernResponseIsNotTakenUp) {
  const Serving serving = Serve([](const ServedRequest&, Responder& responder) {
    responder.BeginEvents();
    responder.WriteChunk("id: e\nretry: 1\ndata:\n\n");
    responder.EndChunks();
    return true;
  });
  Start();
  bool refused = false;
  on_report_ = [&] { refused = reports_.back() == "end 2" && !transport_->Resume(2); };
  Call(2);
  ASSERT_TRUE(RunUntil([&] { return refused; }));
  EXPECT_EQ(Served("GET"), 0u);
}

TEST_F(HttpSessionTest, AResponseWithoutIdsIsNotTakenUp) {
  const Serving serving = Serve([](const ServedRequest&, Responder& responder) {
    responder.BeginEvents();
    responder.WriteChunk("data: progress\n\n");
    responder.EndChunks();
    return true;
  });
  Start();
  bool refused = false;
  on_report_ = [&] { refused = reports_.back() == "end 2" && !transport_->Resume(2); };
  LegacyCall(2);
  ASSERT_TRUE(RunUntil([&] { return refused; }));
  EXPECT_FALSE(transport_->Resume(2)) << "only while its end is reported";
  EXPECT_EQ(Served("GET"), 0u);
}

TEST_F(HttpSessionTest, RefusesASessionThatCannotBeSentBack) {
  const Serving serving = Serve([](const ServedRequest&, Responder& responder) {
    responder.Respond(200, kJson, "{}", {"Mcp-Session-Id: two words"});
    return true;
  });
  Start();
  Initialize(1);
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_, ElementsAre("failure 1 0 sent its session id is not one"));
}

TEST_F(HttpSessionTest, WhatFollowsInitializedWaitsForIt) {
  LegacyServer legacy(NoStream);
  const Serving serving = Serve(legacy.handler());
  Start();
  Initialize(1);
  ASSERT_TRUE(RunUntilReported(2));
  legacy.hold_notifications = true;
  Initialized();
  LegacyCall(2);
  LegacyCall(3);
  transport_->Forget(3);
  ASSERT_TRUE(RunUntil([this] { return Served("POST") == 2; }));
  loop_.restart();
  loop_.run_for(std::chrono::milliseconds(100));
  EXPECT_EQ(Served("POST"), 2u);
  legacy.hold_notifications = false;
  ASSERT_TRUE(RunUntilReported(3));
  EXPECT_EQ(reports_.back(), "end 2");
  EXPECT_EQ(Served("POST"), 3u) << "what was forgotten is not sent";
}

TEST_F(HttpSessionTest, ARefusedNotificationIsNoted) {
  const Serving serving = Serve([](const ServedRequest&, Responder& responder) {
    responder.Respond(400, kJson, "{}");
    return true;
  });
  Start();
  Initialized();
  LegacyCall(1);
  ASSERT_TRUE(RunUntilReported(2));
  EXPECT_THAT(reports_,
              ::testing::UnorderedElementsAre("note does not take a notification: HTTP 400",
                                              "failure 1 400 sent {}"));
  EXPECT_EQ(Served("GET"), 0u) << "there is no stream then";
}

// Some servers answer with a stream of events, which they leave open.
TEST_F(HttpSessionTest, ANotificationsStreamOfEventsIsLeft) {
  std::atomic<int> left{0};
  const Serving serving = Serve([&](const ServedRequest& request, Responder& responder) {
    if (request.method == "GET") {
      NoStream(responder);
      return false;
    }
    responder.BeginEvents();
    responder.AwaitClose();
    ++left;
    return false;
  });
  Start();
  Initialized();
  ASSERT_TRUE(RunUntil([&] { return left == 1 && Served("GET") == 1; }));
  EXPECT_THAT(reports_, IsEmpty());
}

TEST_F(HttpSessionTest, TakesTheStreamsMessages) {
  LegacyServer legacy([](Responder& responder) {
    responder.BeginEvents();
    responder.WriteChunk("event: message\ndata: {\"method\":\"notifications/x\"}\n\n");
    responder.AwaitClose();
  });
  const Serving serving = Serve(legacy.handler());
  Start();
  Initialized();
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_, ElementsAre("message 0 {\"method\":\"notifications/x\"}"));
  EXPECT_EQ(legacy.streams, 1);
}

TEST_F(HttpSessionTest, OpensTheStreamAgainAndThenLater) {
  LegacyServer legacy([](Responder& responder) {
    responder.BeginEvents();
    responder.EndChunks();
  });
  const Serving serving = Serve(legacy.handler());
  Start();
  Initialized();
  ASSERT_TRUE(RunUntil([&] { return legacy.streams == 1; }));
  const absl::Time since = absl::Now();
  ASSERT_TRUE(RunUntil([&] { return legacy.streams == 3; }));
  EXPECT_GE(absl::Now() - since, 3 * kFirstReopen - absl::Milliseconds(100));
}

TEST_F(HttpSessionTest, DoesNotOpenAStreamAgainThatIsNotThere) {
  for (const int status : {405, 404, 401}) {
    LegacyServer legacy([status](Responder& responder) { responder.Respond(status, "", ""); });
    const Serving serving = Serve(legacy.handler());
    Start();
    Initialized();
    ASSERT_TRUE(RunUntil([&] { return legacy.streams == 1; }));
    loop_.restart();
    loop_.run_for(absl::ToChronoMilliseconds(kFirstReopen + absl::Milliseconds(300)));
    EXPECT_EQ(legacy.streams, 1) << status;
    EXPECT_THAT(reports_, IsEmpty()) << status;
    transport_.reset();
  }
}

TEST_F(HttpSessionTest, TheStreamEndsWithTheConnection) {
  std::atomic<int> closed{0};
  LegacyServer legacy([&](Responder& responder) {
    responder.BeginEvents();
    responder.AwaitClose();
    ++closed;
  });
  const Serving serving = Serve(legacy.handler());
  Start();
  Initialized();
  ASSERT_TRUE(RunUntil([&] { return legacy.streams == 1; }));
  transport_->Close("closed");
  ASSERT_TRUE(RunUntil([&] { return closed == 1; }));
  ASSERT_TRUE(RunUntilReported(1));
  EXPECT_THAT(reports_, ElementsAre("gone closed"));
}

}  // namespace
}  // namespace tipstaff::upstream
