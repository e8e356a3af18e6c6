// The load of bench_broker: `tools/call` of `echo`, a fixed number in flight, the same for all
// arms.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/arm.h"

namespace tipstaff::bench {

// One MCP client; one thread makes all calls. Not thread-safe.
class EchoClient {
 public:
  // Streamable HTTP of the revision 2025-11-25 at "http://127.0.0.1:PORT/mcp": one session, and a
  // connection for each call in flight, kept alive. It waits up to `patience` for the server.
  static absl::StatusOr<std::unique_ptr<EchoClient>> OverHttp(const std::string& url,
                                                              absl::Duration patience);
  // The same revision on standard input and output of a command.
  static absl::StatusOr<std::unique_ptr<EchoClient>> OverStdio(
      const std::vector<std::string>& command);
  virtual ~EchoClient() = default;

  // Each answer is looked at: an error when one is not what was sent.
  virtual absl::StatusOr<LoadResult> Run(int calls, int in_flight) = 0;
};

}  // namespace tipstaff::bench
