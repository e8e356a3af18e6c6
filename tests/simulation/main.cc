// ./dev sim: schedules of the run's state machine, one for each seed. A rule can be left out where
// crash_point.h lets it, as in the preset dev.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include "absl/strings/numbers.h"
#include "mediator/base/crash_point.h"
#include "tests/simulation/rules.h"
#include "tests/simulation/schedule.h"

namespace tipstaff::simulation {
namespace {

constexpr char kUsage[] =
    "usage: tipstaff-sim [--seeds N] [--first SEED]   N schedules (10000) from SEED (1) on\n"
    "       tipstaff-sim --seed SEED                  one, and what happened in it\n"
#if TIPSTAFF_CRASH_POINTS
    "       ... --omit RULE                           with a rule left out; exit 0 once a seed "
    "shows it\n"
#endif
    ;

struct Options {
  uint64_t seeds = 10'000, first = 1;
  std::optional<uint64_t> one;
  const Rule* omitted = nullptr;
};

int Refuse(const std::string& why) {
  std::fprintf(stderr, "tipstaff-sim: %s\n%s", why.c_str(), kUsage);
  return 2;
}

#if TIPSTAFF_CRASH_POINTS
const Rule* FindRule(const char* name) {
  for (const Rule& rule : kRules) {
    if (std::strcmp(rule.name, name) == 0) return &rule;
  }
  return nullptr;
}
#endif

// Why they cannot be used; "" otherwise.
std::string Parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) return "a value is missing after `" + name + "`, or it is unknown";
    uint64_t number = 0;
    const bool is_number = absl::SimpleAtoi(argv[i + 1], &number);
#if TIPSTAFF_CRASH_POINTS
    if (name == "--omit") {
      options.omitted = FindRule(argv[i + 1]);
      if (options.omitted == nullptr) return std::string("there is no rule `") + argv[i + 1] + "`";
      continue;
    }
#endif
    if (name != "--seeds" && name != "--first" && name != "--seed") return "unknown `" + name + "`";
    if (!is_number) return name + " `" + argv[i + 1] + "`: a number is needed";
    if (name == "--seeds") options.seeds = number;
    if (name == "--first") options.first = number;
    if (name == "--seed") options.one = number;
  }
  return "";
}

void Print(const Findings& findings) {
  for (const std::string& line : findings.trace()) std::printf("%s\n", line.c_str());
}

int PlayOne(uint64_t seed) {
  const Findings findings = PlaySchedule(seed, true);
  Print(findings);
  std::printf("%s\n", findings.broken() ? findings.violation().c_str() : "every promise is kept");
  return findings.broken() ? 1 : 0;
}

int PlayAll(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  std::map<std::string, int> seen;
  for (uint64_t i = 0; i < options.seeds; ++i) {
    const uint64_t seed = options.first + i;
    const Findings findings = PlaySchedule(seed);
    for (const auto& [what, times] : findings.seen()) seen[what] += times > 0 ? 1 : 0;
    if (!findings.broken()) continue;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed),
                findings.violation().c_str());
    return options.omitted != nullptr ? 0 : 1;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%llu seeds, %.1f s: every promise is kept\n",
              static_cast<unsigned long long>(options.seeds), took.count());
  for (const auto& [what, seeds] : seen) std::printf("  %8d came to: %s\n", seeds, what.c_str());
  return options.omitted != nullptr ? 1 : 0;
}

int Main(int argc, char** argv) {
  Options options;
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (const std::string why = Parse(argc, argv, options); !why.empty()) return Refuse(why);
#if TIPSTAFF_CRASH_POINTS
  if (options.omitted != nullptr) base::LeaveOut(options.omitted->name);
#endif
  return options.one.has_value() ? PlayOne(*options.one) : PlayAll(options);
}

}  // namespace
}  // namespace tipstaff::simulation

int main(int argc, char** argv) { return tipstaff::simulation::Main(argc, argv); }
