#include "guest-agent/http_peer.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/field.hpp>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "guest-agent/http_exchange.h"
#include "guest-agent/limits.h"
#include "mediator/mcp/lines.h"

namespace tipstaff::guest_agent {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

// Read while a response is under way: to see that the client went away.
constexpr size_t kMaxReadAheadBytes = 64 << 10;
constexpr absl::Duration kLingerTime = absl::Seconds(2);

absl::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

mcp::HttpHead HeadOf(const http::request<http::string_body>& request) {
  mcp::HttpHead head = {
      std::string(View(request.method_string())), std::string(View(request.target())), {}};
  for (const auto& field : request) {
    head.headers.emplace_back(absl::AsciiStrToLower(View(field.name_string())),
                              absl::StripAsciiWhitespace(View(field.value())));
  }
  return head;
}

mcp::HttpAnswer AnswerTo(const boost::system::error_code& error) {
  if (error == http::error::header_limit) {
    return mcp::HttpError(431, mcp::kInvalidRequest, "the head is larger than 16 KiB");
  }
  if (error == http::error::body_limit) {
    return mcp::HttpError(413, mcp::kInvalidRequest, "the body is larger than 2 MiB");
  }
  return mcp::HttpError(400, mcp::kInvalidRequest, "not an HTTP request");
}
static_assert(kMaxHttpHeadBytes == 16 << 10 && mcp::kMaxLineBytes == 2 << 20);

}  // namespace

HttpPeer::HttpPeer(asio::ip::tcp::socket socket, HttpHandler& handler, const HttpTimes& times)
    : socket_(std::move(socket)),
      handler_(handler),
      times_(times),
      read_deadline_(socket_.get_executor()),
      write_deadline_(socket_.get_executor()) {}

void HttpPeer::Start() { NextRequest(); }

void HttpPeer::NextRequest() {
  parser_.emplace();
  parser_->header_limit(kMaxHttpHeadBytes);
  // Not before the head was judged: who must not come in is told just that.
  parser_->body_limit(std::numeric_limits<uint64_t>::max());
  head_bytes_ = 0;
  head_judged_ = false;
  SetDeadline(read_deadline_, in_.empty() ? times_.idle : times_.request);
  Parse();
  Read();
}

void HttpPeer::SetDeadline(asio::steady_timer& timer, absl::Duration duration) {
  timer.expires_after(absl::ToChronoNanoseconds(duration));
  timer.async_wait([self = shared_from_this()](Error error) {
    if (!error) self->Close();
  });
}

void HttpPeer::Close() {
  if (std::exchange(closed_, true)) return;
  Error ignored;
  socket_.close(ignored);
  read_deadline_.cancel();
  write_deadline_.cancel();
  if (const auto response = std::exchange(response_, nullptr); response && !finished_) {
    handler_.OnGone(response);
  }
  handler_.OnClosed(shared_from_this());
}

void HttpPeer::Read() {
  if (reading_ || closed_ || half_closed_ || in_.size() >= kMaxReadAheadBytes) return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(chunk_),
                          [self = shared_from_this()](Error error, size_t bytes) {
                            self->reading_ = false;
                            self->OnRead(error, bytes);
                          });
}

void HttpPeer::OnRead(Error error, size_t bytes) {
  if (closed_) return;
  if (error == asio::error::eof && finished_) {
    half_closed_ = true;  // it still reads what it was waiting for
    keep_open_ = false;
    return;
  }
  if (error) return Close();
  if (!lingering_) {
    if (!response_ && in_.empty() && !head_judged_) SetDeadline(read_deadline_, times_.request);
    in_.append(chunk_, bytes);
    Parse();
  }
  Read();
}

void HttpPeer::Parse() {
  size_t at = 0;
  while (!response_ && !finished_ && !lingering_ && !closed_ && at < in_.size()) {
    Error error;
    const size_t used = parser_->put(asio::buffer(in_.data() + at, in_.size() - at), error);
    at += used;
    if (error == http::error::need_more) error = {};
    // The parser's own limit is on what it is given at once.
    if (!head_judged_ && (head_bytes_ += used) > kMaxHttpHeadBytes) {
      error = http::error::header_limit;
    }
    if (error) {
      Refuse(error);
      break;
    }
    if (parser_->is_header_done() && !std::exchange(head_judged_, true) && !OnParsedHead()) break;
    if (parser_->is_done()) {
      OnParsedRequest();
    } else if (used == 0) {
      break;
    }
  }
  in_.erase(0, at);
}

bool HttpPeer::OnParsedHead() {
  const mcp::HttpHead head = HeadOf(parser_->get());
  std::optional<mcp::HttpAnswer> answer = handler_.OnHead(head);
  if (!answer && parser_->content_length().value_or(0) > mcp::kMaxLineBytes) {
    answer = AnswerTo(http::error::body_limit);
  }
  if (!answer) {
    parser_->body_limit(mcp::kMaxLineBytes);
    if (absl::EqualsIgnoreCase(head.Find("expect").value_or(""), "100-continue")) {
      Write("HTTP/1.1 100 Continue\r\n\r\n");
    }
    return true;
  }
  // What follows is not looked at, so the connection ends with it.
  HttpExchange(weak_from_this(), {}, /*http11=*/true, /*keep_open=*/false).Answer(*answer);
  return false;
}

void HttpPeer::OnParsedRequest() {
  read_deadline_.cancel();
  http::request<http::string_body> request = parser_->release();
  const mcp::HttpHead head = HeadOf(request);
  const bool http11 = request.version() >= 11;
  response_ = std::make_shared<HttpExchange>(weak_from_this(), mcp::AcceptsOf(head), http11,
                                             http11 && request.keep_alive());
  finished_ = false;
  const std::shared_ptr<HttpResponse> response = response_;  // it may be over before this returns
  handler_.OnRequest(response, head, request.body());
}

void HttpPeer::Refuse(Error error) {
  HttpExchange(weak_from_this(), {}, /*http11=*/true, /*keep_open=*/false).Answer(AnswerTo(error));
}

void HttpPeer::Write(std::string bytes) {
  if (closed_) return;
  unwritten_ += bytes.size();
  if (unwritten_ > kMostHttpUnwrittenBytes) return Close();
  out_.push_back(std::move(bytes));
  if (out_.size() == 1) DoWrite();
}

void HttpPeer::DoWrite() {
  SetDeadline(write_deadline_, times_.write);
  asio::async_write(socket_, asio::buffer(out_.front()),
                    [self = shared_from_this()](Error error, size_t) { self->OnWritten(error); });
}

void HttpPeer::OnWritten(Error error) {
  if (closed_) return;
  if (error) return Close();
  write_deadline_.cancel();
  unwritten_ -= out_.front().size();
  out_.pop_front();
  if (!out_.empty()) return DoWrite();
  if (!finished_) return;
  finished_ = false;
  response_ = nullptr;
  if (half_closed_) return Close();
  if (!keep_open_) return Linger();
  NextRequest();
}

void HttpPeer::Finish(bool keep_open) {
  finished_ = true;
  keep_open_ = keep_open && !half_closed_;
}

void HttpPeer::Linger() {
  lingering_ = true;
  in_.clear();
  Error ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  SetDeadline(read_deadline_, kLingerTime);
  Read();
}

}  // namespace tipstaff::guest_agent
