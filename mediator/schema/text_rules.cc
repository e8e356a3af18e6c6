// Reads `path` and `plain`, the keywords about what a text may be used for.
#include "absl/strings/str_cat.h"
#include "mediator/schema/operands.h"

namespace tipstaff::schema::internal {

std::vector<std::string> Operands::ReadTexts(const Slot& slot, json::Value list,
                                             absl::string_view key) {
  std::vector<std::string> texts;
  for (json::Value item : list.items()) {
    if (item.is_string()) {
      texts.emplace_back(item.string());
    } else {
      Fail(ProblemKind::kBadValue, item, slot.pointer, absl::StrCat("`", key, "` lists texts"));
    }
  }
  if (!list.is_array() || list.size() == 0) {
    Fail(ProblemKind::kBadValue, list, slot.pointer,
         absl::StrCat("`", key, "` takes a list of texts, one at least"));
  }
  return texts;
}

void Operands::ReadPath(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_object()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer,
                "`path` takes a mapping of `under`, `extensions` and `hidden`; `{}` for any");
  }
  PathRule rule;
  for (const json::Member& member : value.members()) {
    if (member.key == "under") {
      rule.under = ReadTexts(slot, member.value, member.key);
    } else if (member.key == "extensions") {
      rule.extensions = ReadTexts(slot, member.value, member.key);
    } else if (member.key == "hidden" && member.value.is_bool()) {
      rule.hidden = member.value.boolean();
    } else if (member.key == "hidden") {
      Fail(ProblemKind::kBadValue, member.value, slot.pointer, "`hidden` takes true or false");
    } else {
      FailAtKey(ProblemKind::kUnknownKeyword, member, slot.pointer,
                absl::StrCat("unknown key in `path`: use `under`, `extensions`, `hidden`"));
      problems_.back().wrong = std::string(member.key);
      problems_.back().candidates = {"extensions", "hidden", "under"};
    }
  }
  absl::StatusOr<PathRule> normal = NormalPathRule(std::move(rule));
  if (!normal.ok()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer,
                std::string(normal.status().message()));
  }
  constraint.index = static_cast<uint32_t>(code_.paths.size());
  code_.paths.push_back(*std::move(normal));
}

void Operands::ReadPlain(const Slot& slot) {
  const json::Value value = slot.member.value;
  if (value.is_bool() && value.boolean()) return;
  Fail(ProblemKind::kBadValue, value, slot.pointer,
       "`plain` takes true; leave it out where any text may stand");
}

}  // namespace tipstaff::schema::internal
