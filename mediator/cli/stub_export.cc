#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/eml.h"
#include "mediator/cli/ledger_option.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/stub_state.h"
#include "mediator/cli/working_folder.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string ledger, run, stub, table, as = "json", into;
};

// A row's key as a file's name.
std::string FileName(absl::string_view key, absl::string_view ending) {
  std::string name;
  for (const char c : key) {
    const bool plain = absl::ascii_isalnum(c) || c == '_' || c == '-';
    name += plain ? std::string(1, c) : absl::StrFormat("%%%02X", static_cast<unsigned char>(c));
  }
  return absl::StrCat(name, ".", ending);
}

absl::StatusOr<std::vector<NewFile>> Messages(const engine::State& state,
                                              const std::string& table) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string key_column, state.KeyColumn(table));
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document rows, state.Table(table));
  std::vector<NewFile> files;
  for (const json::Value row : rows.root().items()) {
    const absl::string_view key = row.StringOr(key_column, "");
    const absl::StatusOr<std::string> text = ToEml(row);
    if (!text.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("row `", base::EscapeAndCut(key, 80),
                                                     "` of table `", table,
                                                     "`: ", text.status().message()));
    }
    files.push_back({FileName(key, "eml"), *text});
  }
  return files;
}

absl::StatusOr<std::vector<NewFile>> Rows(const engine::State& state, const std::string& table) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document rows, state.Table(table));
  std::string text = "[";
  for (const json::Value row : rows.root().items()) {
    absl::StrAppend(&text, text == "[" ? "\n" : ",\n", json::Dump(row));
  }
  return std::vector<NewFile>{{absl::StrCat(table, ".json"), text + "\n]\n"}};
}

absl::StatusOr<std::string> TableOf(const Options& options, const engine::State& state) {
  if (!options.table.empty()) return options.table;
  const std::vector<std::string> captured = state.CapturedTables();
  if (captured.size() == 1) return captured.front();
  const std::vector<std::string> names = captured.empty() ? state.TableNames() : captured;
  return absl::InvalidArgumentError(
      absl::StrCat("name the table with --table: ", captured.empty() ? "there is" : "captured are",
                   " `", absl::StrJoin(names, "`, `"), "`"));
}

ExitCode StubExport(const Options& options) {
  if (!base::IsRunId(options.run)) {
    return Fail(absl::InvalidArgumentError(
        absl::StrCat("`", base::Escape(options.run), "` is no run's id (run_...)")));
  }
  auto reader = OpenLedger(options.settings, options.ledger);
  if (!reader.ok()) return Fail(reader.status());
  const absl::StatusOr<StubState> state = StubStateAtEnd(**reader, options.run, options.stub);
  if (absl::IsFailedPrecondition(state.status())) {
    Fail(state.status());
    return kIndeterminate;
  }
  if (!state.ok()) return Fail(state.status());
  const absl::StatusOr<std::string> table = TableOf(options, *state->state);
  if (!table.ok()) return Fail(table.status());
  const auto files =
      options.as == "eml" ? Messages(*state->state, *table) : Rows(*state->state, *table);
  if (!files.ok()) return Fail(files.status());
  if (files->empty()) {
    std::printf("table `%s` is empty: nothing was written\n", table->c_str());
    return kOk;
  }
  const absl::StatusOr<std::vector<std::string>> written = WriteFiles(options.into, *files);
  if (!written.ok()) return Fail(written.status());
  for (const std::string& path : *written) std::printf("wrote %s\n", base::Escape(path).c_str());
  return kOk;
}

}  // namespace

void AddStubExport(CLI::App& stub, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = stub.add_subcommand(
      "export", "write a table of a run's stub to files: what was captured, for other programs");
  AddConfigOption(*command, options->settings);
  AddLedgerOption(*command, options->ledger);
  command->add_option("--run", options->run, "the run")->required()->type_name("RUN");
  command->add_option("--stub", options->stub, "by its alias in the run, or its name")
      ->required()
      ->type_name("STUB");
  command->add_option("--table", options->table, "(default: the captured one, if there is one)")
      ->type_name("NAME");
  command
      ->add_option("--as", options->as,
                   "json: one file with all rows (the default); eml: each row as a mail")
      ->check(CLI::IsMember({"json", "eml"}));
  command->add_option("--into", options->into, "where the files go")
      ->required()
      ->type_name("FOLDER");
  command->footer(
      "No file is overwritten.\n\nExample:\n"
      "  tipstaff stub export --run run_k3v7q2m4x7aa --stub mailbox --table outbox --as eml --into "
      "sent");
  command->callback([options, &exit_code] { exit_code = StubExport(*options); });
}

}  // namespace tipstaff::cli
