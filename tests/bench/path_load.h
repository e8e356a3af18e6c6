// The load: calls of the guest service, a fixed number in flight.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/arm.h"

namespace tipstaff::bench {

// Which calls to make. `arguments` of a call's number; each number is used once.
struct Workload {
  std::string tool;
  std::function<std::string(uint64_t)> arguments;
};

// `size` bytes of a JSON object that differs for each number.
std::string PaddedArguments(uint64_t number, size_t size);

// One gRPC connection. One thread makes all calls, so that the client costs every arm the same.
class LoadClient {
 public:
  // Connects to the Unix socket at `path`. Unavailable when nobody listens.
  static absl::StatusOr<std::unique_ptr<LoadClient>> Connect(const std::string& path);
  virtual ~LoadClient() = default;

  // Says Hello; its session goes with all later calls.
  virtual absl::Status Hello(const std::string& token) = 0;
  // Makes `calls` calls, `in_flight` at once. An error when one of them fails or is not allowed.
  virtual absl::StatusOr<LoadResult> Run(const Workload& workload, int calls, int in_flight) = 0;
};

}  // namespace tipstaff::bench
