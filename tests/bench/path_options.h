// The command line of bench_path.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tipstaff::bench {

struct PathOptions {
  int rounds = 5;
  int calls = 2'000;  // of one arm in one round
  std::vector<int> in_flight = {1, 16};
  std::string folder = "build/bench";  // for databases and sockets: on a disk, not tmpfs
  // The folder with tipstaff, tipstaff-gate and tipstaff-guest; "": no Tipstaff arms.
  std::string tipstaff_bin = "build/release/bin";
  std::string policies = "tests/e2e/policies";
  std::string stubs = "stubs";
  std::string skill = "steady-work";
  std::string report_id = "rep_demo0001";
  bool help = false;
};

extern const char kPathUsage[];

// `arguments` without the program's name. InvalidArgument names the argument and the fix.
absl::StatusOr<PathOptions> ParsePathOptions(const std::vector<std::string>& arguments);

}  // namespace tipstaff::bench
