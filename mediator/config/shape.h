// The keys of tipstaff.yaml, mapping by mapping. schemas/json/config.schema.json lists the same
// ones for editors (config_schema_test.cc compares them).
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace tipstaff::config {

inline constexpr absl::string_view kFileKeys[] = {"channels", "admin",    "people", "ledger",
                                                  "keys",     "policies", "stubs"};
inline constexpr absl::string_view kChannelKeys[] = {"runs", "firecracker", "vsock"};
inline constexpr absl::string_view kFirecrackerKeys[] = {"dir", "port"};
inline constexpr absl::string_view kVsockKeys[] = {"port"};
inline constexpr absl::string_view kPersonKeys[] = {"user", "key", "groups"};

// Ports of AF_VSOCK: 0xFFFFFFFF means any, and below 1024 only a privileged process can listen.
inline constexpr int64_t kMinVsockPort = 1024;
inline constexpr int64_t kMaxVsockPort = 0xFFFFFFFE;
// What sun_path of a Unix socket's address holds before its final NUL.
inline constexpr size_t kMaxSocketPathBytes = 107;

}  // namespace tipstaff::config
