// Where a request's messages go: standard output, or the response to a POST.
#pragma once

#include <memory>
#include <string>

namespace tipstaff::mcp_server {

class Channel {
 public:
  virtual ~Channel() = default;
  // Over HTTP, before anything is said: the response's header Mcp-Session-Id.
  virtual void SetSession(const std::string&) {}
  // Over HTTP the request's header, else "".
  virtual std::string Authorization() const { return ""; }
  // A message before the answer, or one that no request waits for.
  virtual void Say(const std::string& message) = 0;
  // The last one. `status`: HTTP's, where nothing was said before.
  virtual void Answer(const std::string& message, int status) = 0;
};
using ChannelPtr = std::shared_ptr<Channel>;

}  // namespace tipstaff::mcp_server
