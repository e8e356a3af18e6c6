// The tests that skills and stubs carry, run.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/clock.h"
#include "mediator/cli/user_files.h"
#include "mediator/config/config.h"
#include "mediator/policy/coverage.h"
#include "stubs/engine/coverage.h"

namespace tipstaff::cli {

// What one test came to.
struct Tested {
  std::string name;
  std::string place;        // "policies/x/skill.yaml:12", or the stub's folder
  int line = 0;             // 0: not known
  std::string message;      // why it failed, "" when it passed
  std::string explanation;  // of a failure in a skill: what each permission made of the call
  absl::Duration took;

  bool passed() const { return message.empty(); }
};

struct TestedFile {
  UserFile file;
  std::string name;   // "skill.report-triage", "stub.reports"
  std::string error;  // it does not check, so that its tests cannot run: all diagnostics
  std::vector<Tested> tests;
  std::vector<policy::Covered> parts;  // of a skill
  std::vector<engine::StubPart> stub_parts;
};

// Runs the tests of each skill and stub among `files`; of stubs those whose name has `only` in it.
absl::StatusOr<std::vector<TestedFile>> RunTests(const config::Config& config,
                                                 const std::vector<UserFile>& files,
                                                 absl::string_view only, const base::Clock& clock);

// What tests did not exercise.
enum class Demand {
  kNothing,
  kRules,  // permissions and deny rules
  kAll,    // and constraints; of stubs tools, errors and faults
};
// How many parts of that kind no test exercises.
size_t CountIdle(const std::vector<TestedFile>& files, Demand demand);

// For a terminal; what does not check is left out.
std::string RenderResults(const std::vector<TestedFile>& files);
// An object: {"tests": [...], "coverage": [...]}; docs/policy-language.md has its members, for
// stubs docs/stubs.md.
std::string RenderResultsAsJson(const std::vector<TestedFile>& files);

}  // namespace tipstaff::cli
