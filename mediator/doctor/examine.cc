#include "mediator/doctor/examine.h"

#include <utility>

#include "mediator/doctor/checks.h"

namespace tipstaff::doctor {
namespace {

constexpr Check kChecks[] = {
    {"tipstaff-guest", "the program that clients start", CheckGuestProgram},
    {"tipstaff-gate", "the program that the mediator starts for each channel", CheckGateProgram},
    {"client", "the client's configuration (with --client)", CheckClient},
    {"socket", "the run's socket", CheckSocket},
    {"token", "the run's token and the clock", CheckToken},
    {"protocol", "whether tipstaff-guest answers both generations of MCP", CheckProtocol},
    {"tool names", "whether the client takes the names of the run's tools", CheckNames},
    {"configuration", "tipstaff.yaml, or the defaults", CheckConfiguration},
    {"mediator", "whether `tipstaff serve` listens to its operator", CheckMediator},
    {"ledger", "whether the ledger can be written", CheckLedger},
    {"disk", "room for the ledger", CheckDisk},
    {"confinement", "bubblewrap and user namespaces", CheckConfinement},
    {"upstreams", "MCP servers as test systems", CheckUpstreams},
};

}  // namespace

absl::Span<const Check> AllChecks() { return kChecks; }

std::vector<Finding> Examine(const Subject& subject, Machine& machine) {
  Examination examination{.subject = subject, .machine = machine, .findings = {}, .check = ""};
  for (const Check& check : kChecks) {
    examination.check = check.name;
    check.run(examination);
  }
  return std::move(examination.findings);
}

void Examination::Ok(std::string what) {
  findings.push_back({std::string(check), Level::kOk, std::move(what), ""});
}

void Examination::Warn(std::string what, std::string fix) {
  findings.push_back({std::string(check), Level::kWarning, std::move(what), std::move(fix)});
}

void Examination::Problem(std::string what, std::string fix) {
  findings.push_back({std::string(check), Level::kProblem, std::move(what), std::move(fix)});
}

void Examination::NotChecked(std::string why, std::string fix) {
  findings.push_back({std::string(check), Level::kNotChecked, std::move(why), std::move(fix)});
}

}  // namespace tipstaff::doctor
