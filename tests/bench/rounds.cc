#include "tests/bench/rounds.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "tests/bench/statistics.h"

namespace tipstaff::bench {
namespace {

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

absl::StatusOr<std::vector<ArmNumbers>> Measure(const std::vector<Arm>& arms, int rounds, int calls,
                                                int in_flight) {
  for (const Arm& arm : arms) {
    const int warm_up = std::max(calls / 10, in_flight);
    TIPSTAFF_RETURN_IF_ERROR(RunArm(arm, warm_up, in_flight).status());
  }
  std::vector<Samples> samples(arms.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < arms.size(); ++i) {
      const size_t turn = (i + round) % arms.size();
      TIPSTAFF_ASSIGN_OR_RETURN(const LoadResult result, RunArm(arms[turn], calls, in_flight));
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

}  // namespace tipstaff::bench
