#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

std::vector<std::string> Loader::PermissionIds() const {
  std::vector<std::string> ids;
  for (const Permission& permission : skill_->permissions_) ids.push_back(permission.id);
  return ids;
}

std::optional<size_t> Loader::FindPermission(json::Value name) {
  if (!name.is_string()) {
    reader_.Error(name, kWrongKind, "the id of a permission is a text");
    return std::nullopt;
  }
  for (size_t i = 0; i < skill_->permissions_.size(); ++i) {
    if (skill_->permissions_[i].id == name.string()) return i;
  }
  reader_.Error(name, kUnknownPermission,
                absl::StrCat("there is no permission ", Shown(name.string())),
                Reader::Suggestion(name.string(), PermissionIds()));
  return std::nullopt;
}

void Loader::ReadAfter() {
  for (Permission& permission : skill_->permissions_) {
    const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(permission.id)));
    for (json::Value item : reader_.List(permission.node, "after").items()) {
      const std::optional<size_t> index = FindPermission(item);
      if (!index.has_value()) continue;
      std::vector<size_t>& after = permission.after;
      if (std::find(after.begin(), after.end(), *index) != after.end()) {
        reader_.Error(item, kDuplicate, absl::StrCat(Shown(item.string()), " is listed twice"));
        continue;
      }
      after.push_back(*index);
    }
  }
  CheckCycles();
}

// Takes away, again and again, what can be used by now; what is left waits for itself.
void Loader::CheckCycles() {
  const std::vector<Permission>& permissions = skill_->permissions_;
  std::vector<bool> usable(permissions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < permissions.size(); ++i) {
      if (usable[i] || !std::all_of(permissions[i].after.begin(), permissions[i].after.end(),
                                    [&](size_t before) { return usable[before]; })) {
        continue;
      }
      usable[i] = changed = true;
    }
  }
  const auto stuck = std::find(usable.begin(), usable.end(), false);
  if (stuck == usable.end()) return;
  const Permission& permission = permissions[stuck - usable.begin()];
  reader_.ErrorAtKey(
      permission.node.Find("after"), kAfterItself,
      absl::StrCat("`", permission.id, "` waits for itself, directly or over other permissions"));
}

}  // namespace tipstaff::policy::internal
