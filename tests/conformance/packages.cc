#include "tests/conformance/packages.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/file.h"
#include "tests/harness/process.h"

namespace tipstaff::conformance {
namespace {

constexpr int kMinimum = 22;  // what the suite and dbhub ask for
constexpr char kFix[] = ": run `./dev setup test`";

// The whole path of `node` when it is new enough, else "".
std::string NewEnough(const std::string& node) {
  const auto ran = harness::RunCommand(
      {node, "-p", "process.versions.node.split('.')[0] + ' ' + process.execPath"});
  if (!ran.ok() || ran->status != 0) return "";
  const std::pair<std::string, std::string> said =
      absl::StrSplit(absl::StripSuffix(ran->out, "\n"), absl::MaxSplits(' ', 1));
  int major = 0;
  return absl::SimpleAtoi(said.first, &major) && major >= kMinimum ? said.second : "";
}

}  // namespace

absl::StatusOr<Packages> FindPackages() {
  const std::string root = TIPSTAFF_PACKAGES_DIR;
  const std::string folder = root + "/conformance-node";
  const auto installed = base::ReadFile(folder + "/installed-lock.json");
  if (!installed.ok()) {
    return absl::NotFoundError(absl::StrCat("missing: the npm packages in ", folder, kFix));
  }
  const auto wanted = base::ReadFile(TIPSTAFF_SOURCE_DIR "/tests/conformance/package-lock.json");
  if (!wanted.ok() || *wanted != *installed) {
    return absl::NotFoundError(
        absl::StrCat("the npm packages in ", folder, " are not those of package-lock.json", kFix));
  }
  for (const std::string& node : {std::string("node"), root + "/node/node_modules/.bin/node"}) {
    if (std::string path = NewEnough(node); !path.empty()) {
      return Packages{std::move(path), folder + "/node_modules"};
    }
  }
  return absl::NotFoundError(absl::StrCat("missing: Node.js ", kMinimum, " or newer", kFix));
}

namespace {

std::string LookForPython() {
  const std::string folder = TIPSTAFF_PACKAGES_DIR "/conformance-python";
  const auto installed = base::ReadFile(folder + "/installed-requirements.txt");
  const auto wanted = base::ReadFile(TIPSTAFF_SOURCE_DIR "/tests/conformance/requirements.txt");
  if (!installed.ok() || !wanted.ok() || *installed != *wanted) return "";
  const auto python = harness::RunCommand({"python3", "-c", "import mcp, fastmcp"},
                                          {.environment = {"PYTHONPATH=" + folder}});
  return python.ok() && python->status == 0 ? folder : "";
}

}  // namespace

const std::string& PythonPackages() {
  // Importing them takes a second or two.
  static const auto& folder = *new std::string(LookForPython());
  return folder;
}

}  // namespace tipstaff::conformance
