// Command line and environment of tipstaff-guest.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::guest_agent {

inline constexpr absl::string_view kDefaultSocket = "/run/tipstaff/guest.sock";
inline constexpr absl::string_view kDefaultTokenFile = "/run/tipstaff/token";

struct VsockAddress {
  uint32_t cid = 0;
  uint32_t port = 0;
};

// A loopback address to serve HTTP on.
struct HttpAddress {
  bool ipv6 = false;  // [::1], else 127.0.0.1
  uint16_t port = 0;  // 0: one that is free
};

struct Options {
  std::string socket;                 // a Unix socket, unless `vsock` is set
  std::optional<VsockAddress> vsock;  // only when the command line says so
  std::string token_file;
  std::optional<HttpAddress> http;  // instead of stdio
  std::string http_token_file;      // "": clients need no token
  bool help = false;
  bool version = false;
};

// The value of an environment variable, nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

// From the arguments after the program's name. InvalidArgument names the argument and the fix, for
// one that looks like a variable that nobody expanded ("${HOME}/token") as well.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments,
                                     const Environment& environment);

std::string HelpText();

}  // namespace tipstaff::guest_agent
