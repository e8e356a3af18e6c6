#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {

void Loader::ReadBindings() {
  const json::Value bindings = root().Find("bindings");
  if (!bindings.exists()) return;
  if (!bindings.is_object()) {
    return reader_.Error(bindings, kWrongKind, "`bindings` is a mapping from names to schemas");
  }
  for (const json::Member& member : bindings.members()) ReadBinding(member);
}

void Loader::ReadBinding(const json::Member& member) {
  const Reader::Within within(reader_, absl::StrCat("in binding ", Shown(member.key)));
  if (!schema::IsBindingName(member.key)) {
    return reader_.ErrorAtKey(member.value, kBadName,
                              absl::StrCat(Shown(member.key),
                                           " is no name for a binding: use at most 64 letters, "
                                           "digits and `_`, no digit first"));
  }
  BindingDecl binding{.name = std::string(member.key),
                      .schema = member.value,
                      .default_value = member.value.Find("default")};
  std::vector<schema::Problem> problems;
  binding.program = schema::Program::Compile(
      member.value, {.dialect = schema::Dialect::kSkill, .own_keyword = "default"}, problems);
  // Neither `true`, which lets everything through, nor a list of types.
  const bool untyped = (member.value.is_object() || member.value.is_bool()) &&
                       !member.value.Find("type").is_string();
  if (untyped) {
    problems.erase(std::remove_if(problems.begin(), problems.end(), schema::IsWarning),
                   problems.end());
    reader_.ErrorAtKey(member.value, kUntypedBinding,
                       "a binding has one type: add for instance `type: string`");
  }
  reader_.AddProblems(problems);
  RefuseSensitive(SchemasWithin(member.value, ""), "the bindings of a run are recorded");
  // Of one that failed nothing more is said where it is used.
  binding.is_array = !binding.program || untyped || member.value.StringOr("type", "") == "array";
  ReadDefault(binding);
  skill_->bindings_.push_back(std::move(binding));
}

void Loader::ReadDefault(BindingDecl& binding) {
  if (!binding.default_value.exists() || !binding.program.has_value()) return;
  const auto failure = binding.program->Check(binding.default_value);
  if (!failure.has_value()) return;
  reader_.Error(binding.default_value, kBadDefault,
                absl::StrCat("the default does not satisfy `", failure->keyword, "`: expected ",
                             failure->expected, ", found ", failure->found));
}

void Loader::ReadScope() {
  std::vector<std::string> names;
  for (const BindingDecl& binding : skill_->bindings_) names.push_back(binding.name);
  const json::Value scope = reader_.List(root(), "scope");
  scope_known_ = scope.exists() || !root().Find("scope").exists();
  for (json::Value item : scope.items()) {
    const auto named = [item](const BindingDecl& binding) {
      return item.is_string() && binding.name == item.string();
    };
    const auto binding = std::find_if(skill_->bindings_.begin(), skill_->bindings_.end(), named);
    if (binding == skill_->bindings_.end()) {
      scope_known_ = false;
      const absl::string_view name = item.is_string() ? item.string() : "";
      reader_.Error(item, kUnknownScope,
                    absl::StrCat("`scope` lists bindings, and there is none called ",
                                 item.is_string() ? Shown(name) : "so"),
                    Reader::Suggestion(name, names));
    } else if (binding->in_scope) {
      reader_.Error(item, kDuplicate, absl::StrCat("`", binding->name, "` is in `scope` twice"));
    } else {
      binding->in_scope = true;
    }
  }
  for (const BindingDecl& binding : skill_->bindings_) {
    skill_->schema_bindings_.push_back({binding.name, binding.in_scope, binding.is_array});
  }
}

}  // namespace tipstaff::policy::internal
