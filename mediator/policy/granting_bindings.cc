#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/granting.h"
#include "mediator/policy/reader.h"

namespace tipstaff::policy::internal {

void Granting::BindValues() {
  std::set<std::string> names;
  for (const auto& granted : grant_->granted_) {
    for (const BindingDecl& binding : granted->skill->bindings_) names.insert(binding.name);
  }
  CheckGiven(std::vector<std::string>(names.begin(), names.end()));
  json::Builder builder;
  builder.StartObject();
  for (const std::string& name : names) {
    if (const json::Value value = ChooseValue(name); value.exists()) builder.Field(name, value);
  }
  builder.EndObject();
  absl::StatusOr<json::Document> bindings = std::move(builder).Build();
  if (!bindings.ok()) return Error(kBadBinding, std::string(bindings.status().message()));
  grant_->bindings_ = *std::move(bindings);
  for (const auto& granted : grant_->granted_) {
    for (const BindingDecl& binding : granted->skill->bindings_) {
      granted->values.push_back(grant_->bindings_.root().Find(binding.name));
    }
  }
  CheckValues();
}

void Granting::CheckGiven(absl::Span<const std::string> declared) {
  if (!given_.root().is_object()) return Error(kBadBinding, "the bindings are no JSON object");
  for (const json::Member& member : given_.root().members()) {
    bool known = false;
    for (const std::string& name : declared) known = known || name == member.key;
    if (known) continue;
    const std::string near = Reader::Suggestion(member.key, declared);
    Error(kUnwantedBinding, absl::StrCat("no skill of the run has a binding ", Shown(member.key),
                                         near.empty() ? "" : ": ", near));
  }
}

json::Value Granting::ChooseValue(const std::string& name) {
  if (const json::Value given = given_.root().Find(name); given.exists()) return given;
  json::Value chosen;
  for (const auto& granted : grant_->granted_) {
    for (const BindingDecl& binding : granted->skill->bindings_) {
      if (binding.name != name) continue;
      if (!binding.default_value.exists()) {
        ErrorAt(*granted->skill, binding.schema, kMissingBinding,
                absl::StrCat("the binding `", name, "` is not given"));
        return json::Value();
      }
      if (chosen.exists() && !json::Equal(chosen, binding.default_value)) {
        ErrorAt(*granted->skill, binding.default_value, kDefaultClash,
                absl::StrCat("the skills have different defaults for `", name, "`: give it"));
        return json::Value();
      }
      chosen = binding.default_value;
    }
  }
  return chosen;
}

void Granting::CheckValues() {
  for (const auto& granted : grant_->granted_) {
    for (size_t i = 0; i < granted->values.size(); ++i) {
      const BindingDecl& binding = granted->skill->bindings_[i];
      if (!granted->values[i].exists()) continue;  // reported
      const auto failure = binding.program->Check(granted->values[i]);
      if (!failure.has_value()) continue;
      ErrorAt(*granted->skill, binding.schema, kBadBinding,
              absl::StrCat(
                  "the binding `", binding.name, "` fails `", failure->keyword, "`: expected ",
                  failure->expected, ", found ", failure->found,
                  failure->keyword == "type" && granted->values[i].is_string()
                      ? absl::StrCat(" (`--bind ", binding.name, ":=JSON` gives other than text)")
                      : ""));
    }
  }
}

}  // namespace tipstaff::policy::internal
