#include "tests/bench/path_rounds.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/status.h"
#include "tests/bench/statistics.h"

namespace tipstaff::bench {
namespace {

constexpr double kMostOfRelay = 1.5;
constexpr double kLeastOfDirect = 0.35;

struct Samples {
  std::vector<double> median_us, p99_us, calls_per_second;
};

absl::StatusOr<LoadResult> RunArm(const Arm& arm, int calls, int in_flight) {
  absl::StatusOr<LoadResult> result = arm.run(calls, in_flight);
  if (result.ok()) return result;
  return absl::Status(result.status().code(),
                      absl::StrCat("arm `", arm.name, "`: ", result.status().message()));
}

void Record(const LoadResult& result, Samples& samples) {
  const auto micros = [&](double fraction) {
    return absl::ToDoubleMicroseconds(Quantile(result.latencies, fraction));
  };
  samples.median_us.push_back(micros(0.5));
  samples.p99_us.push_back(micros(0.99));
  samples.calls_per_second.push_back(static_cast<double>(result.latencies.size()) /
                                     absl::ToDoubleSeconds(result.wall));
}

}  // namespace

absl::StatusOr<std::vector<ArmNumbers>> Measure(const std::vector<Arm>& arms,
                                                const PathOptions& options, int in_flight) {
  for (const Arm& arm : arms) {
    const int warm_up = std::max(options.calls / 10, in_flight);
    TIPSTAFF_RETURN_IF_ERROR(RunArm(arm, warm_up, in_flight).status());
  }
  std::vector<Samples> samples(arms.size());
  for (int round = 0; round < options.rounds; ++round) {
    for (size_t i = 0; i < arms.size(); ++i) {
      const size_t turn = (i + round) % arms.size();
      TIPSTAFF_ASSIGN_OR_RETURN(const LoadResult result,
                                RunArm(arms[turn], options.calls, in_flight));
      Record(result, samples[turn]);
    }
  }
  std::vector<ArmNumbers> numbers;
  for (size_t i = 0; i < arms.size(); ++i) {
    numbers.push_back({arms[i].name, Median(samples[i].median_us), Median(samples[i].p99_us),
                       Median(samples[i].calls_per_second)});
  }
  return numbers;
}

std::string Table(const std::vector<ArmNumbers>& arms, int in_flight) {
  const ArmNumbers& direct = arms[0];
  const ArmNumbers& relay = arms[1];
  std::string table = absl::StrFormat("\n%d in flight\n%-16s %10s %10s %10s %12s %12s %12s\n",
                                      in_flight, "arm", "median us", "p99 us", "calls/s",
                                      "median/relay", "median/dir.", "calls/s/dir.");
  for (const ArmNumbers& arm : arms) {
    absl::StrAppendFormat(&table, "%-16s %10.0f %10.0f %10.0f %12.2f %12.2f %12.3f\n", arm.name,
                          arm.median_us, arm.p99_us, arm.calls_per_second,
                          arm.median_us / relay.median_us, arm.median_us / direct.median_us,
                          arm.calls_per_second / direct.calls_per_second);
  }
  return table;
}

std::string Targets(const std::vector<ArmNumbers>& arms, int in_flight) {
  std::string lines;
  for (const ArmNumbers& arm : arms) {
    if (!absl::StartsWith(arm.name, "tipstaff")) continue;
    if (in_flight == 1) {
      const double ratio = arm.median_us / arms[1].median_us;
      absl::StrAppendFormat(&lines, "%-16s median %.2f x relay, at most %.2f: %s\n", arm.name,
                            ratio, kMostOfRelay, ratio <= kMostOfRelay ? "met" : "MISSED");
    } else {
      const double ratio = arm.calls_per_second / arms[0].calls_per_second;
      absl::StrAppendFormat(&lines, "%-16s calls/s %.3f x direct, at least %.2f: %s\n", arm.name,
                            ratio, kLeastOfDirect, ratio >= kLeastOfDirect ? "met" : "MISSED");
    }
  }
  return lines;
}

}  // namespace tipstaff::bench
