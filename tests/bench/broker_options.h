// The command line of bench_broker.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tipstaff::bench {

struct BrokerOptions {
  int rounds = 5;
  int calls = 3'000;  // of one arm in one round
  std::vector<int> in_flight = {1, 16};
  std::string folder = "build/bench";  // for ledgers and sockets: on a disk, not tmpfs
  std::string bin = "build/release/bin";
  std::string source = ".";
  std::string node_modules = "build/bench-node/node_modules";  // "": without the other proxies
  std::string node = "node";
  bool help = false;
};

extern const char kBrokerUsage[];

// `arguments` without the program's name. InvalidArgument names the argument and the fix.
absl::StatusOr<BrokerOptions> ParseBrokerOptions(const std::vector<std::string>& arguments);

}  // namespace tipstaff::bench
