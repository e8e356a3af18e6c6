#include "tests/bench/path_rounds.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tipstaff::bench {
namespace {

constexpr double kMostOfRelay = 1.5;
constexpr double kLeastOfDirect = 0.35;

}  // namespace

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
