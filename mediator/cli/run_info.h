// What the commands of `tipstaff run` share: asking the mediator, and showing a run's state.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/cli/exit_code.h"
#include "mediator/cli/settings.h"
#include "mediator/json/builder.h"

namespace CLI {
class App;
}
namespace tipstaff::admin::v1 {
class Reply;
class Request;
class RunInfo;
}  // namespace tipstaff::admin::v1

namespace tipstaff::cli {

// Asks the mediator that the configuration names.
absl::StatusOr<admin::v1::Reply> Ask(const Settings& settings, const admin::v1::Request& request);

// "2 allowed, 1 denied, 1 held"
std::string Verdicts(const admin::v1::RunInfo& info);

// As an object, for --format json.
void AddInfo(json::Builder& b, const admin::v1::RunInfo& info);
void PrintInfo(const Settings& settings, const admin::v1::RunInfo& info);

// What an operator may do about a result that nothing will come of by itself; empty for others.
struct NextStep {
  std::string when;  // a clause
  std::string command;
};
std::vector<NextStep> NextSteps(const admin::v1::RunInfo& info);

// `run close`, `revoke` and `resolve`.
void AddRunEnds(CLI::App& run, int& exit_code);

}  // namespace tipstaff::cli
