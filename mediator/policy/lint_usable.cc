// Permissions that no order of calls can use, because of what has to come before.
#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/lint.h"

namespace tipstaff::policy::internal {
namespace {

// What `after` asks for before the permission `index`, directly or over others. Loading has refused
// circles.
std::set<size_t> AllBefore(const CompiledSkill& skill, size_t index) {
  std::set<size_t> before;
  std::vector<size_t> open = skill.permissions_[index].after;
  while (!open.empty()) {
    const size_t next = open.back();
    open.pop_back();
    if (!before.insert(next).second) continue;
    const std::vector<size_t>& more = skill.permissions_[next].after;
    open.insert(open.end(), more.begin(), more.end());
  }
  return before;
}

bool IsDenied(const CompiledSkill& skill, const Permission& permission) {
  return std::any_of(skill.deny_.begin(), skill.deny_.end(), [&](const DenyRule& rule) {
    return rule.denies_all() && rule.Names(permission.tool);
  });
}

bool Marks(const Permission& permission, const std::string& label) {
  return std::find(permission.marks.begin(), permission.marks.end(), label) !=
         permission.marks.end();
}

void LintOne(const CompiledSkill& skill, size_t index, Reader& reader) {
  const Permission& permission = skill.permissions_[index];
  for (const size_t i : AllBefore(skill, index)) {
    const Permission& before = skill.permissions_[i];
    if (IsDenied(skill, before)) {
      reader.WarnAtKey(permission.node.Find("after"), kNeverUsable,
                       absl::StrCat("`", permission.id, "` can never be used: it waits for `",
                                    before.id, "`, which a deny rule overrides"));
      return;
    }
    for (size_t l = 0; l < permission.refused_after.size(); ++l) {
      if (!Marks(before, permission.refused_after[l])) continue;
      reader.Warn(
          permission.node.Find("refused_after").At(l), kNeverUsable,
          absl::StrCat("`", permission.id, "` can never be used: it waits for `", before.id,
                       "`, which puts `", permission.refused_after[l], "`"),
          absl::StrCat("`after` is in line ", reader.LineOf(permission.node.Find("after"))));
      return;
    }
  }
}

}  // namespace

void LintUsable(const CompiledSkill& skill, Reader& reader) {
  for (size_t i = 0; i < skill.permissions_.size(); ++i) {
    if (skill.permissions_[i].after.empty()) continue;
    const Reader::Within within(reader,
                                absl::StrCat("in permission ", Shown(skill.permissions_[i].id)));
    LintOne(skill, i, reader);
  }
}

}  // namespace tipstaff::policy::internal
