#include "tests/conformance/suite.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "tests/harness/process.h"

namespace tipstaff::conformance {
namespace {

namespace fs = std::filesystem;

constexpr absl::Duration kPatience = absl::Seconds(100);
constexpr char kPackage[] = "/@modelcontextprotocol/conformance";
// "-2026-11-30T19-19-01-581Z", which the suite puts behind a scenario's name.
constexpr size_t kStamp = 25;
constexpr char kClientCommand[] = "client-command";

}  // namespace

absl::StatusOr<std::vector<std::string>> ExpectedFailures(const std::string& revision, Side side) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      const std::string yaml,
      base::ReadFile(
          absl::StrCat(TIPSTAFF_SOURCE_DIR "/tests/conformance/expected/", revision, ".yaml")));
  return ReadExpectedFailures(yaml, side);
}

absl::StatusOr<std::vector<std::string>> Suite::Required(const std::string& revision,
                                                         Side side) const {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string yaml,
                            base::ReadFile(absl::StrCat(packages_.modules, kPackage,
                                                        "/requirements/", revision, ".yaml")));
  return RequiredScenarios(yaml, side);
}

std::vector<std::string> Suite::Command(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = {packages_.node,
                                      absl::StrCat(packages_.modules, kPackage, "/dist/index.js")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--output-dir", folder_ + "/results"});
  return command;
}

absl::StatusOr<std::map<std::string, Checks>> Suite::TestServer(const std::string& url,
                                                                const std::string& revision) const {
  TIPSTAFF_ASSIGN_OR_RETURN(
      const harness::Finished finished,
      harness::RunCommand(Command({"server", "--url", url, "--requirements", revision}),
                          {.folder = folder_}, kPatience));
  auto results = Results("server-");
  if (results.ok() && results->empty()) {
    return absl::InternalError(
        absl::StrCat("the suite has no results: ", finished.out, finished.err));
  }
  return results;
}

absl::StatusOr<Checks> Suite::TestClient(const std::string& command, const std::string& scenario,
                                         const std::string& revision) const {
  TIPSTAFF_ASSIGN_OR_RETURN(
      const harness::Finished finished,
      harness::RunCommand(Command({"client", "--command", command, "--scenario", scenario,
                                   "--spec-version", revision, "--timeout", "90000"}),
                          {.folder = folder_}, kPatience));
  TIPSTAFF_ASSIGN_OR_RETURN(auto results, Results(""));
  const auto found = results.find(scenario);
  if (found == results.end()) {
    return absl::InternalError(
        absl::StrCat("the suite has no results: ", finished.out, finished.err));
  }
  Checks checks = std::move(found->second);
  bool all_pass = !checks.empty();
  for (const auto& [check, passed] : checks) all_pass = all_pass && passed;
  // The suite's exit status is all that tells of a command that failed or was too slow.
  if (all_pass) checks[kClientCommand] = finished.status == 0;
  return checks;
}

absl::StatusOr<std::map<std::string, Checks>> Suite::Results(const std::string& prefix) const {
  std::map<std::string, Checks> results;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ + "/results", error)) {
    if (entry.path().filename() != "checks.json") continue;
    std::string name = fs::relative(entry.path().parent_path(), folder_ + "/results").string();
    if (name.size() <= kStamp) continue;
    name.resize(name.size() - kStamp);
    TIPSTAFF_ASSIGN_OR_RETURN(const std::string json, base::ReadFile(entry.path().string()));
    TIPSTAFF_ASSIGN_OR_RETURN(results[std::string(absl::StripPrefix(name, prefix))],
                              ReadChecks(json));
  }
  return results;
}

}  // namespace tipstaff::conformance
