#include "tests/conformance/scenarios.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"

namespace tipstaff::conformance {
namespace {

// The items of the list below `key`, with what follows them on their lines.
std::vector<std::string> ItemsOf(absl::string_view yaml, absl::string_view key) {
  std::vector<std::string> items;
  bool inside = false;
  for (absl::string_view line : absl::StrSplit(yaml, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') inside = absl::StripAsciiWhitespace(line) == key;
    absl::string_view item = absl::StripLeadingAsciiWhitespace(line);
    if (inside && absl::ConsumePrefix(&item, "- ")) items.emplace_back(item);
  }
  return items;
}

const char* KeyOf(Side side) { return side == Side::kServer ? "server:" : "client:"; }

void JudgeScenario(const std::string& scenario, const Checks& checks,
                   const std::set<std::string>& expected, std::vector<std::string>& findings) {
  if (checks.empty()) findings.push_back(absl::StrCat(scenario, ": the suite checked nothing"));
  const bool whole = expected.contains(scenario);
  bool failed = false;
  for (const auto& [check, passed] : checks) {
    failed = failed || !passed;
    const std::string name = absl::StrCat(scenario, ":", check);
    if (!passed && !whole && !expected.contains(name)) {
      findings.push_back(absl::StrCat(name, ": fails"));
    }
    if (passed && expected.contains(name)) {
      findings.push_back(absl::StrCat(name, ": passes, and is listed as an expected failure"));
    }
  }
  if (whole && !failed) {
    findings.push_back(absl::StrCat(scenario, ": passes, and is listed as an expected failure"));
  }
}

}  // namespace

absl::StatusOr<std::vector<std::string>> RequiredScenarios(absl::string_view yaml, Side side) {
  std::vector<std::string> scenarios = ItemsOf(yaml, KeyOf(side));
  if (!scenarios.empty()) return scenarios;
  return absl::NotFoundError(absl::StrCat("no scenarios below `", KeyOf(side), "`"));
}

absl::StatusOr<std::vector<std::string>> ReadExpectedFailures(absl::string_view yaml, Side side) {
  std::vector<std::string> names;
  for (const std::string& item : ItemsOf(yaml, KeyOf(side))) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(item, absl::MaxSplits('#', 1));
    if (absl::StripAsciiWhitespace(parts.second).empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", item, "`: say why it fails, behind a `#`"));
    }
    names.emplace_back(absl::StripAsciiWhitespace(parts.first));
  }
  return names;
}

absl::StatusOr<Checks> ReadChecks(const std::string& json) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            json::Parse(json, {.max_depth = 8 * json::kMaxDepth}));
  if (!document.root().is_array()) return absl::InvalidArgumentError("expected an array of checks");
  Checks checks;
  for (const json::Value check : document.root().items()) {
    const absl::string_view status = check.StringOr("status", "");
    if (status != "SUCCESS" && status != "FAILURE" && status != "WARNING") continue;
    const auto [at, is_new] = checks.emplace(std::string(check.StringOr("id", "")), true);
    at->second = at->second && status == "SUCCESS";
  }
  return checks;
}

std::vector<std::string> Judge(const std::vector<std::string>& required,
                               const std::map<std::string, Checks>& results,
                               const std::vector<std::string>& expected) {
  const std::set<std::string> listed(expected.begin(), expected.end());
  std::vector<std::string> findings;
  for (const std::string& scenario : required) {
    const auto result = results.find(scenario);
    if (result == results.end()) {
      findings.push_back(absl::StrCat(scenario, ": required, and has not run"));
    } else {
      JudgeScenario(scenario, result->second, listed, findings);
    }
  }
  for (const std::string& name : listed) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(name, absl::MaxSplits(':', 1));
    const auto result = results.find(parts.first);
    const bool known = std::find(required.begin(), required.end(), parts.first) != required.end();
    if (!known) {
      findings.push_back(absl::StrCat(name, ": listed, and not required"));
    } else if (result != results.end() && absl::StrContains(name, ':') &&
               !result->second.contains(parts.second)) {
      findings.push_back(absl::StrCat(name, ": listed, and there is no such check"));
    }
  }
  return findings;
}

}  // namespace tipstaff::conformance
