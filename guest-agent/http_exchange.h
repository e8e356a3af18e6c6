// The response to one request, as bytes for its connection.
#pragma once

#include <memory>
#include <string>

#include "guest-agent/http_response.h"

namespace tipstaff::guest_agent {

class HttpPeer;

// Sends JSON when the answer is the first thing there is to say, else a stream of server-sent
// events. Owned by its connection and by whoever has still to answer; does nothing once either the
// response or the connection is over.
class HttpExchange final : public HttpResponse {
 public:
  // `http11`: the client knows chunks. `keep_open`: the connection outlives the response.
  HttpExchange(std::weak_ptr<HttpPeer> peer, mcp::HttpAccepts accepts, bool http11, bool keep_open)
      : peer_(std::move(peer)), accepts_(accepts), http11_(http11), keep_open_(keep_open) {}

  void AddHeader(absl::string_view name, absl::string_view value) override;
  void Answer(const mcp::HttpAnswer& answer) override;
  void Event(absl::string_view message, bool droppable) override;
  void Stream() override;
  void End() override;
  void KeepAlive() override;

 private:
  std::string Head(int status) const;
  void Piece(absl::string_view bytes);
  void Finish(bool keep_open);

  std::weak_ptr<HttpPeer> peer_;
  const mcp::HttpAccepts accepts_;
  const bool http11_;
  const bool keep_open_;
  std::string headers_;
  bool streaming_ = false;
  bool over_ = false;
};

}  // namespace tipstaff::guest_agent
