#include "tests/harness/mcp_server/http_connection.h"

#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <deque>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tipstaff::mcp_server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;

constexpr size_t kMaxBodyBytes = 64 << 20;

class Response;

// Reads a request ahead while a response is under way, which is how it sees that the client left.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Endpoint& endpoint)
      : socket_(std::move(socket)), endpoint_(endpoint) {}

  void Read() {
    parser_.emplace();
    parser_->body_limit(kMaxBodyBytes);
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](const beast::error_code& error, size_t) {
                       self->OnRead(error);
                     });
  }
  void Write(std::string bytes) {
    queue_.push_back(std::move(bytes));
    if (queue_.size() == 1) WriteFront();
  }
  void Done() {
    current_ = nullptr;
    if (!next_) return;
    const HttpRequest request = std::move(*next_);
    next_.reset();
    Handle(request);
    Read();
  }
  const Options& options() const { return endpoint_.options(); }

 private:
  void OnRead(const beast::error_code& error) {
    if (error) {
      if (current_ != nullptr) endpoint_.Closed(current_.get());
      current_ = nullptr;
      return;
    }
    HttpRequest request = Taken(parser_->release());
    if (current_ != nullptr) {
      next_ = std::move(request);
      return;
    }
    Handle(request);
    Read();
  }
  static HttpRequest Taken(http::request<http::string_body> from) {
    HttpRequest request;
    request.method = std::string(from.method_string());
    request.target = std::string(from.target());
    for (const auto& field : from) {
      const std::string name = absl::AsciiStrToLower(
          absl::string_view(field.name_string().data(), field.name_string().size()));
      request.headers[name] = std::string(field.value());
    }
    request.body = std::move(from.body());
    return request;
  }
  void Handle(const HttpRequest& request);
  void WriteFront() {
    boost::asio::async_write(socket_, boost::asio::buffer(queue_.front()),
                             [self = shared_from_this()](const beast::error_code& error, size_t) {
                               self->queue_.pop_front();
                               if (!error && !self->queue_.empty()) self->WriteFront();
                             });
  }

  tcp::socket socket_;
  Endpoint& endpoint_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::deque<std::string> queue_;
  ChannelPtr current_;
  std::optional<HttpRequest> next_;
};

// JSON when the answer is the only message, else a stream of events in chunks.
class Response final : public Channel {
 public:
  Response(const std::shared_ptr<Connection>& connection, std::string authorization)
      : connection_(connection), authorization_(std::move(authorization)) {}

  void SetSession(const std::string& id) override { session_id_ = id; }
  std::string Authorization() const override { return authorization_; }
  void Say(const std::string& message) override {
    if (over_) return;
    Begin();
    Chunk(absl::StrCat("event: message\ndata: ", message, "\n\n"));
  }
  void Answer(const std::string& message, int status) override {
    if (over_) return;
    if (!streams_ && (status != 200 || !connection_->options().sse)) {
      return End({status, message});
    }
    Say(message);
    Chunk("");
    Leave();
  }
  // A stream without an answer, from now on.
  void Open() { Begin(); }
  void End(const Plain& plain) {
    if (over_) return;
    std::string head = StatusLine(plain.status);
    if (!plain.location.empty()) absl::StrAppend(&head, "Location: ", plain.location, "\r\n");
    if (!plain.body.empty()) absl::StrAppend(&head, "Content-Type: application/json\r\n");
    connection_->Write(
        absl::StrCat(head, "Content-Length: ", plain.body.size(), "\r\n\r\n", plain.body));
    Leave();
  }

 private:
  std::string StatusLine(int status) const {
    const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status)));
    return absl::StrCat(
        "HTTP/1.1 ", status, " ", absl::string_view(reason.data(), reason.size()), "\r\n",
        session_id_.empty() ? "" : absl::StrCat("Mcp-Session-Id: ", session_id_, "\r\n"));
  }
  void Begin() {
    if (streams_) return;
    streams_ = true;
    connection_->Write(absl::StrCat(StatusLine(200),
                                    "Content-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                                    "Transfer-Encoding: chunked\r\n\r\n"));
  }
  void Chunk(const std::string& bytes) {
    connection_->Write(absl::StrCat(absl::StrFormat("%x\r\n", bytes.size()), bytes, "\r\n"));
  }

  // The connection may let go of this.
  void Leave() {
    over_ = true;
    const std::shared_ptr<Connection> connection = connection_;
    connection->Done();
  }

  const std::shared_ptr<Connection> connection_;  // lets go of this when it is over
  const std::string authorization_;
  std::string session_id_;
  bool streams_ = false, over_ = false;
};

void Connection::Handle(const HttpRequest& request) {
  const auto response =
      std::make_shared<Response>(shared_from_this(), request.header("authorization"));
  current_ = response;
  if (const std::optional<Plain> plain = endpoint_.Take(request, response)) {
    response->End(*plain);
  } else if (request.method == "GET") {
    response->Open();
  }
}

}  // namespace

void StartConnection(tcp::socket socket, Endpoint& endpoint) {
  // What is written in pieces is not to wait for the client to say that it has the piece before.
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  std::make_shared<Connection>(std::move(socket), endpoint)->Read();
}

}  // namespace tipstaff::mcp_server
