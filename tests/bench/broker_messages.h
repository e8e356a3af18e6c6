// What the clients of bench_broker say, and what they look for.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tipstaff::bench {

inline constexpr char kMcpVersion[] = "2025-11-25";

std::string InitializeMessage();
std::string InitializedMessage();
// With 256 bytes of text that is different for each `id`.
std::string EchoCall(uint64_t id);
// Whether `body` (JSON, or a stream of events) has the answer to EchoCall(`id`).
absl::Status CheckEcho(absl::string_view body, uint64_t id);

}  // namespace tipstaff::bench
