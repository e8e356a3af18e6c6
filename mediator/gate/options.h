// The gate's command line and the descriptors it is started with.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tipstaff::gate {

inline constexpr int kConnectionsFd = 3;
inline constexpr int kMediatorFd = 4;

enum class ConnectionSource {
  kListen,   // kConnectionsFd is the channel's listening Unix socket
  kHandoff,  // it is a Unix socket over which the mediator passes accepted connections
};

struct Options {
  std::string channel;  // names the channel in messages
  ConnectionSource source = ConnectionSource::kListen;
  bool help = false;
};

extern const char kUsage[];

// `arguments` without the program's name. InvalidArgument names the argument and the fix.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments);

// Checks that both descriptors are open and of the kind that `source` asks for, and makes them
// close-on-exec; kConnectionsFd non-blocking, kMediatorFd blocking.
absl::Status PrepareDescriptors(ConnectionSource source);

}  // namespace tipstaff::gate
