// A guest that speaks gRPC without the guest agent, so that it can send what the agent never would.
#pragma once

#include <memory>
#include <string>

#include "absl/time/time.h"

namespace tipstaff::e2e {

// What came of a request.
struct RawAnswer {
  std::string code;     // gRPC's, by name: "OK", "UNAUTHENTICATED", ...
  std::string message;  // its message
  // Of a call that ended:
  std::string decision_id, verdict, reason;
  bool retry = false;
  std::string result;
};

// One connection. Not thread-safe. No request takes longer than 30 s.
class RawGuest {
 public:
  // Throws when nobody listens on `socket`.
  explicit RawGuest(const std::string& socket);
  ~RawGuest();

  // Keeps the session for the requests that follow.
  RawAnswer Hello(const std::string& token);
  // With the token that `tipstaff run open` wrote; throws when it is refused.
  void HelloFrom(const std::string& token_file);
  RawAnswer Call(const std::string& call_id, const std::string& tool, const std::string& arguments);
  RawAnswer ListTools();

  const std::string& session() const { return session_; }
  void set_session(const std::string& session) { session_ = session; }
  // Whether the other side closes the connection within `time`. No request works afterwards.
  bool ClosesWithin(absl::Duration time);

 private:
  struct Wire;
  const std::unique_ptr<Wire> wire_;
  std::string session_;
};

}  // namespace tipstaff::e2e
