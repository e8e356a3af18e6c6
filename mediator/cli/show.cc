#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "mediator/cli/commands.h"
#include "mediator/cli/ledger_option.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/stub_state.h"
#include "mediator/ledger/ledger.h"
#include "mediator/review/print.h"
#include "mediator/review/timeline.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string ledger, decision, stub, table;
};

// Deep rows stand within tables within the whole.
constexpr int kStateDepth = 40;

ExitCode ShowState(const Options& options, ledger::Reader& reader, const review::Row& row) {
  const absl::StatusOr<StubState> state = StubStateAt(reader, row, options.stub);
  if (absl::IsFailedPrecondition(state.status())) {
    Fail(state.status());
    return kIndeterminate;
  }
  if (!state.ok()) return Fail(state.status());
  if (!options.settings.json()) {
    const absl::StatusOr<std::string> text = RenderState(*state, row, options.table);
    if (!text.ok()) return Fail(text.status());
    std::printf("%s", text->c_str());
    return kOk;
  }
  json::Builder b(kStateDepth);
  b.StartObject().Field("decision", row.id());
  if (const absl::Status added = AddState(*state, options.table, b); !added.ok()) {
    return Fail(added);
  }
  b.EndObject();
  PrintJson(std::move(b));
  return kOk;
}

ExitCode Show(const Options& options) {
  const std::optional<review::DecisionId> id = review::ParseDecisionId(options.decision);
  if (!id) return Fail(NotADecision(options.decision));
  absl::StatusOr<std::unique_ptr<ledger::Reader>> reader =
      OpenLedger(options.settings, options.ledger);
  if (!reader.ok()) return Fail(reader.status());
  const absl::StatusOr<review::Row> row = review::FindRow(**reader, *id);
  if (!row.ok()) return Fail(row.status());
  if (!options.stub.empty()) return ShowState(options, **reader, *row);
  std::printf("%s\n", (options.settings.json() ? review::RowJson(*row, /*whole=*/true)
                                               : review::Details(*row))
                          .c_str());
  return kOk;
}

}  // namespace

void AddShow(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "show",
      "one decision: the call, why, its outcome and what it changed; or a stub's state then");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  AddLedgerOption(*command, options->ledger);
  command->add_option("decision", options->decision, "its id")->required()->type_name("RUN#N");
  CLI::Option* state =
      command
          ->add_option("--state", options->stub,
                       "the tables of this stub (by its alias in the run) as they were after the "
                       "decision's call; what that changed is marked + inserted, ~ updated, "
                       "- deleted")
          ->type_name("STUB");
  command->add_option("--table", options->table, "only this table of the stub")
      ->type_name("NAME")
      ->needs(state);
  command->footer(
      "Examples:\n  tipstaff show 'run_k3v7q2m4x7aa#7'\n"
      "  tipstaff show 'run_k3v7q2m4x7aa#7' --state mailbox --table outbox");
  command->callback([options, &exit_code] { exit_code = Show(*options); });
}

}  // namespace tipstaff::cli
