#include "mediator/cli/doctor_print.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace tipstaff::cli {
namespace {

using doctor::Finding;
using doctor::Level;

constexpr int kLevelColumns = 11;
constexpr int kCheckColumns = 14;

int64_t Count(const std::vector<Finding>& findings, Level level) {
  return std::count_if(findings.begin(), findings.end(),
                       [level](const Finding& finding) { return finding.level == level; });
}

std::string Counted(int64_t count, absl::string_view what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

}  // namespace

std::string FindingsText(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    absl::StrAppend(&text, absl::StrFormat("%-*s  %-*s  %s\n", kLevelColumns,
                                           std::string(LevelName(finding.level)), kCheckColumns,
                                           finding.check, finding.what));
    if (!finding.fix.empty()) {
      absl::StrAppend(&text, std::string(kLevelColumns + kCheckColumns + 4, ' '), "-> ",
                      finding.fix, "\n");
    }
  }
  const int64_t unchecked = Count(findings, Level::kNotChecked);
  absl::StrAppend(&text, "\n", Counted(Count(findings, Level::kProblem), "problem"), ", ",
                  Counted(Count(findings, Level::kWarning), "warning"), ", ", unchecked,
                  " not checked\n");
  return text;
}

json::Builder FindingsJson(const std::vector<Finding>& findings) {
  json::Builder b;
  b.StartObject().Key("findings").StartArray();
  for (const Finding& finding : findings) {
    std::string level(LevelName(finding.level));
    level = absl::StrReplaceAll(level, {{" ", "_"}});
    b.StartObject().Field("check", finding.check).Field("level", level);
    b.Field("what", finding.what);
    if (!finding.fix.empty()) b.Field("fix", finding.fix);
    b.EndObject();
  }
  b.EndArray().Field("problems", Count(findings, Level::kProblem));
  b.Field("warnings", Count(findings, Level::kWarning)).EndObject();
  return b;
}

}  // namespace tipstaff::cli
