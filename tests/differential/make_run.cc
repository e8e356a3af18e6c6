#include "tests/differential/make_run.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/differential/make_schema.h"
#include "tests/differential/plant.h"
#include "tests/differential/world.h"

namespace tipstaff::differential {
namespace {

class SkillMaker {
 public:
  // `effects`: those of tools that all skills of the run raise.
  SkillMaker(Dice& dice, const std::map<std::string, std::string>& effects, bool may_finalize)
      : dice_(dice), effects_(effects), may_finalize_(may_finalize) {}

  Tree Make(const std::string& name) {
    Tree skill = Tree::Object({{"skill", Tree::Text(name)}});
    AddBindings(skill);
    AddBackends(skill);
    if (dice_.Chance(35)) skill.Set("limits", Limits(true));
    Tree permissions = Tree::List();
    for (size_t n = 1 + dice_.Below(4); n > 0; --n) AddPermission(permissions);
    if (!finalizes_) skill.Set("finalize", Tree::Text("none"));
    skill.Set("permissions", std::move(permissions));
    AddDeny(skill);
    return skill;
  }

 private:
  void AddBindings(Tree& skill) {
    Tree bindings = Tree::Object(), scope = Tree::List();
    for (const WorldBinding& binding : WorldBindings()) {
      if (!dice_.Chance(60)) continue;
      bindings_.push_back(binding.name);
      bindings.Set(binding.name, Tree::Parse(binding.declaration));
      if (!dice_.Chance(60)) continue;
      scope.items.push_back(Tree::Text(binding.name));
      scope_.push_back(binding.name);
    }
    skill.Set("bindings", std::move(bindings));
    if (!scope.items.empty()) skill.Set("scope", std::move(scope));
  }

  void AddBackends(Tree& skill) {
    Tree backends = Tree::Object();
    for (const char* alias : {"m", "t"}) {
      if (!dice_.Chance(75) && !(alias[0] == 't' && aliases_.empty())) continue;
      aliases_.push_back(alias);
      backends.Set(alias, Tree::Object({{"stub", Tree::Text(absl::StrCat(alias, "-stub"))}}));
    }
    skill.Set("backends", std::move(backends));
  }

  Tree Limits(bool of_run) {
    Tree limits = Tree::Object();
    if (dice_.Chance(40)) limits.Set("calls", Tree::Number(dice_.Between(1, of_run ? 12 : 4)));
    if (dice_.Chance(30)) limits.Set("calls_per_minute", Tree::Number(dice_.Between(1, 4)));
    if (dice_.Chance(30)) limits.Set("argument_bytes", Size());
    if (dice_.Chance(30)) limits.Set("result_bytes", Size());
    if (of_run && dice_.Chance(30)) {
      limits.Set("wall", Tree::Text(dice_.Pick({"90s", "5m", "1h30m", "1d"})));
    }
    return limits;
  }

  // So small that they are reached, and now and then to the byte.
  Tree Size() {
    if (dice_.Chance(20)) return Tree::Text(dice_.Pick({"300", "1KiB"}));
    return Tree::Number(10 * dice_.Between(2, 30));
  }

  const WorldTool& PickTool() {
    for (;;) {
      // Some of a skill's permissions are for one tool.
      const WorldTool& tool = dice_.Pick(WorldTools());
      const std::string& chosen = favourite_.empty() || dice_.Chance(50) ? tool.name : favourite_;
      for (const WorldTool& one : WorldTools()) {
        const bool offered =
            std::find(aliases_.begin(), aliases_.end(), one.alias) != aliases_.end();
        if (!offered || one.name != chosen || one.name == "idle") continue;
        if (one.effect == call::Effect::kFinalize && (finalizes_ || !may_finalize_)) continue;
        favourite_ = one.effect == call::Effect::kFinalize ? "" : one.name;
        return one;
      }
      favourite_.clear();
    }
  }

