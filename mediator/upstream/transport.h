// What carries the messages between the broker and one upstream: a process of the run's own, or
// HTTPS. It knows nothing of what they mean (mcp::ClientSession does).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mediator/mcp/client_session.h"

namespace tipstaff::upstream {

// On the event loop's thread only, callbacks too. A callback may destroy the transport; none comes
// after that. What the upstream says is untrusted, and bounded (limits.h).
class Transport {
 public:
  struct Events {
    // `request`: over HTTP the request in whose response it came, else 0.
    std::function<void(absl::string_view message, uint64_t request)> on_message;
    // See ClientSession::OnHttpFailure and OnResponseEnd. Over stdio only on_failure, of a request
    // that could not be taken (`status` 0, `sent` false).
    std::function<void(uint64_t request, int status, std::string body, bool sent)> on_failure;
    std::function<void(uint64_t request)> on_response_end;
    // After Kill() or Close(); over stdio also by itself: the program and whatever it started are
    // gone ("exited with 1"), whatever the reason; Connect() may be called again.
    std::function<void(std::string how)> on_gone;
    // For the operator's log, escaped: what stands on standard error, noise.
    std::function<void(std::string note)> on_note;
  };

  virtual ~Transport() = default;

  // Starts the process, or begins a new session. An error when that cannot even be tried.
  virtual absl::Status Connect() = 0;
  // Never waits. What cannot be sent any more is reported by on_gone or on_failure.
  virtual void Send(const mcp::SendRequest& request) = 0;
  virtual void Send(const mcp::SendNotification& notification) = 0;
  // Only from within on_response_end: asks for the rest of the response, which comes as if it were
  // the response. False where the server has not said that it can be had.
  virtual bool Resume(uint64_t request) = 0;
  // Over HTTP closes the request's stream; nothing of it is reported any more.
  virtual void Forget(uint64_t request) = 0;
  // Ends it: a process at once with all that it started (on_gone follows, when they are gone;
  // where none runs, nothing does). Over HTTP all requests are given up, and on_gone follows.
  virtual void Kill(std::string why) = 0;
  // The same, gently, and without waiting: a process's input ends, then it gets SIGTERM, then it is
  // killed, each after kTimeToExit. Over HTTP as Kill(), and the session is ended (DELETE) there in
  // both.
  virtual void Close(std::string why) = 0;
};

}  // namespace tipstaff::upstream
