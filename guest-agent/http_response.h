// The response to one HTTP request, as those see it who have something to say in it.
#pragma once

#include "absl/strings/string_view.h"
#include "mediator/mcp/http_rules.h"

namespace tipstaff::guest_agent {

// Not thread-safe. After its end, or when the client is gone, nothing has an effect.
class HttpResponse {
 public:
  virtual ~HttpResponse() = default;

  // Goes out with the head, whatever the response will be. Before any of the others.
  virtual void AddHeader(absl::string_view name, absl::string_view value) = 0;
  // The whole of it, or, when events went out before, its last event.
  virtual void Answer(const mcp::HttpAnswer& answer) = 0;
  // The first event makes it a stream. Left out where the client takes no stream or, if
  // `droppable`, where it does not keep up.
  virtual void Event(absl::string_view message, bool droppable) = 0;
  // Makes it a stream before there is an event.
  virtual void Stream() = 0;
  // Without an answer: an empty stream, or nothing.
  virtual void End() = 0;
  // Of a stream: something that no client sees, so that nobody takes it for dead.
  virtual void KeepAlive() = 0;
};

}  // namespace tipstaff::guest_agent
