#include "guest-agent/http_exchange.h"

#include "absl/strings/str_cat.h"
#include "guest-agent/http_peer.h"
#include "guest-agent/limits.h"

namespace tipstaff::guest_agent {
namespace {

constexpr absl::string_view kAlways = "Cache-Control: no-store\r\n";
constexpr absl::string_view kEventStream =
    "Content-Type: text/event-stream\r\nX-Accel-Buffering: no\r\n";

absl::string_view Phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Error";
  }
}

}  // namespace

void HttpExchange::AddHeader(absl::string_view name, absl::string_view value) {
  absl::StrAppend(&headers_, name, ": ", value, "\r\n");
}

std::string HttpExchange::Head(int status) const {
  return absl::StrCat("HTTP/1.1 ", status, " ", Phrase(status), "\r\n", kAlways, headers_,
                      keep_open_ ? "" : "Connection: close\r\n");
}

void HttpExchange::Answer(const mcp::HttpAnswer& answer) {
  const std::shared_ptr<HttpPeer> peer = peer_.lock();
  if (over_ || !peer) return;
  // A client that takes only streams gets one; an error it will take as it comes.
  if (streaming_ || (answer.status == 200 && !answer.body.empty() && !accepts_.json)) {
    if (!answer.body.empty()) Event(answer.body, /*droppable=*/false);
    return End();
  }
  for (const auto& [name, value] : answer.headers) AddHeader(name, value);
  Finish(keep_open_);
  peer->Write(absl::StrCat(Head(answer.status),
                           answer.body.empty() ? "" : "Content-Type: application/json\r\n",
                           "Content-Length: ", answer.body.size(), "\r\n\r\n", answer.body));
}

void HttpExchange::Stream() {
  const std::shared_ptr<HttpPeer> peer = peer_.lock();
  if (over_ || streaming_ || !peer) return;
  streaming_ = true;
  peer->Write(absl::StrCat(Head(200), kEventStream,
                           http11_ ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n"));
}

void HttpExchange::Event(absl::string_view message, bool droppable) {
  const std::shared_ptr<HttpPeer> peer = peer_.lock();
  if (over_ || !peer || !accepts_.events) return;
  if (droppable && peer->unwritten_ > kMaxHttpUnwrittenBytes) return;
  Stream();
  Piece(absl::StrCat("event: message\ndata: ", message, "\n\n"));
}

void HttpExchange::KeepAlive() {
  if (streaming_) Piece(":\n\n");
}

void HttpExchange::End() {
  const std::shared_ptr<HttpPeer> peer = peer_.lock();
  if (over_ || !peer) return;
  if (!streaming_ && !accepts_.events) return Answer({202});
  Stream();
  const bool keep_open = keep_open_ && http11_;
  Finish(keep_open);
  // Without chunks the end of the connection is the end of the stream.
  peer->Write(http11_ ? "0\r\n\r\n" : "");
}

void HttpExchange::Piece(absl::string_view bytes) {
  const std::shared_ptr<HttpPeer> peer = peer_.lock();
  if (over_ || !peer) return;
  peer->Write(http11_ ? absl::StrCat(absl::Hex(bytes.size()), "\r\n", bytes, "\r\n")
                      : std::string(bytes));
}

void HttpExchange::Finish(bool keep_open) {
  over_ = true;
  if (const std::shared_ptr<HttpPeer> peer = peer_.lock()) peer->Finish(keep_open);
}

}  // namespace tipstaff::guest_agent
