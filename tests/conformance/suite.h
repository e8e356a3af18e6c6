// The official conformance suite, run as a program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/conformance/packages.h"
#include "tests/conformance/scenarios.h"

namespace tipstaff::conformance {

// What Tipstaff declines at `revision`, from expected/REVISION.yaml.
absl::StatusOr<std::vector<std::string>> ExpectedFailures(const std::string& revision, Side side);

class Suite {
 public:
  // Results go below `folder`, which must be there.
  Suite(Packages packages, std::string folder)
      : packages_(std::move(packages)), folder_(std::move(folder)) {}

  // What the suite of `revision` requires of `side`.
  absl::StatusOr<std::vector<std::string>> Required(const std::string& revision, Side side) const;

  // All that it has for servers of `revision`, against the server at `url`.
  absl::StatusOr<std::map<std::string, Checks>> TestServer(const std::string& url,
                                                           const std::string& revision) const;

  // One scenario for clients: `command` is started with the URL of the suite's server behind it.
  // A command that fails is a failed check `client-command`.
  absl::StatusOr<Checks> TestClient(const std::string& command, const std::string& scenario,
                                    const std::string& revision) const;

 private:
  // The checks.json of all scenarios below the folder.
  absl::StatusOr<std::map<std::string, Checks>> Results(const std::string& prefix) const;
  std::vector<std::string> Command(const std::vector<std::string>& arguments) const;

  const Packages packages_;
  const std::string folder_;
};

}  // namespace tipstaff::conformance
