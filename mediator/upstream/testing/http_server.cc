#include "mediator/upstream/testing/http_server.h"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <mutex>
#include <thread>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tipstaff::upstream {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

template <typename Stream>
class StreamResponder final : public Responder {
 public:
  explicit StreamResponder(Stream& stream) : stream_(stream) {}
  bool Write(absl::string_view bytes) override {
    error_code error;
    asio::write(stream_, asio::buffer(bytes.data(), bytes.size()), error);
    return !error;
  }
  void AwaitClose() override {
    char byte;
    error_code error;
    while (!error) stream_.read_some(asio::buffer(&byte, 1), error);
  }

 private:
  Stream& stream_;
};

std::string Head(int status, const std::vector<std::string>& headers) {
  std::string head = absl::StrCat("HTTP/1.1 ", status, " Said\r\n");
  for (const std::string& header : headers) absl::StrAppend(&head, header, "\r\n");
  return absl::StrCat(head, "\r\n");
}

}  // namespace

void Responder::Respond(int status, absl::string_view type, absl::string_view body,
                        const std::vector<std::string>& headers) {
  std::vector<std::string> all = headers;
  all.push_back(absl::StrCat("Content-Length: ", body.size()));
  if (!type.empty()) all.push_back(absl::StrCat("Content-Type: ", type));
  Write(absl::StrCat(Head(status, all), body));
}

void Responder::BeginEvents(const std::vector<std::string>& headers) {
  std::vector<std::string> all = headers;
  all.push_back("Content-Type: text/event-stream");
  all.push_back("Transfer-Encoding: chunked");
  Write(Head(200, all));
}

bool Responder::WriteChunk(absl::string_view bytes) {
  return Write(absl::StrCat(absl::Hex(bytes.size()), "\r\n", bytes, "\r\n"));
}

void Responder::EndChunks() { Write("0\r\n\r\n"); }

class HttpServer::Impl {
 public:
  Impl(Handler handler, const Certificate& certificate)
      : handler_(std::move(handler)),
        acceptor_(loop_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    if (!certificate.key.empty()) {
      tls_ = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
      tls_->use_certificate(asio::buffer(certificate.certificate), asio::ssl::context::pem);
      tls_->use_private_key(asio::buffer(certificate.key), asio::ssl::context::pem);
    }
    accepting_ = std::thread([this] { Accept(); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      for (tcp::socket* socket : open_) ::shutdown(socket->native_handle(), SHUT_RDWR);
    }
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    accepting_.join();
    for (std::thread& thread : threads_) thread.join();
  }

  int port() const { return acceptor_.local_endpoint().port(); }
  bool is_tls() const { return tls_ != nullptr; }
  int connections() const { return connections_; }
  std::vector<ServedRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void Accept() {
    for (;;) {
      error_code error;
      auto socket = std::make_unique<tcp::socket>(acceptor_.accept(error));
      if (error) return;
      const int connection = ++connections_;
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      open_.push_back(socket.get());
      threads_.emplace_back([this, connection, socket = std::move(socket)] {
        Begin(*socket, connection);
        const std::lock_guard closing(mutex_);
        std::erase(open_, socket.get());
        error_code ignored;
        socket->close(ignored);
      });
    }
  }

  void Begin(tcp::socket& socket, int connection) {
    error_code error;
    socket.set_option(tcp::no_delay(true), error);
    if (tls_ == nullptr) return Serve(socket, connection);
    asio::ssl::stream<tcp::socket&> stream(socket, *tls_);
    stream.handshake(asio::ssl::stream_base::server, error);
    if (!error) Serve(stream, connection);
  }

  template <typename Stream>
  void Serve(Stream& stream, int connection) {
    boost::beast::flat_buffer buffer;
    for (;;) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(64 << 20);
      error_code error;
      http::read(stream, buffer, parser, error);
      if (error) return;
      const ServedRequest request = Taken(parser.get(), connection);
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
      }
      StreamResponder<Stream> responder(stream);
      if (!handler_(request, responder)) return;
    }
  }

  static ServedRequest Taken(const http::request<http::string_body>& message, int connection) {
    ServedRequest request{std::string(message.method_string()),
                          std::string(message.target()),
                          message.body(),
                          {},
                          connection};
    for (const auto& field : message) {
      request.headers[absl::AsciiStrToLower(std::string(field.name_string()))] =
          std::string(field.value());
    }
    return request;
  }

  const Handler handler_;
  asio::io_context loop_;
  tcp::acceptor acceptor_;
  std::unique_ptr<asio::ssl::context> tls_;
  std::atomic<int> connections_{0};
  mutable std::mutex mutex_;  // of the next four
  bool stopping_ = false;
  std::vector<tcp::socket*> open_;
  std::vector<std::thread> threads_;
  std::vector<ServedRequest> requests_;
  std::thread accepting_;
};

HttpServer::HttpServer(Handler handler, const Certificate& certificate)
    : impl_(std::make_unique<Impl>(std::move(handler), certificate)) {}
HttpServer::~HttpServer() = default;

int HttpServer::port() const { return impl_->port(); }
std::string HttpServer::Url(absl::string_view host) const {
  return absl::StrCat(impl_->is_tls() ? "https://" : "http://", host, ":", port(), "/mcp");
}
int HttpServer::connections() const { return impl_->connections(); }
std::vector<ServedRequest> HttpServer::requests() const { return impl_->requests(); }

}  // namespace tipstaff::upstream
