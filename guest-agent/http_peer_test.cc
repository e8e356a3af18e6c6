// A connection and its clock: clients that are slow, silent or do not read.
#include "guest-agent/http_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <thread>

#include "absl/strings/str_cat.h"
#include "guest-agent/testing/http_client.h"

namespace tipstaff::guest_agent {
namespace {

namespace asio = boost::asio;

constexpr char kHead[] =
    "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";

// Serves one connection in a thread of its own.
class Peer : public ::testing::Test, protected HttpHandler {
 protected:
  Peer() : acceptor_(io_, {asio::ip::address_v4::loopback(), 0}) {
    acceptor_.async_accept([this](boost::system::error_code, asio::ip::tcp::socket socket) {
      std::make_shared<HttpPeer>(std::move(socket), static_cast<HttpHandler&>(*this), times_)
          ->Start();
    });
  }
  ~Peer() override {
    if (thread_.joinable()) thread_.join();
  }
  // The connection has `times` from now on.
  HttpClient& Connect(const HttpTimes& times) {
    times_ = times;
    client_ = std::make_unique<HttpClient>(acceptor_.local_endpoint().port());
    thread_ = std::thread([this] { io_.run(); });
    return *client_;
  }

  std::optional<mcp::HttpAnswer> OnHead(const mcp::HttpHead&) override { return std::nullopt; }
  void OnRequest(const std::shared_ptr<HttpResponse>& response, const mcp::HttpHead&,
                 const std::string& body) override {
    ++requests_;
    if (answer_) answer_(response, body);
  }
  void OnGone(const std::shared_ptr<HttpResponse>&) override { ++gone_; }
  void OnClosed(const std::shared_ptr<HttpPeer>&) override { ++closed_; }

  asio::io_context io_;
  asio::ip::tcp::acceptor acceptor_;
  HttpTimes times_;
  std::function<void(const std::shared_ptr<HttpResponse>&, const std::string&)> answer_;
  std::unique_ptr<HttpClient> client_;
  std::thread thread_;
  int requests_ = 0, gone_ = 0, closed_ = 0;  // read when the thread has ended
};

TEST_F(Peer, ASilentClientIsClosed) {
  HttpClient& client = Connect({.idle = absl::Milliseconds(20)});
  EXPECT_TRUE(client.ReadToEnd());
  thread_.join();
  EXPECT_EQ(closed_, 1);
}

TEST_F(Peer, ASlowHeadIsClosedHoweverOftenAByteComes) {
  HttpClient& client = Connect({.request = absl::Milliseconds(50)});
  std::thread slow([&] {
    for (const char c : absl::StrCat(kHead, "X: ", std::string(1000, 'x'))) {
      client.Send(absl::string_view(&c, 1));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  thread_.join();
  slow.join();
  EXPECT_EQ(closed_, 1);
  EXPECT_EQ(requests_, 0);
}

TEST_F(Peer, ABodyThatDoesNotComeIsClosed) {
  HttpClient& client = Connect({.request = absl::Milliseconds(20)});
  client.Send(absl::StrCat(kHead, "\r\n{"));
  EXPECT_TRUE(client.ReadToEnd());
  thread_.join();
  EXPECT_EQ(requests_, 0);
  EXPECT_EQ(gone_, 0) << "nobody had anything to say to it";
}

TEST_F(Peer, AnAnswerMayTakeLongerThanARequest) {
  std::shared_ptr<HttpResponse> response;
  asio::steady_timer later(io_);
  answer_ = [&](const std::shared_ptr<HttpResponse>& given, const std::string& body) {
    EXPECT_EQ(body, "{}");
    response = given;
    later.expires_after(std::chrono::milliseconds(60));
    later.async_wait([&](boost::system::error_code) { response->Answer({200, "{\"a\":1}"}); });
  };
  HttpClient& client = Connect({.idle = absl::Milliseconds(30), .request = absl::Milliseconds(30)});
  client.Send(absl::StrCat(kHead, "\r\n{}"));
  const HttpReply reply = client.Read();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "{\"a\":1}");
  EXPECT_TRUE(client.ReadToEnd()) << "idle again";
  thread_.join();
  EXPECT_EQ(gone_, 0);
}

TEST_F(Peer, AClientThatDoesNotReadIsGivenUp) {
  answer_ = [](const std::shared_ptr<HttpResponse>& response, const std::string&) {
    response->Event(absl::StrCat("\"", std::string(20 << 20, 'x'), "\""), /*droppable=*/false);
  };
  HttpClient& client = Connect({.write = absl::Milliseconds(50)});
  client.Send(absl::StrCat(kHead, "\r\n{}"));
  thread_.join();
  EXPECT_EQ(closed_, 1);
  EXPECT_EQ(gone_, 1);
}

TEST_F(Peer, WhatWaitsToBeReadIsBounded) {
  answer_ = [](const std::shared_ptr<HttpResponse>& response, const std::string&) {
    const std::string event = std::string(1 << 20, 'x');
    for (int i = 0; i < 1000; ++i) response->Event(event, /*droppable=*/true);
    response->Event("\"kept\"", /*droppable=*/false);
    response->End();
  };
  HttpClient& client = Connect({});
  client.Send(absl::StrCat(kHead, "Connection: close\r\n\r\n{}"));
  EXPECT_TRUE(client.Read().is_stream());
  int events = 0;
  std::string last;
  for (std::string event = client.ReadEvent(); !event.empty(); event = client.ReadEvent()) {
    ++events;
    last = event;
  }
  EXPECT_LE(events, 10) << "the rest was left out";
  EXPECT_EQ(last, "\"kept\"") << "but nothing that has to come";
}

TEST_F(Peer, AClientThatGoesAwayIsReported) {
  answer_ = [](const std::shared_ptr<HttpResponse>&, const std::string&) {};
  HttpClient& client = Connect({});
  client.Send(absl::StrCat(kHead, "\r\n{}"));
  client.Close();
  thread_.join();
  EXPECT_EQ(requests_, 1);
  EXPECT_EQ(gone_, 1);
  EXPECT_EQ(closed_, 1);
}

TEST_F(Peer, AnAnswerIsReadByAClientThatSendsNoMore) {
  answer_ = [](const std::shared_ptr<HttpResponse>& response, const std::string&) {
    response->Answer({200, "{}"});
  };
  HttpClient& client = Connect({});
  client.Send(absl::StrCat(kHead, "Connection: close\r\n\r\n{}"));
  client.CloseSending();
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_TRUE(client.ReadToEnd());
}

}  // namespace
}  // namespace tipstaff::guest_agent
