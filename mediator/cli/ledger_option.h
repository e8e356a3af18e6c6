// The ledger that a command reads, and a decision in it.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/cli/settings.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::cli {

void AddLedgerOption(CLI::App& command, std::string& path);

// The ledger at `path`; the configuration's when that is "".
absl::StatusOr<std::unique_ptr<ledger::Reader>> OpenLedger(const Settings& settings,
                                                           const std::string& path);

// InvalidArgument: the text is not a decision's id.
absl::Status NotADecision(const std::string& text);

}  // namespace tipstaff::cli
