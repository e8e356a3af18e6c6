// What becomes of a call's result: the label that it puts on the run, with the permissions that are
// refused from then on, and what of it goes back.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/pointer.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

void Loader::ReadMarks(json::Value node, Permission& permission) {
  permission.refused_after = ReadLabels(node, "refused_after");
  const json::Value result = node.Find("result");
  if (!result.exists()) return;
  if (!reader_.CheckMapping(result, "the result of a permission",
                            {"marks", "max_bytes", "fields", "sensitive"})) {
    return;
  }
  permission.marks = ReadLabels(result, "marks");
  ReadResultRule(result, permission);
}

void Loader::ReadResultRule(json::Value result, Permission& permission) {
  if (result.Find("max_bytes").exists())
    permission.result.max_bytes = ReadSize(result, "max_bytes");
  if (!result.Find("fields").exists()) return;
  const json::Value fields = reader_.List(result, "fields");
  permission.result.fields = ReadParts(fields);
  if (fields.is_array() && fields.size() == 0) {
    reader_.Error(fields, kBadPart, "`fields` lists what may come back: with none, nothing does",
                  "list a member, or remove `fields`");
  }
}

Parts Loader::ReadParts(json::Value list) {
  Parts parts;
  for (json::Value item : list.items()) {
    if (!item.is_string() || item.string().empty()) {
      reader_.Error(item, kBadPart,
                    "a part of a result is a name, or a pointer such as "
                    "`/messages/*/subject`");
      continue;
    }
    const bool name = item.string().front() != '/' && !absl::StrContains(item.string(), '/');
    const std::string pointer =
        name ? absl::StrCat("/", json::PointerToken(item.string())) : std::string(item.string());
    if (!parts.Add(pointer)) {
      reader_.Error(item, kBadPart, absl::StrCat(Shown(item.string()), " is no JSON pointer"),
                    "it begins with `/`, and `~` is written `~0`");
    }
  }
  return parts;
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
