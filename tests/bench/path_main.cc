// bench_path: see kPathUsage in path_options.cc. Its children run `bench_path --serve-...`.
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "mediator/base/status.h"
#include "tests/bench/path_arms.h"
#include "tests/bench/path_options.h"
#include "tests/bench/path_rounds.h"
#include "tests/bench/path_servers.h"
#include "tests/bench/path_sizes.h"
#include "tests/bench/path_sync.h"
#include "tests/bench/work_folder.h"

namespace tipstaff::bench {
namespace {

absl::Status Drive(const PathOptions& options) {
  TIPSTAFF_ASSIGN_OR_RETURN(const auto folder, WorkFolder::Make(options.folder, "path"));
  TIPSTAFF_RETURN_IF_ERROR(CheckOnDisk(folder->path()));
  TIPSTAFF_ASSIGN_OR_RETURN(const auto arms, Arms::Start(options, folder->path()));
  std::cout << absl::StrFormat("%d calls per arm and round, medians over %d rounds\n",
                               options.calls, options.rounds);
  for (const int in_flight : options.in_flight) {
    TIPSTAFF_ASSIGN_OR_RETURN(const auto numbers,
                              Measure(arms->all(), options.rounds, options.calls, in_flight));
    std::cout << Table(numbers, in_flight) << Targets(numbers, in_flight) << std::flush;
  }
  if (!options.tipstaff_bin.empty()) {
    TIPSTAFF_ASSIGN_OR_RETURN(const Sizes sizes,
                              MeasureSizes(options.tipstaff_bin, folder->path()));
    std::cout << Table(sizes);
  }
  return absl::OkStatus();
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "--serve-echo") return ServeEcho(arguments[1]);
  if (arguments.size() == 4 && arguments[0] == "--serve-relay") {
    return ServeRelay(arguments[1], arguments[2], arguments[3]);
  }
  const absl::StatusOr<PathOptions> options = ParsePathOptions(arguments);
  if (!options.ok()) {
    std::cerr << "bench_path: " << options.status().message() << "\n";
    return 2;
  }
  if (options->help) {
    std::cout << kPathUsage;
    return 0;
  }
  if (const absl::Status driven = Drive(*options); !driven.ok()) {
    std::cerr << "bench_path: " << driven.message() << "\n";
    return absl::IsInvalidArgument(driven) ? 2 : 5;
  }
  return 0;
}

}  // namespace
}  // namespace tipstaff::bench

int main(int argc, char** argv) {
  return tipstaff::bench::Main(std::vector<std::string>(argv + 1, argv + argc));
}
