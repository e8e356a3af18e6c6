#include "mediator/policy/grant.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/pointer.h"
#include "mediator/policy/grant_impl.h"

namespace tipstaff::policy::internal {
namespace {

const Parts& NoParts() {
  static const auto* const kNone = new Parts();
  return *kNone;
}

}  // namespace

bool GrantedTool::always_denied() const {
  return std::any_of(deny.begin(), deny.end(),
                     [](const GrantedRule& one) { return one.rule->denies_all(); });
}

std::string GrantImpl::ResolveTool(absl::string_view name) const {
  if (tools_.contains(name) && call::KindOf(name) == call::Kind::kTool) return std::string(name);
  const auto published = tool_by_published_name_.find(name);
  return published == tool_by_published_name_.end() ? "" : published->second;
}

std::string GrantImpl::PermissionName(int index) const {
  if (index < 0 || static_cast<size_t>(index) >= permissions_.size()) return "";
  const GrantedPermission& granted = permissions_[index];
  return absl::StrCat(granted.granted->skill->name(), "/", granted.permission->id);
}

std::optional<Approval> GrantImpl::ApprovalOf(int permission) const {
  if (permission < 0 || static_cast<size_t>(permission) >= permissions_.size()) return std::nullopt;
  return permissions_[permission].permission->approval;
}

std::string GrantImpl::LimitResult(int permission, call::OutcomeKind kind,
                                   std::string result) const {
  if (permission < 0 || static_cast<size_t>(permission) >= permissions_.size()) {
    return call::ErrorResult("it is not known what of the result may come back");
  }
  return policy::LimitResult(permissions_[permission].permission->result, kind, std::move(result));
}

const Parts& GrantImpl::SensitiveArguments(absl::string_view tool) const {
  const auto there = tools_.find(tool);
  return there == tools_.end() ? NoParts() : there->second.sensitive;
}

const Parts& GrantImpl::SensitiveResult(absl::string_view tool) const {
  const auto there = tools_.find(tool);
  return there == tools_.end() ? NoParts() : there->second.sensitive_result;
}

Grant::Keeping GrantImpl::KeepingOf(absl::string_view tool, absl::string_view argument) const {
  if (!has_sensitive_) return Keeping::kAll;
  const auto there = tools_.find(tool);
  if (there == tools_.end()) return Keeping::kNothing;
  const bool listed = std::any_of(there->second.permissions.begin(),
                                  there->second.permissions.end(), [&](int index) {
                                    const Permission& permission = *permissions_[index].permission;
                                    return permission.listed().Find(argument).exists() ||
                                           (permission.uri.exists() && argument == "uri");
                                  });
  if (!listed) return Keeping::kNothing;
  const std::string pointer = absl::StrCat("/", json::PointerToken(argument));
  return there->second.sensitive.Touch(pointer) ? Keeping::kDigest : Keeping::kAll;
}

std::vector<KeywordOutcome> GrantImpl::OutcomesOf(int permission, absl::string_view pointer,
                                                  json::Value value) const {
  std::vector<KeywordOutcome> outcomes;
  if (permission < 0 || static_cast<size_t>(permission) >= permissions_.size()) return outcomes;
  const GrantedPermission& granted = permissions_[permission];
  for (const SensitiveCheck& check : granted.permission->sensitive_checks) {
    if (!check.at.Has(pointer)) continue;
    outcomes.push_back({check.keyword, check.program.Accepts(value, granted.granted->values)});
  }
  return outcomes;
}

bool GrantImpl::limits_rate() const {
  const auto has = [](const Limits& limits) {
    return limits[LimitKind::kCallsPerMinute].has_value();
  };
  return has(limits_.use) ||
         std::any_of(permissions_.begin(), permissions_.end(),
                     [&](const GrantedPermission& one) { return has(one.permission->limits); });
}

int GrantImpl::PermissionIndex(absl::string_view skill, absl::string_view permission) const {
  for (size_t i = 0; i < permissions_.size(); ++i) {
    if (permissions_[i].granted->skill->name() == skill &&
        permissions_[i].permission->id == permission) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace tipstaff::policy::internal
