#include "tests/bench/path_options.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/status.h"

namespace tipstaff::bench {

const char kPathUsage[] = R"(usage: bench_path [OPTIONS]

Measures a call's way: from a gRPC client to its result, 1 KiB of arguments (all different) and a
result of about 300 bytes, over Unix sockets between real processes. (Only the read call differs:
its arguments are the report's id, its result is the report of 2.4 KiB.) Arms:
  direct          a gRPC echo server
  relay           a gRPC relay that makes one synced insert of 1 KiB (SQLite, WAL, synchronous=FULL)
                  and then asks the echo server
  tipstaff read   tipstaff serve with its gate: reports.get_report
  tipstaff write  the same: reports.attach_evidence
  bare sync       one write of 4 KiB and fdatasync(2), one at a time: no call
The arms take turns within each round; the numbers are medians over the rounds. At the end stand the
programs' sizes and how soon the mediator is ready.

  --rounds N           rounds (5)
  --calls N            calls of each arm in each round (2000)
  --in-flight N,M      calls in flight at once (1,16)
  --dir FOLDER         where databases and sockets go; on a disk (build/bench)
  --tipstaff-bin DIR   the folder with the programs (build/release/bin); "none": baselines only
  --policies DIR       the folder of the skill's folder (tests/e2e/policies)
  --stubs DIR          the folder of the stubs (stubs)
  --skill NAME         the skill that the run is granted (steady-work)
  --report-id ID       the report of the run (rep_demo0001)
)";

namespace {

constexpr int kMaxCount = 10'000'000;

absl::Status SetCount(const std::string& name, absl::string_view text, int& count) {
  if (!absl::SimpleAtoi(text, &count) || count < 1 || count > kMaxCount) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " `", text, "`: a number from 1 to ", kMaxCount, " is needed"));
  }
  return absl::OkStatus();
}

absl::Status SetInFlight(const std::string& name, const std::string& text, std::vector<int>& all) {
  all.clear();
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    TIPSTAFF_RETURN_IF_ERROR(SetCount(name, part, all.emplace_back()));
  }
  return absl::OkStatus();
}

absl::Status Set(const std::string& name, const std::string& value, PathOptions& options) {
  if (name == "--rounds") return SetCount(name, value, options.rounds);
  if (name == "--calls") return SetCount(name, value, options.calls);
  if (name == "--in-flight") return SetInFlight(name, value, options.in_flight);
  const std::pair<const char*, std::string*> texts[] = {
      {"--dir", &options.folder},        {"--tipstaff-bin", &options.tipstaff_bin},
      {"--policies", &options.policies}, {"--stubs", &options.stubs},
      {"--skill", &options.skill},       {"--report-id", &options.report_id}};
  for (const auto& [known, target] : texts) {
    if (name != known) continue;
    if (value.empty()) return absl::InvalidArgumentError(absl::StrCat(name, " is empty"));
    *target = value == "none" && target == &options.tipstaff_bin ? "" : value;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown argument `", name, "`: see --help"));
}

}  // namespace

absl::StatusOr<PathOptions> ParsePathOptions(const std::vector<std::string>& arguments) {
  PathOptions options;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    if (arguments[i] == "--help") {
      options.help = true;
      return options;
    }
    if (i + 1 == arguments.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", arguments[i], "` needs a value, or is unknown: see --help"));
    }
    TIPSTAFF_RETURN_IF_ERROR(Set(arguments[i], arguments[i + 1], options));
  }
  return options;
}

}  // namespace tipstaff::bench
