// bench_broker: see kBrokerUsage in broker_options.cc.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/status.h"
#include "tests/bench/broker_arms.h"
#include "tests/bench/broker_options.h"
#include "tests/bench/rounds.h"
#include "tests/bench/work_folder.h"

namespace tipstaff::bench {
namespace {

constexpr double kLeastOfFaster = 3.0;

const ArmNumbers* Find(const std::vector<ArmNumbers>& arms, const std::string& name) {
  const auto it = std::find_if(arms.begin(), arms.end(),
                               [&](const ArmNumbers& arm) { return arm.name == name; });
  return it == arms.end() ? nullptr : &*it;
}

// Of the other proxies, the one with more calls per second; null without them.
const ArmNumbers* Faster(const std::vector<ArmNumbers>& arms) {
  const ArmNumbers* one = Find(arms, kMcpProxy);
  const ArmNumbers* other = Find(arms, kSupergateway);
  if (one == nullptr || other == nullptr) return nullptr;
  return one->calls_per_second > other->calls_per_second ? one : other;
}

std::string Table(const std::vector<ArmNumbers>& arms, int in_flight) {
  const ArmNumbers* faster = Faster(arms);
  std::string table =
      absl::StrFormat("\n%d in flight\n%-22s %10s %10s %10s %14s %14s\n", in_flight, "arm",
                      "calls/s", "median us", "p99 us", "calls/s / http", "/ faster other");
  for (const ArmNumbers& arm : arms) {
    absl::StrAppendFormat(
        &table, "%-22s %10.0f %10.0f %10.0f %14.3f %14s\n", arm.name, arm.calls_per_second,
        arm.median_us, arm.p99_us, arm.calls_per_second / arms[0].calls_per_second,
        faster == nullptr
            ? "-"
            : absl::StrFormat("%.2f", arm.calls_per_second / faster->calls_per_second));
  }
  return table;
}

// What is required of Tipstaff with the same server as the others have: at one in flight a lower
// median than either, at more at least 3 x the calls per second of the faster one.
std::string Targets(const std::vector<ArmNumbers>& arms, int in_flight) {
  const ArmNumbers* faster = Faster(arms);
  const ArmNumbers* ours = Find(arms, kTipstaffStdio);
  if (faster == nullptr || ours == nullptr) return "";
  if (in_flight == 1) {
    const double lowest =
        std::min(Find(arms, kMcpProxy)->median_us, Find(arms, kSupergateway)->median_us);
    return absl::StrFormat("%s: median %.0f us, below %.0f us: %s\n", ours->name, ours->median_us,
                           lowest, ours->median_us < lowest ? "met" : "MISSED");
  }
  const double ratio = ours->calls_per_second / faster->calls_per_second;
  return absl::StrFormat("%s: %.2f x the calls/s of %s, at least %.2f: %s\n", ours->name, ratio,
                         faster->name, kLeastOfFaster, ratio >= kLeastOfFaster ? "met" : "MISSED");
}

absl::Status Drive(const BrokerOptions& options) {
  // The programs have it as their own folder.
  const std::string parent = std::filesystem::absolute(options.folder).lexically_normal().string();
  TIPSTAFF_ASSIGN_OR_RETURN(const auto folder, WorkFolder::Make(parent, "b"));
  TIPSTAFF_ASSIGN_OR_RETURN(const auto arms, BrokerArms::Start(options, folder->path()));
  std::cout << absl::StrFormat("%d calls per arm and round, medians over %d rounds\n",
                               options.calls, options.rounds);
  for (const int in_flight : options.in_flight) {
    TIPSTAFF_ASSIGN_OR_RETURN(const auto numbers,
                              Measure(arms->all(), options.rounds, options.calls, in_flight));
    std::cout << Table(numbers, in_flight) << Targets(numbers, in_flight) << std::flush;
  }
  return absl::OkStatus();
}

int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<BrokerOptions> options = ParseBrokerOptions(arguments);
  if (!options.ok()) {
    std::cerr << "bench_broker: " << options.status().message() << "\n";
    return 2;
  }
  if (options->help) {
    std::cout << kBrokerUsage;
    return 0;
  }
  if (const absl::Status driven = Drive(*options); !driven.ok()) {
    std::cerr << "bench_broker: " << driven.message() << "\n";
    return absl::IsInvalidArgument(driven) ? 2 : 5;
  }
  return 0;
}

}  // namespace
}  // namespace tipstaff::bench

int main(int argc, char** argv) {
  return tipstaff::bench::Main(std::vector<std::string>(argv + 1, argv + argc));
}
