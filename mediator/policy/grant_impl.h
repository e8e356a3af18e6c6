// A grant as Decide() reads it. Not for other libraries.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "mediator/policy/canary.h"
#include "mediator/policy/compiled.h"
#include "mediator/policy/dispatch.h"
#include "mediator/policy/grant.h"
#include "mediator/policy/narrow.h"
#include "mediator/schema/defaults.h"

namespace tipstaff::policy::internal {

// One skill of the grant, with what its bindings stand for.
struct GrantedSkill {
  const CompiledSkill* skill = nullptr;
  std::vector<json::Value> values;  // in the order of the skill's bindings; views of bindings_

  BoundValues bound() const { return {skill->schema_bindings_, values}; }
};

// A permission of the grant: its index is Decision::permission_index. Sorted by skill and id, so
// that the lowest index is also the choice between equals.
struct GrantedPermission {
  const GrantedSkill* granted = nullptr;
  const Permission* permission = nullptr;
  std::vector<int> after;  // indices of the grant
};

struct GrantedRule {
  const GrantedSkill* granted = nullptr;
  const DenyRule* rule = nullptr;
};

struct GrantedTool {
  call::Effect effect = call::Effect::kRead;  // raised where a skill says so
  std::vector<GrantedRule> deny;              // those that match it, by skill and id
  std::vector<int> permissions;               // ascending
  Dispatch dispatch;                          // of them
  Parts sensitive_result;                     // the same of its results
  Parts sensitive;                            // of its arguments, for any permission
  // Those of the tool, where there are any: the rules have to see them.
  std::optional<schema::Defaults> defaults;
  bool bare_name = false;  // every skill that permits it says `names: bare`

  // Whatever the arguments are.
  bool always_denied() const;
};

class GrantImpl final : public Grant {
 public:
  absl::Span<const std::shared_ptr<const Skill>> skills() const override { return skills_; }
  const json::Document& bindings() const override { return bindings_; }
  absl::Span<const std::pair<std::string, BackendRef>> backends() const override {
    return backends_;
  }
  absl::Span<const PublishedTool> tools() const override { return published_; }
  std::string ResolveTool(absl::string_view name) const override;
  absl::Span<const PublishedItem> resources() const override { return resources_; }
  absl::Span<const PublishedItem> resource_templates() const override {
    return resource_templates_;
  }
  absl::Span<const PublishedItem> prompts() const override { return prompts_; }
  std::string ResolveResource(absl::string_view uri) const override;
  std::string ResolvePrompt(absl::string_view name) const override;
  std::string ResolveCompletion(absl::string_view prompt,
                                absl::string_view uri_template) const override;
  bool completes() const override { return completes_; }
  size_t permission_count() const override { return permissions_.size(); }
  std::string PermissionName(int index) const override;
  int PermissionIndex(absl::string_view skill, absl::string_view permission) const override;
  std::optional<Approval> ApprovalOf(int permission) const override;
  std::string LimitResult(int permission, call::OutcomeKind kind,
                          std::string result) const override;
  const Parts& SensitiveArguments(absl::string_view tool) const override;
  const Parts& SensitiveResult(absl::string_view tool) const override;
  Keeping KeepingOf(absl::string_view tool, absl::string_view argument) const override;
  bool has_sensitive() const override { return has_sensitive_; }
  std::vector<KeywordOutcome> OutcomesOf(int permission, absl::string_view pointer,
                                         json::Value value) const override;
  const std::string& digest() const override { return digest_; }
  SkillLimits limits() const override { return limits_; }
  bool limits_rate() const override;
  bool has_finalize() const override { return has_finalize_; }
  const Canaries& canaries() const override { return canaries_; }
  bool SearchesCalls(absl::string_view tool) const override {
    return !canaries_.empty() && tools_.contains(tool);
  }

  // Written by Grant::Make, then constant.
  std::vector<std::shared_ptr<const Skill>> skills_;
  json::Document bindings_;
  std::vector<std::pair<std::string, BackendRef>> backends_;
  std::vector<PublishedTool> published_;
  absl::flat_hash_map<std::string, std::string> tool_by_published_name_;
  std::vector<PublishedItem> resources_, resource_templates_, prompts_;
  // Where URIs lead, whether they are published or not.
  struct Place {
    std::string uri, uri_template;  // one of them
    std::string name;               // "resource:docs.guide"
    bool shown = false;
  };
  std::vector<Place> places_;
  absl::flat_hash_map<std::string, std::string> prompt_by_published_name_;
  std::vector<std::unique_ptr<GrantedSkill>> granted_;  // sorted by name
  std::vector<GrantedPermission> permissions_;
  absl::flat_hash_map<std::string, GrantedTool> tools_;  // all that the backends offer
  std::string digest_;
  SkillLimits limits_;
  std::map<LimitKind, const CompiledSkill*> limit_skill_;  // whose limit is the strictest
  std::map<std::string, std::vector<int>> marking_;        // label -> permissions that put it
  bool has_finalize_ = false;
  bool completes_ = false;
  bool has_sensitive_ = false;
  Canaries canaries_;
};

}  // namespace tipstaff::policy::internal
