// bench_ledger: what sharing a sync is worth, and what a long ledger costs.
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "mediator/base/status.h"
#include "tests/bench/ledger_load.h"
#include "tests/bench/process.h"
#include "tests/bench/statistics.h"
#include "tests/harness/mediator.h"

namespace tipstaff::bench {
namespace {

namespace fs = std::filesystem;

constexpr char kUsage[] = R"(usage: bench_ledger [OPTIONS]

Appends records such as runs make (512 bytes of arguments, 256 of results) to ledgers on the disk:
one commit for each record, 64 appends in flight, and both a new ledger and a long one in turns;
then how soon the long ledger's first page of `tipstaff log` comes, and how soon `tipstaff serve`
is ready again after SIGKILL.

  --records N        records of the long ledger (1000000)
  --rounds N         rounds (7)
  --dir FOLDER       where ledgers go; on a disk (build/bench)
  --bin DIR          the folder with the programs (build/release/bin)
)";

constexpr int kInFlight = 64;
constexpr uint64_t kSingleAppends = 300, kAppends = 20'000;  // in one round
constexpr int kPageLines = 50;
constexpr int kPages = 9, kRestarts = 5;

struct Options {
  uint64_t records = 1'000'000;
  int rounds = 7;
  std::string folder = "build/bench", bin = "build/release/bin";
};

void Say(const std::string& what, const std::string& found, const std::string& wanted, bool met) {
  std::cout << absl::StrFormat("%-52s %12s   %-16s %s\n", what, found, wanted,
                               met ? "met" : "MISSED")
            << std::flush;
}

std::string PerSecond(double rate) { return absl::StrFormat("%.0f/s", rate); }

absl::Status MeasureAppends(const Options& options, const std::string& folder) {
  TIPSTAFF_ASSIGN_OR_RETURN(const auto empty, LedgerLoad::Open(folder + "/empty.db"));
  TIPSTAFF_ASSIGN_OR_RETURN(const auto full, LedgerLoad::Open(folder + "/long.db"));
  TIPSTAFF_RETURN_IF_ERROR(full->Append(options.records, 4 * kInFlight).status());
  std::vector<double> single, shared, in_long, gain, kept;
  for (int round = 0; round < options.rounds; ++round) {
    TIPSTAFF_ASSIGN_OR_RETURN(single.emplace_back(), empty->Append(kSingleAppends, 1));
    TIPSTAFF_ASSIGN_OR_RETURN(shared.emplace_back(), empty->Append(kAppends, kInFlight));
    TIPSTAFF_ASSIGN_OR_RETURN(in_long.emplace_back(), full->Append(kAppends, kInFlight));
    gain.push_back(shared.back() / single.back());
    kept.push_back(in_long.back() / shared.back());
  }
  std::cout << absl::StrFormat(
      "one commit per record %s, %d in flight %s; with %d records %s (medians of %d)\n",
      PerSecond(Median(single)), kInFlight, PerSecond(Median(shared)), full->records(),
      PerSecond(Median(in_long)), options.rounds);
  Say(absl::StrCat(kInFlight, " in flight, of one commit per record"),
      absl::StrFormat("%.1f x", Median(gain)), "at least 8 x", Median(gain) >= 8);
  Say("the long ledger, of a new one", absl::StrFormat("%.2f x", Median(kept)), "at least 0.8 x",
      Median(kept) >= 0.8);
  return absl::OkStatus();
}

absl::Status MeasureFirstPage(const Options& options, const std::string& ledger) {
  std::vector<absl::Duration> times;
  for (int i = 0; i < kPages; ++i) {
    const absl::Time start = absl::Now();
    TIPSTAFF_ASSIGN_OR_RETURN(
        Process log, Process::Start({options.bin + "/tipstaff", "log", "--ledger", ledger}));
    for (int line = 0; line < kPageLines; ++line) {
      TIPSTAFF_RETURN_IF_ERROR(log.ReadLine(absl::Seconds(10)).status());
    }
    times.push_back(absl::Now() - start);
  }
  const absl::Duration median = Quantile(times, 0.5);
  Say(absl::StrCat("the first ", kPageLines, " lines of `tipstaff log`"),
      absl::StrFormat("%.1f ms", absl::ToDoubleMilliseconds(median)), "at most 100 ms",
      median <= absl::Milliseconds(100));
  return absl::OkStatus();
}

// A run of the mediator's own is open in it, and work is under way when it is killed.
absl::Status MeasureRestart(const Options& options, const std::string& folder) {
  const std::string work = fs::absolute(folder + "/serve").string();
  fs::create_directories(work);
  const harness::MediatorOptions mediator_options{fs::absolute(options.bin).string(),
                                                  fs::current_path().string(), work,
                                                  /*test_files=*/true, ""};
  TIPSTAFF_ASSIGN_OR_RETURN(auto mediator, harness::Mediator::Start(mediator_options));
  TIPSTAFF_RETURN_IF_ERROR(mediator->Stop().status());
  for (const char* end : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(mediator->ledger() + end, ignored);
  }
  fs::rename(folder + "/long.db", mediator->ledger());
  TIPSTAFF_ASSIGN_OR_RETURN(mediator, harness::Mediator::Start(mediator_options));
  TIPSTAFF_RETURN_IF_ERROR(mediator
                               ->OpenRun({"--skill", "steady-work", "--bind",
                                          "report_id=rep_demo0001", "--bind", "tenant=acme"})
                               .status());
  std::vector<absl::Duration> times;
  for (int i = 0; i < kRestarts; ++i) {
    mediator->Kill();
    const absl::Time start = absl::Now();
    TIPSTAFF_RETURN_IF_ERROR(mediator->StartAgain());
    times.push_back(absl::Now() - start);
  }
  const absl::Duration median = Quantile(times, 0.5);
  Say("ready again after SIGKILL", absl::StrFormat("%.0f ms", absl::ToDoubleMilliseconds(median)),
      "at most 1 s", median <= absl::Seconds(1));
  return absl::OkStatus();
}

absl::Status Measure(const Options& options) {
  const std::string folder = absl::StrCat(options.folder, "/ledger.", getpid());
  fs::create_directories(folder);
  absl::Status status = MeasureAppends(options, folder);
  if (status.ok()) status = MeasureFirstPage(options, folder + "/long.db");
  if (status.ok()) status = MeasureRestart(options, folder);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return status;
}

// Why they cannot be used; "" otherwise.
std::string Parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) return absl::StrCat("`", name, "` needs a value, or is unknown");
    const std::string value = argv[i + 1];
    if (name == "--records") {
      if (!absl::SimpleAtoi(value, &options.records)) return "--records: a number is needed";
    } else if (name == "--rounds") {
      if (!absl::SimpleAtoi(value, &options.rounds) || options.rounds < 1)
        return "--rounds: a number is needed";
    } else if (name == "--dir") {
      options.folder = value;
    } else if (name == "--bin") {
      options.bin = value;
    } else {
      return absl::StrCat("unknown argument `", name, "`");
    }
  }
  return "";
}

int Main(int argc, char** argv) {
  Options options;
  if (argc == 2 && std::string(argv[1]) == "--help") {
    std::cout << kUsage;
    return 0;
  }
  if (const std::string why = Parse(argc, argv, options); !why.empty()) {
    std::cerr << "bench_ledger: " << why << "\n" << kUsage;
    return 2;
  }
  if (const absl::Status status = Measure(options); !status.ok()) {
    std::cerr << "bench_ledger: " << status.message() << "\n";
    return 5;
  }
  return 0;
}

}  // namespace
}  // namespace tipstaff::bench

int main(int argc, char** argv) { return tipstaff::bench::Main(argc, argv); }
