#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/granting.h"

namespace tipstaff::policy::internal {

void Granting::AddPermissions() {
  for (const auto& granted : grant_->granted_) {
    const std::vector<Permission>& permissions = granted->skill->permissions_;
    std::vector<size_t> order(permissions.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return permissions[a].id < permissions[b].id; });
    std::vector<int> index(permissions.size());
    const size_t first = grant_->permissions_.size();
    for (size_t i : order) {
      index[i] = static_cast<int>(grant_->permissions_.size());
      grant_->permissions_.push_back({granted.get(), &permissions[i], {}});
    }
    for (size_t i = first; i < grant_->permissions_.size(); ++i) {
      GrantedPermission& permission = grant_->permissions_[i];
      for (size_t before : permission.permission->after) permission.after.push_back(index[before]);
      for (const std::string& label : permission.permission->marks) {
        grant_->marking_[label].push_back(static_cast<int>(i));
      }
    }
  }
  for (size_t i = 0; i < grant_->permissions_.size(); ++i) AddToTool(static_cast<int>(i));
  for (auto& [name, tool] : grant_->tools_) {
    tool.dispatch = Dispatch(tool.permissions, grant_->permissions_);
  }
}

void Granting::AddToTool(int index) {
  const GrantedPermission& granted = grant_->permissions_[index];
  const Permission& permission = *granted.permission;
  const CompiledSkill& skill = *granted.granted->skill;
  const json::Value at = permission.target;
  grant_->has_sensitive_ = grant_->has_sensitive_ || !permission.sensitive.empty() ||
                           !permission.sensitive_result.empty();
  std::map<std::string, const call::Tool*> named;
  for (const auto& [name, tool] : offered_) {
    if (permission.Names(name)) named.emplace(name, &tool);
  }
  if (FingerprintOf(named) != permission.fingerprint) {
    ErrorAt(skill, at, kToolChanged,
            absl::StrCat("`", permission.tool, "` has changed since the skill was loaded"));
    return;
  }
  for (const auto& entry : named) {
    GrantedTool& tool = grant_->tools_[entry.first];
    if (!tool.permissions.empty() && tool.effect != permission.effect) {
      ErrorAt(skill, at, kEffectClash,
              absl::StrCat("`", permission.tool, "` is a ", call::EffectName(permission.effect),
                           " here and a ", call::EffectName(tool.effect),
                           " in another skill of the run"));
      return;
    }
    tool.bare_name = skill.bare_names_ && (tool.permissions.empty() || tool.bare_name);
    tool.effect = permission.effect;
    tool.permissions.push_back(index);
    tool.sensitive.Add(permission.sensitive);
    tool.sensitive_result.Add(permission.sensitive_result);
  }
  if (permission.effect != call::Effect::kFinalize) return;
  if (grant_->has_finalize_) {
    ErrorAt(skill, at, kFinalizeClash,
            absl::StrCat("`", permission.id, "` finalizes, as another skill of the run does"));
  }
  grant_->has_finalize_ = true;
}

// A rule is about the backends that its skill means: other skills may call them otherwise.
bool Granting::IsAbout(const DenyRule& rule, const CompiledSkill& skill,
                       absl::string_view name) const {
  if (rule.Names(name)) return true;
  const absl::string_view plain = call::WithoutKind(name);
  const size_t dot = plain.find('.');
  const auto& backends = grant_->backends_;
  const auto meant = std::find_if(backends.begin(), backends.end(), [&](const auto& one) {
    return one.first == plain.substr(0, dot);
  });
  if (meant == backends.end()) return false;
  for (const auto& [alias, backend] : skill.backends_) {
    if (backend == meant->second &&
        rule.Names(call::FullName(call::KindOf(name), alias, plain.substr(dot + 1)))) {
      return true;
    }
  }
  return false;
}

// In the order of skills and ids, so that the order of files and rules does not matter.
void Granting::AddDenyRules() {
  for (const auto& granted : grant_->granted_) {
    std::map<std::string, const DenyRule*> rules;
    for (const DenyRule& rule : granted->skill->deny_) rules.emplace(rule.id, &rule);
    for (const auto& entry : rules) {
      for (auto& [name, tool] : grant_->tools_) {
        if (IsAbout(*entry.second, *granted->skill, name))
          tool.deny.push_back({granted.get(), entry.second});
      }
    }
  }
}

}  // namespace tipstaff::policy::internal
