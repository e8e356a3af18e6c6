// One TCP connection of an HTTP client: requests in, one after the other, and a response to each.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "guest-agent/http_response.h"
#include "guest-agent/limits.h"
#include "mediator/mcp/http_rules.h"

namespace tipstaff::guest_agent {

class HttpPeer;

// Who answers the requests. Everything happens in the thread of the event loop.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // Once the head is there, before the body is: an answer ends the connection.
  virtual std::optional<mcp::HttpAnswer> OnHead(const mcp::HttpHead& head) = 0;
  virtual void OnRequest(const std::shared_ptr<HttpResponse>& response, const mcp::HttpHead& head,
                         const std::string& body) = 0;
  // The client is gone, and the response was not over.
  virtual void OnGone(const std::shared_ptr<HttpResponse>& response) = 0;
  virtual void OnClosed(const std::shared_ptr<HttpPeer>& peer) = 0;
};

// What a client may take.
struct HttpTimes {
  absl::Duration idle = kHttpConnectionIdle;  // between requests
  absl::Duration request = kHttpRequestTime;  // to send one, from its first byte on
  absl::Duration write = kHttpWriteTime;      // to read one piece of a response
};

// Bounds the head, the body, what is read ahead, what waits to be written, and the time that a
// client takes for each. Requests that are sent ahead wait until the one before has its answer.
class HttpPeer : public std::enable_shared_from_this<HttpPeer> {
 public:
  // `handler` must outlive it.
  HttpPeer(boost::asio::ip::tcp::socket socket, HttpHandler& handler, const HttpTimes& times = {});

  void Start();
  // At once, whatever is under way.
  void Close();

 private:
  friend class HttpExchange;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Error = boost::system::error_code;

  void Read();
  void OnRead(Error error, size_t bytes);
  // Takes in what was read, up to the end of a request.
  void Parse();
  bool OnParsedHead();
  void OnParsedRequest();
  void Refuse(Error error);
  void NextRequest();

  // Of the response under way.
  void Write(std::string bytes);
  void Finish(bool keep_open);
  void DoWrite();
  void OnWritten(Error error);
  // Says goodbye: what the client still sends is read and dropped, so that it reads the answer.
  void Linger();
  void SetDeadline(boost::asio::steady_timer& timer, absl::Duration duration);

  boost::asio::ip::tcp::socket socket_;
  HttpHandler& handler_;
  const HttpTimes times_;
  boost::asio::steady_timer read_deadline_, write_deadline_;
  char chunk_[16 << 10];
  std::string in_;  // read and not yet parsed
  std::optional<Parser> parser_;
  size_t head_bytes_ = 0;
  bool head_judged_ = false;
  bool reading_ = false;
  std::shared_ptr<HttpResponse> response_;  // under way; none: a request is being read
  std::deque<std::string> out_;
  size_t unwritten_ = 0;
  bool finished_ = false;  // the response is over, and is being written
  bool keep_open_ = true;
  bool lingering_ = false;
  bool half_closed_ = false;  // the client sends no more
  bool closed_ = false;
};

}  // namespace tipstaff::guest_agent