  void AddPermission(Tree& permissions) {
    const WorldTool& tool = PickTool();
    const std::string full = tool.FullName();
    Tree permission =
        Tree::Object({{"id", Tree::Text(absl::StrCat("p", dice_.Below(9), ids_.size()))},
                      {std::string(call::KindName(tool.kind)), Tree::Text(tool.plain())}});
    if (tool.kind == call::Kind::kResource) return AddResource(tool, permission, permissions);
    const auto raised = effects_.find(full);
    if (raised != effects_.end()) permission.Set("effect", Tree::Text(raised->second));
    const bool writes = tool.effect != call::Effect::kRead || raised != effects_.end();
    finalizes_ = finalizes_ || tool.effect == call::Effect::kFinalize;
    SchemaMaker schemas(dice_, bindings_);
    Tree args = Tree::Object();
    for (const char* name : {"x", "y", "z"}) {
      if (!dice_.Chance(name[0] == 'x' ? 90 : 30)) continue;
      Tree schema = schemas.Argument();
      if (dice_.Chance(25)) schema.Set("optional", Tree::Literal(dice_.Pick({"true", "false"})));
      args.Set(name, std::move(schema));
    }
    if (writes) AddScope(permission, args);
    if (dice_.Chance(15)) {
      permission.Set("schema", WholeSchema(std::move(args)));
    } else {
      permission.Set("args", std::move(args));
    }
    AddConditions(permission);
    ids_.push_back(permission.Find("id")->text);
    permissions.items.push_back(std::move(permission));
  }

  void AddResource(const WorldTool& tool, Tree& permission, Tree& permissions) {
    if (dice_.Chance(40)) {
      const std::string glob = tool.alias + dice_.Pick({".*", ".*e*", ".p*", ".*t"});
      // One that names nothing is refused.
      if (absl::EndsWith(glob, ".*") || tool.name == "page") {
        permission.Set("resource", Tree::Text(glob));
      }
    }
    permission.Set("uri", SchemaMaker(dice_, bindings_).Uri());
    AddConditions(permission);
    ids_.push_back(permission.Find("id")->text);
    permissions.items.push_back(std::move(permission));
  }

  // One schema of all arguments that says what `args` says, and at times more.
  Tree WholeSchema(Tree args) {
    Tree required = Tree::List();
    for (auto& [name, schema] : args.members) {
      const Tree* optional = schema.Find("optional");
      if (optional == nullptr || optional->text != "true")
        required.items.push_back(Tree::Text(name));
      schema.Remove("optional");
      // References would look in the whole schema.
      if (schema.ToJson().find('#') != std::string::npos) schema = Tree::Literal("true");
    }
    Tree whole = Tree::Object({{"type", Tree::Text("object")},
                               {"properties", std::move(args)},
                               {"required", std::move(required)}});
    whole.Set(dice_.Pick({"unevaluatedProperties", "additionalProperties"}),
              Tree::Literal("false"));
    if (dice_.Chance(40)) whole.Set("maxProperties", Tree::Number(dice_.Between(1, 3)));
    if (dice_.Chance(30)) {
      whole.Set("dependentRequired", Tree::Object({{"y", Tree::Texts({"x"})}}));
    }
    return whole;
  }

  void AddScope(Tree& permission, Tree& args) {
    if (scope_.empty() || dice_.Chance(40)) {
      permission.Set("unscoped", Tree::Text("drawn so"));
      return;
    }
    const std::string& name = dice_.Pick(scope_);
    const auto& all = WorldBindings();
    const bool list = std::find_if(all.begin(), all.end(), [&](const WorldBinding& binding) {
                        return binding.name == name;
                      })->is_list();
    Tree schema = Tree::Object({{list ? "in" : "equals", Tree::Text("$" + name)}});
    if (list && dice_.Chance(50)) {
      schema = Tree::Object({{"type", Tree::Text("array")},
                             {"minItems", Tree::Number(1)},
                             {"items", std::move(schema)}});
    }
    args.Set("to", std::move(schema));
  }

  void AddConditions(Tree& permission) {
    if (!ids_.empty() && dice_.Chance(20)) permission.Set("after", Tree::Texts({dice_.Pick(ids_)}));
    if (dice_.Chance(25)) permission.Set("limits", Limits(false));
    if (dice_.Chance(20)) {
      permission.Set("result",
                     Tree::Object({{"marks", Tree::Texts({dice_.Pick({"seen", "old"})})}}));
    }
    if (dice_.Chance(20))
      permission.Set("refused_after", Tree::Texts({dice_.Pick({"seen", "old"})}));
    if (!dice_.Chance(15)) return;
    permission.Set("approval", Tree::Object({{"by", Tree::Texts({"leads"})}}));
    if (dice_.Chance(50)) permission.Find("approval")->Set("expires", Tree::Text("5m"));
  }

