// MCP on stdio: a server between two descriptors and the mediator.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "guest-agent/calls.h"
#include "guest-agent/connection.h"
#include "guest-agent/line_writer.h"
#include "mediator/base/fd.h"
#include "mediator/mcp/lines.h"
#include "mediator/mcp/session.h"

namespace tipstaff::guest_agent {

class Agent final : private Answers {
 public:
  using Log = std::function<void(absl::string_view)>;

  // Reads requests from `input` and writes answers to `output`; both stay the caller's. `log` is
  // called from several threads; it gets text that is escaped already.
  Agent(int input, int output, mcp::ServerInfo info, Connection::Dial dial, Connection::Token token,
        Log log, Patience patience = {});

  // Serves until the input ends or nobody reads the output; then cancels what is under way.
  // The mediator is first looked for when a request needs it.
  void Run();

 private:
  void OnList(uint64_t ticket, const absl::StatusOr<mcp::CatalogPtr>& catalog) override;
  void OnProgress(uint64_t ticket, const mcp::CallProgress& progress) override;
  void OnLog(uint64_t ticket, const std::string& params) override;
  void OnCallEnd(uint64_t ticket, const mcp::CallEnd& end) override;
  void OnChange(const mcp::Change& change) override;

  // Waits for input; false at the end.
  bool Read();
  void HandleLines();
  // Precondition of both: mutex_ is held, so that answers leave in the session's order.
  void Do(std::vector<mcp::Output> outputs);
  void Do(mcp::Output output);

  const int input_;
  const Log log_;
  base::Fd output_gone_;  // an eventfd
  mcp::LineReader lines_;
  LineWriter writer_;
  Connection connection_;
  std::mutex mutex_;
  mcp::ServerSession session_;
  Calls calls_;
};

}  // namespace tipstaff::guest_agent
