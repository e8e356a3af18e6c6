// What the program's exit says, for every command.
#pragma once

#include "absl/status/status.h"

namespace tipstaff::cli {

enum ExitCode {
  kOk = 0,
  kFindings = 1,       // a check, test or comparison found something
  kInvalidInput = 2,   // arguments or files
  kIntegrity = 3,      // a ledger or bundle is damaged
  kIndeterminate = 4,  // it cannot be known
  kCouldNotRun = 5,    // no mediator, no permission, no room, ...
};

ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace tipstaff::cli
