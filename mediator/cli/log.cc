#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/ids.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/ledger_option.h"
#include "mediator/cli/settings.h"
#include "mediator/ledger/ledger.h"
#include "mediator/review/filter.h"
#include "mediator/review/follower.h"
#include "mediator/review/print.h"
#include "mediator/review/timeline.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string ledger;
  std::vector<std::string> terms;
  bool follow = false;
};

// How often a ledger that is followed is looked at.
constexpr absl::Duration kPause = absl::Milliseconds(200);

void Print(const std::vector<review::Row>& rows, const review::Filter& filter, bool json) {
  for (const review::Row& row : rows) {
    if (!filter.Matches(row)) continue;
    std::printf("%s\n", (json ? review::RowJson(row) : review::TableLine(row)).c_str());
  }
}

// Until the run is closed, nobody reads it any more, or a signal.
ExitCode Follow(const Options& options, std::unique_ptr<ledger::Reader> reader,
                const std::string& run, const review::Filter& filter) {
  review::Follower follower(run);
  while (!follower.over()) {
    const absl::StatusOr<std::vector<review::Row>> rows = follower.Next(*reader, absl::Now());
    if (rows.ok()) {
      Print(*rows, filter, options.settings.json());
    } else if (!absl::IsUnavailable(rows.status())) {
      return Fail(rows.status());
    } else {
      // A writer has come, or was busy.
      auto again = OpenLedger(options.settings, options.ledger);
      if (again.ok()) reader = *std::move(again);
      if (!again.ok() && !absl::IsUnavailable(again.status())) return Fail(again.status());
    }
    if (std::fflush(stdout) != 0) return kOk;
    if (!rows.ok() || follower.caught_up()) absl::SleepFor(kPause);
  }
  return kOk;
}

ExitCode Log(Options options) {
  std::string run;
  if (!options.terms.empty() && options.terms.front().find(':') == std::string::npos) {
    run = options.terms.front();
    options.terms.erase(options.terms.begin());
    if (!base::IsRunId(run)) {
      return Fail(absl::InvalidArgumentError(absl::StrCat(
          "`", run, "` is neither a run's id (run_...) nor a filter like verdict:deny")));
    }
  }
  const absl::StatusOr<review::Filter> filter = review::Filter::Parse(options.terms);
  if (!filter.ok()) return Fail(filter.status());
  absl::StatusOr<std::unique_ptr<ledger::Reader>> reader =
      OpenLedger(options.settings, options.ledger);
  if (!reader.ok()) return Fail(reader.status());
  if (!run.empty()) {
    if (const auto found = (*reader)->FindRun(run); !found.ok()) return Fail(found.status());
  }
  const bool json = options.settings.json();
  if (!json) std::printf("%s\n", review::TableHeading().c_str());
  if (options.follow) return Follow(options, *std::move(reader), run, *filter);
  review::Timeline timeline(**reader, run, ledger::Reader::Payload::kLeave);
  for (;;) {
    const absl::StatusOr<std::vector<review::Row>> rows = timeline.Next();
    if (!rows.ok()) return Fail(rows.status());
    if (rows->empty()) return kOk;
    Print(*rows, *filter, json);
  }
}

}  // namespace

void AddLog(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("log", "the decisions on record, one a line");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  AddLedgerOption(*command, options->ledger);
  command
      ->add_option("terms", options->terms,
                   "a run's id first, if only that one; then filters, all of which must hold: "
                   "verdict: reason: tool: effect: skill: permission: outcome: run:")
      ->type_name("[RUN] [KEY:PATTERN]...");
  command->add_flag("--follow,-f", options->follow,
                    "go on with what is decided from now on; each call once it is over, or after "
                    "two seconds. Ends with the run that is named");
  command->footer(
      "A pattern may hold *; -key:pattern turns a filter round.\n\n"
      "Example:\n  tipstaff log verdict:deny 'tool:mail.*'");
  // CLI11 would take -key:pattern for an option.
  command->allow_extras();
  command->callback([options, command, &exit_code] {
    for (const std::string& extra : command->remaining()) options->terms.push_back(extra);
    exit_code = Log(*options);
  });
}

}  // namespace tipstaff::cli
