#include "tests/bench/path_sizes.h"

#include <filesystem>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "tests/bench/statistics.h"
#include "tests/harness/agent.h"
#include "tests/harness/mediator.h"

namespace tipstaff::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kStarts = 9;
constexpr uint64_t kMaxGuestProgram = 8'000'000;
constexpr uint64_t kMaxGuestResident = 10'000'000;
constexpr uint64_t kMaxMediatorResident = 40'000'000;
constexpr absl::Duration kMaxReady = absl::Milliseconds(300);

absl::StatusOr<uint64_t> ResidentBytes(pid_t pid) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string status,
                            base::ReadFile(absl::StrCat("/proc/", pid, "/status")));
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    uint64_t kib = 0;
    if (absl::ConsumePrefix(&line, "VmRSS:") && absl::ConsumeSuffix(&line, " kB") &&
        absl::SimpleAtoi(line, &kib)) {
      return kib << 10;
    }
  }
  return absl::InternalError("no VmRSS in a process's status");
}

std::string Line(const char* name, const std::string& found, const std::string& most, bool met) {
  return absl::StrFormat("%-28s %12s   at most %-10s %s\n", name, found, most,
                         met ? "met" : "MISSED");
}

}  // namespace

absl::StatusOr<Sizes> MeasureSizes(const std::string& bin, const std::string& folder) {
  const std::string work = fs::absolute(folder + "/sizes").string();
  fs::create_directories(work);
  const harness::MediatorOptions options{fs::absolute(bin).string(), fs::current_path().string(),
                                         work, /*test_files=*/true, ""};
  Sizes sizes;
  sizes.guest_program = fs::file_size(options.bin + "/tipstaff-guest");
  std::vector<absl::Duration> starts;
  std::unique_ptr<harness::Mediator> mediator;
  for (int i = 0; i < kStarts; ++i) {
    if (mediator != nullptr) TIPSTAFF_RETURN_IF_ERROR(mediator->Stop().status());
    const absl::Time start = absl::Now();
    TIPSTAFF_ASSIGN_OR_RETURN(mediator, harness::Mediator::Start(options));
    starts.push_back(absl::Now() - start);
  }
  std::sort(starts.begin(), starts.end());
  sizes.ready = Quantile(starts, 0.5);
  TIPSTAFF_ASSIGN_OR_RETURN(sizes.mediator_resident, ResidentBytes(mediator->pid()));
  TIPSTAFF_ASSIGN_OR_RETURN(const harness::OpenedRun run,
                            mediator->OpenRun({"--skill", "steady-work", "--bind",
                                               "report_id=rep_demo0001", "--bind", "tenant=acme"}));
  TIPSTAFF_ASSIGN_OR_RETURN(const auto agent,
                            harness::Agent::Start(options.bin, run, work + "/guest.log"));
  TIPSTAFF_RETURN_IF_ERROR(agent->ListTools().status());
  TIPSTAFF_RETURN_IF_ERROR(
      agent->Call("reports_get_report", R"({"report_id":"rep_demo0001"})").status());
  TIPSTAFF_ASSIGN_OR_RETURN(sizes.guest_resident, ResidentBytes(agent->process().pid()));
  return sizes;
}

std::string Table(const Sizes& sizes) {
  return absl::StrCat("\nsizes\n",
                      Line("tipstaff-guest, program", base::ShowBytes(sizes.guest_program), "8 MB",
                           sizes.guest_program <= kMaxGuestProgram),
                      Line("tipstaff-guest, resident", base::ShowBytes(sizes.guest_resident),
                           "10 MB", sizes.guest_resident <= kMaxGuestResident),
                      Line("mediator idle, resident", base::ShowBytes(sizes.mediator_resident),
                           "40 MB", sizes.mediator_resident <= kMaxMediatorResident),
                      Line("mediator ready after", base::ShowDuration(sizes.ready), "300 ms",
                           sizes.ready <= kMaxReady));
}

}  // namespace tipstaff::bench
