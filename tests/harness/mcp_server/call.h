// A call of a tool that is under way, and how its answer goes out: the place where answers
// misbehave.
#pragma once

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/mcp/message.h"
#include "mediator/mcp/version.h"
#include "tests/harness/mcp_server/channel.h"
#include "tests/harness/mcp_server/options.h"

namespace tipstaff::mcp_server {

struct Call {
  mcp::Message message;
  mcp::Generation generation = mcp::Generation::kLegacy;
  ChannelPtr channel;
  std::string session;  // of HTTP; "": stdio, or modern
  bool logs = false;    // the client wants log messages
  bool over = false;    // cancelled, or answered

  json::Value arguments() const { return message.params().Find("arguments"); }
  // Where a token was given.
  void Progress(int64_t progress, int64_t total, absl::string_view text) const;
  void Log(absl::string_view text) const;
};
using CallPtr = std::shared_ptr<Call>;

class Answers {
 public:
  explicit Answers(const Options& options) : options_(options) {}
  // `body`: `"result":{...}` or `"error":{...}`. A call that is over has no answer. `status`:
  // HTTP's.
  void Give(const CallPtr& call, absl::string_view body, int status = 200);

 private:
  const Options& options_;
  struct Held {
    CallPtr call;
    std::string message;
    int status = 200;
  };
  Held held_;  // of --swap-answers: the first of two
};

}  // namespace tipstaff::mcp_server
