// Labels that calls put on a run, and permissions that are refused from then on.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

void Loader::ReadMarks(json::Value node, Permission& permission) {
  permission.refused_after = ReadLabels(node, "refused_after");
  const json::Value result = node.Find("result");
  if (!result.exists()) return;
  if (!reader_.CheckMapping(result, "the result of a permission", {"marks"},
                            {"max_bytes", "fields", "sensitive"})) {
    return;
  }
  permission.marks = ReadLabels(result, "marks");
}

std::vector<std::string> Loader::ReadLabels(json::Value mapping, absl::string_view key) {
  std::vector<std::string> labels;
  for (json::Value item : reader_.List(mapping, key).items()) {
    if (!item.is_string()) {
      reader_.Error(item, kWrongKind, "a label is a text");
      continue;
    }
    if (!reader_.CheckName(item, item.string(), /*at_key=*/false)) continue;
    std::string label(item.string());
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
      reader_.Error(item, kDuplicate, absl::StrCat(Shown(label), " is listed twice"));
      continue;
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

// Another skill of the run may put the label, so this is no error.
void Loader::LintMarks() {
  std::vector<std::string> put;
  for (const Permission& permission : skill_->permissions_) {
    put.insert(put.end(), permission.marks.begin(), permission.marks.end());
  }
  for (const Permission& permission : skill_->permissions_) {
    const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(permission.id)));
    for (json::Value item : permission.node.Find("refused_after").items()) {
      if (std::find(put.begin(), put.end(), item.string()) != put.end()) continue;
      reader_.Warn(item, kIdleLabel,
                   absl::StrCat("no permission of the skill marks ", Shown(item.string())),
                   Reader::Suggestion(item.string(), put));
    }
  }
}

}  // namespace tipstaff::policy::internal
