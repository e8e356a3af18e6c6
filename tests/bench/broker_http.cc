// EchoClient over Streamable HTTP.
#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "mediator/base/status.h"
#include "tests/bench/broker_load.h"
#include "tests/bench/broker_messages.h"

namespace tipstaff::bench {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr absl::Duration kPause = absl::Milliseconds(50);

Request Post(uint16_t port, std::string body, const std::string& session) {
  Request request(http::verb::post, "/mcp", 11);
  request.set(http::field::host, absl::StrCat("127.0.0.1:", port));
  request.set(http::field::content_type, "application/json");
  request.set(http::field::accept, "application/json, text/event-stream");
  if (!session.empty()) {
    request.set("Mcp-Session-Id", session);
    request.set("MCP-Protocol-Version", kMcpVersion);
  }
  request.body() = std::move(body);
  request.prepare_payload();
  return request;
}

// What the connections of one round share.
struct Round {
  uint64_t next_id = 0, end_id = 0;  // of calls that are still to be made
  absl::Status failed;
  LoadResult result;
};

// Makes one call after the other until none is left.
class HttpLine : public std::enable_shared_from_this<HttpLine> {
 public:
  HttpLine(boost::asio::io_context& loop, uint16_t port, std::string session, Round& round)
      : socket_(loop), port_(port), session_(std::move(session)), round_(round) {}

  absl::Status Connect() {
    boost::system::error_code error;
    socket_.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port_), error);
    if (!error) socket_.set_option(tcp::no_delay(true), error);
    return error ? absl::UnavailableError(error.message()) : absl::OkStatus();
  }

  void Next() {
    if (round_.next_id == round_.end_id || !round_.failed.ok()) return;
    id_ = round_.next_id++;
    request_ = Post(port_, EchoCall(id_), session_);
    response_ = {};
    begun_ = absl::Now();
    http::async_write(socket_, request_,
                      [self = shared_from_this()](const beast::error_code& error, size_t) {
                        if (error) return self->Fail(error.message());
                        self->Read();
                      });
  }

 private:
  void Read() {
    http::async_read(socket_, buffer_, response_,
                     [self = shared_from_this()](const beast::error_code& error, size_t) {
                       if (error) return self->Fail(error.message());
                       self->OnAnswer();
                     });
  }
  void OnAnswer() {
    round_.result.latencies.push_back(absl::Now() - begun_);
    const absl::Status checked =
        response_.result() == http::status::ok
            ? CheckEcho(response_.body(), id_)
            : absl::InternalError(absl::StrCat("HTTP status ", response_.result_int(), ": ",
                                               response_.body().substr(0, 300)));
    if (!checked.ok()) return Fail(std::string(checked.message()));
    Next();
  }
  void Fail(const std::string& why) { round_.failed = absl::UnavailableError(why); }

  tcp::socket socket_;
  const uint16_t port_;
  const std::string session_;
  Round& round_;
  beast::flat_buffer buffer_;
  Request request_;
  Response response_;
  uint64_t id_ = 0;
  absl::Time begun_;
};

class HttpClient final : public EchoClient {
 public:
  explicit HttpClient(uint16_t port) : port_(port) {}

  absl::Status Open() {
    TIPSTAFF_ASSIGN_OR_RETURN(const Response opened, Ask(InitializeMessage()));
    const auto session = opened["Mcp-Session-Id"];
    session_.assign(session.data(), session.size());
    if (opened.result() != http::status::ok || session_.empty()) {
      return absl::UnavailableError(
          absl::StrCat("`initialize` got HTTP status ", opened.result_int(), " and no session"));
    }
    return Ask(InitializedMessage()).status();
  }

  absl::StatusOr<LoadResult> Run(int calls, int in_flight) override {
    boost::asio::io_context loop(1);
    Round round;
    round.next_id = next_id_;
    round.end_id = next_id_ += static_cast<uint64_t>(calls);
    std::vector<std::shared_ptr<HttpLine>> lines;
    for (int i = 0; i < in_flight; ++i) {
      lines.push_back(std::make_shared<HttpLine>(loop, port_, session_, round));
      TIPSTAFF_RETURN_IF_ERROR(lines.back()->Connect());
    }
    const absl::Time begun = absl::Now();
    for (const auto& line : lines) line->Next();
    loop.run();
    round.result.wall = absl::Now() - begun;
    if (!round.failed.ok()) return round.failed;
    return std::move(round.result);
  }

 private:
  absl::StatusOr<Response> Ask(std::string message) const {
    try {
      boost::asio::io_context loop;
      tcp::socket socket(loop);
      socket.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port_));
      const Request request = Post(port_, std::move(message), session_);
      http::write(socket, request);
      beast::flat_buffer buffer;
      Response response;
      http::read(socket, buffer, response);
      return response;
    } catch (const std::exception& error) {
      return absl::UnavailableError(error.what());
    }
  }

  const uint16_t port_;
  std::string session_;
  uint64_t next_id_ = 1;
};

}  // namespace

absl::StatusOr<std::unique_ptr<EchoClient>> EchoClient::OverHttp(const std::string& url,
                                                                 absl::Duration patience) {
  absl::string_view digits = url;
  uint32_t port = 0;
  if (!absl::ConsumePrefix(&digits, "http://127.0.0.1:") || !absl::ConsumeSuffix(&digits, "/mcp") ||
      !absl::SimpleAtoi(digits, &port) || port > 65535) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", url, "`: http://127.0.0.1:PORT/mcp is due"));
  }
  auto client = std::make_unique<HttpClient>(static_cast<uint16_t>(port));
  const absl::Time deadline = absl::Now() + patience;
  for (;;) {
    const absl::Status opened = client->Open();
    if (opened.ok()) return client;
    if (absl::Now() > deadline) return opened;
    absl::SleepFor(kPause);
  }
}

}  // namespace tipstaff::bench
