#include "mediator/cli/ledger_option.h"

#include <CLI/CLI.hpp>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"

namespace tipstaff::cli {

void AddLedgerOption(CLI::App& command, std::string& path) {
  command.add_option("--ledger", path, "the ledger (default: the configuration's)")
      ->type_name("FILE");
}

absl::StatusOr<std::unique_ptr<ledger::Reader>> OpenLedger(const Settings& settings,
                                                           const std::string& path) {
  if (!path.empty()) return ledger::Reader::Open(path);
  const absl::StatusOr<config::Config> config = LoadConfig(settings);
  if (!config.ok()) return config.status();
  return ledger::Reader::Open(config->ledger);
}

absl::Status NotADecision(const std::string& text) {
  return absl::InvalidArgumentError(absl::StrCat("`", base::EscapeAndCut(text, 80),
                                                 "` is not a decision's id, as in "
                                                 "run_k3v7q2m4x7aa#7"));
}

}  // namespace tipstaff::cli
