#include "mediator/policy/granting.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/publish.h"

namespace tipstaff::policy {
namespace internal {

Granting::Granting(std::vector<std::shared_ptr<const Skill>> skills, const json::Document& given,
                   const Catalog& catalog, source::Diagnostics& diagnostics,
                   absl::Span<const std::string> canaries)
    : skills_(std::move(skills)),
      given_(given),
      catalog_(catalog),
      diagnostics_(diagnostics),
      planted_(canaries) {}

void Granting::Error(const char* code, std::string message) {
  diagnostics_.push_back({.code = code, .message = std::move(message)});
  failed_ = true;
}

void Granting::ErrorAt(const CompiledSkill& skill, json::Value at, const char* code,
                       std::string message) {
  diagnostics_.push_back(skill.document_.AtKey(at, code, std::move(message)));
  diagnostics_.back().notes.push_back(absl::StrCat("in skill `", skill.name(), "`"));
  failed_ = true;
}

std::shared_ptr<const Grant> Granting::Make() {
  if (!TakeSkills()) return nullptr;
  BindValues();
  JoinBackends();
  if (failed_) return nullptr;
  AddTools();
  AddPermissions();
  if (failed_) return nullptr;
  AddDenyRules();
  AddSubscriptions();
  JoinLimits();
  AddCanaries();
  PublishTools();
  PublishItems();
  Digest();
  if (failed_) return nullptr;
  return grant_;
}

bool Granting::TakeSkills() {
  for (const std::shared_ptr<const Skill>& skill : skills_) {
    const auto* compiled = dynamic_cast<const CompiledSkill*>(skill.get());
    if (compiled == nullptr) {
      Error(kNoSkill, "a skill that was not loaded");
      return false;
    }
    for (const auto& other : grant_->granted_) {
      if (other->skill->name() != compiled->name()) continue;
      Error(kSkillTwice, absl::StrCat("the skill `", compiled->name(), "` is granted twice"));
      return false;
    }
    grant_->granted_.push_back(std::make_unique<GrantedSkill>(GrantedSkill{compiled, {}}));
  }
  if (grant_->granted_.empty()) {
    Error(kNoSkill, "a run needs at least one skill");
    return false;
  }
  std::sort(grant_->granted_.begin(), grant_->granted_.end(),
            [](const auto& a, const auto& b) { return a->skill->name() < b->skill->name(); });
  grant_->skills_ = skills_;
  return true;
}

void Granting::JoinBackends() {
  std::map<std::string, BackendRef> backends;
  for (const auto& granted : grant_->granted_) {
    for (const auto& [alias, backend] : granted->skill->backends()) {
      const auto [there, added] = backends.emplace(alias, backend);
      if (added || there->second == backend) continue;
      ErrorAt(*granted->skill, granted->skill->document_.root().Find("backends").Find(alias),
              kAliasClash,
              absl::StrCat("`", alias, "` is ", backend.ToString(), " here and ",
                           there->second.ToString(), " in another skill of the run"));
    }
  }
  grant_->backends_.assign(backends.begin(), backends.end());
}

void Granting::AddTools() {
  for (const auto& [alias, backend] : grant_->backends_) {
    absl::StatusOr<std::vector<call::Tool>> tools = catalog_.ToolsOf(backend);
    if (!tools.ok()) {
      Error(kUnknownBackend, std::string(tools.status().message()));
      continue;
    }
    for (call::Tool& tool : *tools) {
      std::string name = call::FullName(tool.kind, alias, tool.name);
      // What cannot be written in a call is not offered.
      if (!call::IsToolName(call::WithoutKind(name))) continue;
      grant_->tools_[name].effect = tool.effect;
      schema::Defaults defaults(tool.input_schema);
      if (!defaults.none()) grant_->tools_[name].defaults = std::move(defaults);
      offered_.emplace(std::move(name), std::move(tool));
    }
  }
}

// To be told of a change is to read: the same permissions and rules decide.
void Granting::AddSubscriptions() {
  for (const auto& [name, tool] : offered_) {
    if (tool.kind != call::Kind::kResource) continue;
    GrantedTool same = grant_->tools_[name];
    grant_->tools_[call::FullName(call::Kind::kSubscription, call::WithoutKind(name))] =
        std::move(same);
  }
}

void Granting::JoinLimits() {
  const auto join = [](auto& strictest, const auto& limit) {
    if (!limit.has_value() || (strictest.has_value() && *strictest <= *limit)) return false;
    strictest = limit;
    return true;
  };
  for (const auto& granted : grant_->granted_) {
    const SkillLimits& limits = granted->skill->limits();
    for (const LimitKind kind : kLimitKinds) {
      if (join(grant_->limits_.use[kind], limits.use[kind])) {
        grant_->limit_skill_[kind] = granted->skill;
      }
    }
    join(grant_->limits_.wall, limits.wall);
  }
}

void Granting::AddCanaries() {
  for (const std::string& planted : planted_) {
    const absl::Status added = grant_->canaries_.Add(planted);
    if (!added.ok()) Error(kBadCanary, std::string(added.message()));
  }
}

void Granting::PublishTools() {
  std::set<std::string> unpublished;
  for (const auto& [name, tool] : offered_) {
    if (tool.kind != call::Kind::kTool) continue;
    std::vector<const GrantedPermission*> permissions;
    const GrantedTool& granted = grant_->tools_[name];
    for (const int index : granted.permissions) {
      const GrantedPermission& permission = grant_->permissions_[index];
      if (!granted.always_denied() && CanPass(tool, permission)) permissions.push_back(&permission);
    }
    if (permissions.empty()) {
      unpublished.insert(name);
      continue;
    }
    PublishedTool published = Publish(name, tool, granted, permissions);
    const auto [there, added] =
        grant_->tool_by_published_name_.emplace(published.name, published.tool);
    if (!added) {
      Error(kNameClash,
            absl::StrCat("agents would see `", name, "` and `", there->second,
                         "` under the one name `", published.name,
                         granted.bare_name ? "`: leave `names: bare` out" : "`: rename an alias"));
    }
    grant_->published_.push_back(std::move(published));
  }
  std::sort(grant_->published_.begin(), grant_->published_.end(),
            [](const PublishedTool& a, const PublishedTool& b) { return a.name < b.name; });
  // A guess at the name of a tool that is not published is decided, and denied, like any call.
  for (const std::string& name : unpublished) {
    grant_->tool_by_published_name_.emplace(PublishedName(name), name);
  }
}

void Granting::Digest() {
  std::string text = "tipstaff grant 1\n";
  for (const auto& granted : grant_->granted_) {
    absl::StrAppend(&text, granted->skill->name(), " ", granted->skill->digest(), "\n");
  }
  absl::StrAppend(&text, json::Canonical(grant_->bindings_.root()));
  for (const std::string& planted : planted_) {
    absl::StrAppend(&text, "\ncanary ", base::ToHex(base::DigestOf(planted)));
  }
  grant_->digest_ = base::ToHex(base::DigestOf(text));
}

}  // namespace internal

std::shared_ptr<const Grant> Grant::Make(std::vector<std::shared_ptr<const Skill>> skills,
                                         const json::Document& bindings, const Catalog& catalog,
                                         source::Diagnostics& diagnostics,
                                         absl::Span<const std::string> canaries) {
  return internal::Granting(std::move(skills), bindings, catalog, diagnostics, canaries).Make();
}

}  // namespace tipstaff::policy
