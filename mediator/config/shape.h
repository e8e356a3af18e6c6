// The keys of tipstaff.yaml, mapping by mapping. schemas/json/config.schema.json lists the same
// ones for editors (config_schema_test.cc compares them).
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::config {

inline constexpr absl::string_view kFileKeys[] = {"channels", "admin",     "people",
                                                  "ledger",   "keys",      "policies",
                                                  "stubs",    "upstreams", "run_budget"};
inline constexpr absl::string_view kChannelKeys[] = {"runs", "firecracker", "vsock"};
inline constexpr absl::string_view kFirecrackerKeys[] = {"dir", "port"};
inline constexpr absl::string_view kVsockKeys[] = {"port"};
inline constexpr absl::string_view kPersonKeys[] = {"user", "key", "groups"};
inline constexpr absl::string_view kUpstreamKinds[] = {"stdio", "http", "test_system"};
// Beside `stdio` or `http`.
inline constexpr absl::string_view kMcpServerKeys[] = {"owner", "pins",  "sign_off", "credential",
                                                       "stop",  "query", "timeout",  "longest"};
inline constexpr absl::string_view kStdioKeys[] = {"command", "read", "env", "network",
                                                   "unconfined"};
inline constexpr absl::string_view kHttpKeys[] = {"url", "ca"};
inline constexpr absl::string_view kCredentialKeys[] = {"header", "variable", "from", "format"};
inline constexpr absl::string_view kSecretKeys[] = {"env", "file"};
inline constexpr absl::string_view kQueryKeys[] = {"tool", "argument"};
inline constexpr absl::string_view kTestSystemKeys[] = {"command", "tools", "stop", "timeout"};

// Values of `stop`: how a call that is under way at the system can be stopped.
inline constexpr absl::string_view kStops[] = {"killable", "queryable", "none"};
inline constexpr absl::Duration kDefaultTimeout = absl::Seconds(60);
inline constexpr absl::Duration kDefaultLongest = absl::Minutes(10);
inline constexpr absl::Duration kMinTimeout = absl::Milliseconds(1);
inline constexpr absl::Duration kMaxTimeout = absl::Hours(1);

inline constexpr uint64_t kMinRunBudget = 1 << 20;

// Ports of AF_VSOCK: 0xFFFFFFFF means any, and below 1024 only a privileged process can listen.
inline constexpr int64_t kMinVsockPort = 1024;
inline constexpr int64_t kMaxVsockPort = 0xFFFFFFFE;
// What sun_path of a Unix socket's address holds before its final NUL.
inline constexpr size_t kMaxSocketPathBytes = 107;

}  // namespace tipstaff::config
