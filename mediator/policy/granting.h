// Makes a grant. Its parts stand in granting_*.cc.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mediator/policy/grant_impl.h"

namespace tipstaff::policy::internal {

class Granting {
 public:
  // All must outlive it.
  Granting(std::vector<std::shared_ptr<const Skill>> skills, const json::Document& given,
           const Catalog& catalog, source::Diagnostics& diagnostics,
           absl::Span<const std::string> canaries);

  // Null after an error.
  std::shared_ptr<const Grant> Make();

 private:
  // An error; at a place of a skill's file where one is given.
  void Error(const char* code, std::string message);
  void ErrorAt(const CompiledSkill& skill, json::Value at, const char* code, std::string message);

  bool TakeSkills();
  void BindValues();
  void CheckGiven(absl::Span<const std::string> declared);
  // The value of `name` over all skills; missing after an error.
  json::Value ChooseValue(const std::string& name);
  void CheckValues();

  void JoinBackends();
  void AddTools();
  void AddPermissions();
  void AddToTool(int index);
  void AddDenyRules();
  bool IsAbout(const DenyRule& rule, const CompiledSkill& skill, absl::string_view name) const;
  void AddSubscriptions();
  void JoinLimits();
  void AddCanaries();
  void PublishTools();
  void PublishItems();
  // Whether agents are shown it for this permission.
  bool Shows(const call::Tool& tool, const GrantedPermission& permission) const;
  void Digest();

  std::vector<std::shared_ptr<const Skill>> skills_;
  const json::Document& given_;
  const Catalog& catalog_;
  source::Diagnostics& diagnostics_;
  absl::Span<const std::string> planted_;
  std::shared_ptr<GrantImpl> grant_ = std::make_shared<GrantImpl>();
  std::map<std::string, call::Tool> offered_;  // by "alias.tool"
  bool failed_ = false;
};

}  // namespace tipstaff::policy::internal