  void AddDeny(Tree& skill) {
    Tree rules = Tree::List();
    for (size_t n = dice_.Chance(40) ? 1 + dice_.Below(2) : 0; n > 0; --n) {
      rules.items.push_back(
          Tree::Object({{"id", Tree::Text(absl::StrCat("d", dice_.Below(9), n))},
                        {dice_.Pick({"tool", "tool", "tool", "resource", "resource", "prompt"}),
                         Tree::Text(dice_.Pick({"*.delete_*", "m.look", "*idle", "m.*_*", "*.not*",
                                                "m.se*d", "m.*", "*.g*", "*"}))},
                        {"reason", Tree::Text("drawn so")}}));
      AddDenied(rules.items.back());
    }
    if (!rules.items.empty()) skill.Set("deny", std::move(rules));
  }

  // What a rule asks of the arguments, if anything.
  void AddDenied(Tree& rule) {
    if (dice_.Chance(40)) return;
    SchemaMaker schemas(dice_, bindings_);
    if (rule.Find("resource") != nullptr) {
      Tree uri = schemas.Uri();
      ForEach(uri, [](Tree& tree) { tree.Remove("text"); });
      if (ReadsStrictly(uri)) uri = Tree::Object({{"not", std::move(uri)}});
      rule.Set("uri", std::move(uri));
      return;
    }
    Tree args = Tree::Object();
    for (size_t n = 1 + dice_.Below(2); n > 0; --n) {
      Tree schema = schemas.Argument();
      ForEach(schema, [](Tree& tree) { tree.Remove("text"); });  // refused in deny rules
      if (ReadsStrictly(schema)) schema = Tree::Object({{"not", std::move(schema)}});
      args.Set(dice_.Pick({"x", "y", "z"}), std::move(schema));
    }
    if (dice_.Chance(70)) {
      for (auto& arg : args.members) {
        if (dice_.Chance(20)) arg.second.Set("optional", Tree::Literal("true"));
      }
      rule.Set("args", std::move(args));
    } else {
      Tree schema = Tree::Object({{"properties", std::move(args)}});
      if (dice_.Chance(70)) schema.Set("required", Tree::Texts({dice_.Pick({"x", "y", "z"})}));
      rule.Set("schema", std::move(schema));
    }
  }

  // Deny rules ask for such only below `not`.
  static bool ReadsStrictly(Tree& schema) {
    bool found = false;
    ForEach(schema, [&](const Tree& tree) {
      for (const char* word : {"email", "emailDomain", "format", "path", "plain", "url"}) {
        found = found || tree.Find(word) != nullptr;
      }
    });
    return found;
  }

  Dice& dice_;
  const std::map<std::string, std::string>& effects_;
  const bool may_finalize_;
  bool finalizes_ = false;
  std::string favourite_;
  std::vector<std::string> bindings_, scope_, aliases_, ids_;
};

}  // namespace

Case MakeRun(Dice& dice) {
  Case run;
  std::map<std::string, std::string> effects;
  for (const WorldTool& tool : WorldTools()) {
    if (tool.kind != call::Kind::kTool) continue;
    if (tool.effect == call::Effect::kRead && dice.Chance(8)) effects[tool.FullName()] = "write";
  }
  const size_t skills = dice.Chance(60) ? 1 : 2 + dice.Below(2);
  const size_t finalizing = dice.Below(skills);
  for (size_t i = 0; i < skills; ++i) {
    SkillMaker maker(dice, effects, i == finalizing);
    run.skills.push_back(maker.Make(std::string(1, static_cast<char>('c' - i))));
  }
  for (const WorldBinding& binding : WorldBindings()) {
    const bool declared = std::any_of(run.skills.begin(), run.skills.end(), [&](const Tree& skill) {
      return skill.Find("bindings")->Find(binding.name) != nullptr;
    });
    // What has no default has to be given.
    if (!declared || (binding.name != "id" && dice.Chance(40))) continue;
    run.bindings.Set(binding.name, Tree::Parse(dice.Pick(binding.values)));
  }
  for (size_t n = dice.Chance(30) ? 1 + dice.Below(3) : 0; n > 0; --n) {
    run.canaries.push_back(dice.Pick(PlantedTexts()));
  }
  return run;
}

std::vector<std::pair<const Tree*, const Tree*>> PermissionsOf(const Case& run) {
  std::vector<std::pair<const Tree*, const Tree*>> all;
  for (const Tree& skill : run.skills) {
    for (const Tree& permission : skill.Find("permissions")->items) {
      all.emplace_back(&skill, &permission);
    }
  }
  return all;
}

}  // namespace tipstaff::differential
