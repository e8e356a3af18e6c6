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
  if (!permissions_known_) return std::nullopt;
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
  // Every permission that is left waits for one that is left: going on leads into a circle.
  const auto waits_for = [&](size_t i) {
    return *std::find_if(permissions[i].after.begin(), permissions[i].after.end(),
                         [&](size_t before) { return !usable[before]; });
  };
  std::vector<size_t> way;
  size_t at = stuck - usable.begin();
  for (; std::find(way.begin(), way.end(), at) == way.end(); at = waits_for(at)) way.push_back(at);
  way.erase(way.begin(), std::find(way.begin(), way.end(), at));
  way.push_back(at);
  std::string circle;
  for (const size_t i : way) {
    absl::StrAppend(&circle, circle.empty() ? "" : " waits for ", "`", permissions[i].id, "`");
  }
  const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(permissions[at].id)));
  reader_.ErrorAtKey(permissions[at].node.Find("after"), kAfterItself,
                     absl::StrCat("a circle: ", circle), "none of them can ever be used");
}

}  // namespace tipstaff::policy::internal
