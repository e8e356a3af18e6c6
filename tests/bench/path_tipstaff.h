// Tipstaff as the benchmark's third arm: `tipstaff serve` with a ledger of its own and one run.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/path_options.h"
#include "tests/bench/process.h"

namespace tipstaff::bench {

struct Mediator {
  Process process;
  std::string socket;  // of the run
  std::string token;
};

// Writes a configuration below `folder`, starts the mediator and opens the run.
absl::StatusOr<Mediator> StartMediator(const PathOptions& options, const std::string& folder);

// Arguments of reports.get_report: the report's id alone, as the tool takes nothing else.
std::string ReadArguments(const std::string& report_id);
// Arguments of reports.attach_evidence, `size` bytes, different for each number.
std::string WriteArguments(const std::string& report_id, uint64_t number, size_t size);

}  // namespace tipstaff::bench
