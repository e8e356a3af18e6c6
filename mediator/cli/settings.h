// Options that every command has, and the configuration that they lead to.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/cli/exit_code.h"
#include "mediator/config/config.h"

namespace CLI {
class App;
}

namespace tipstaff::cli {

struct Settings {
  std::string config;  // --config; "": TIPSTAFF_CONFIG, ./tipstaff.yaml, else defaults
  std::string format = "text";

  bool json() const { return format == "json"; }
};

void AddConfigOption(CLI::App& command, Settings& settings);
void AddFormatOption(CLI::App& command, Settings& settings);

// The configuration, with what is wrong with it printed as diagnostics. The defaults' folder is
// made when it is not there.
absl::StatusOr<config::Config> LoadConfig(const Settings& settings);

// Prints `tipstaff: <message>` on standard error and gives the exit code.
ExitCode Fail(const absl::Status& status);

}  // namespace tipstaff::cli
