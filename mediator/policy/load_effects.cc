// What permissions do to the outside: effects, write scope, finalization.
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {

void Loader::ReadEffect(json::Value node, Permission& permission) {
  if (permission.kind() != call::Kind::kTool) return;  // which was reported
  const auto name = reader_.Text(node, "effect");
  if (!name.has_value()) return;
  const std::optional<call::Effect> effect = call::ParseEffect(*name);
  if (!effect.has_value()) {
    return reader_.Error(
        node.Find("effect"), kWrongKind,
        absl::StrCat("unknown effect ", Shown(*name), ": use read, write or finalize"));
  }
  if (*effect < permission.effect) {
    return reader_.Error(node.Find("effect"), kLoweredEffect,
                         absl::StrCat("the effect of `", permission.tool, "` is ",
                                      call::EffectName(permission.effect),
                                      ": a skill may raise an effect, never lower it"),
                         "remove it");
  }
  permission.effect = *effect;
}

namespace {

// The binding that `schema` is tied to by `equals` or `in`, or nullptr.
const schema::Binding* TiedTo(json::Value schema, absl::Span<const schema::Binding> bindings) {
  for (const char* keyword : {"equals", "in"}) {
    const schema::Operand operand = schema::ReadOperand(schema.Find(keyword));
    if (operand.kind != schema::Operand::Kind::kReference) continue;
    const schema::Binding* binding = schema::FindBinding(bindings, operand.text);
    if (binding != nullptr) return binding;
  }
  return nullptr;
}

// What an argument lacks that looks as if it were to keep the write in the scope, or "".
std::string NearlyBound(json::Value args, absl::Span<const schema::Binding> bindings) {
  for (const json::Member& member : args.members()) {
    const schema::Binding* binding = TiedTo(member.value, bindings);
    const bool items = binding == nullptr;
    if (items) binding = TiedTo(member.value.Find("items"), bindings);
    if (binding == nullptr) continue;
    if (!binding->in_scope) {
      return absl::StrCat("add `", binding->name, "`, to which ", Shown(member.key),
                          " is bound, to `scope`");
    }
    if (member.value.BoolOr("optional", false)) {
      return absl::StrCat(Shown(member.key), " may be left out: remove its `optional: true`");
    }
    if (!items) continue;
    return absl::StrCat(Shown(member.key), " may be an empty list: give it `type: array, ",
                        "minItems: 1`");
  }
  return "";
}

}  // namespace

void Loader::CheckWriteScope(json::Value node, Permission& permission) {
  if (!permission.program.has_value()) return;  // which was reported
  const json::Value unscoped = node.Find("unscoped");
  const bool bound = permission.program->BindsToScope();
  if (permission.effect == call::Effect::kRead) {
    if (unscoped.exists()) {
      reader_.ErrorAtKey(unscoped, kNeedlessUnscoped, "`unscoped` says nothing about a read",
                         "remove it");
    }
  } else if (bound) {
    if (unscoped.exists()) {
      reader_.ErrorAtKey(unscoped, kNeedlessUnscoped,
                         "`unscoped` on a permission whose arguments are bound to the scope",
                         "remove it");
    }
  } else if (!unscoped.exists()) {
    if (!scope_known_) return;  // which was reported
    const std::string near = NearlyBound(permission.listed(), skill_->schema_bindings_);
    reader_.Error(permission.target, kUnscopedWrite,
                  absl::StrCat("a ", call::EffectName(permission.effect),
                               " whose required arguments are not bound to `scope`"),
                  near.empty() ? "bind one by `equals` or `in`, or say `unscoped: \"why\"`" : near);
  } else if (permission.unscoped.empty() && unscoped.is_string()) {
    reader_.Error(unscoped, kWrongKind, "`unscoped` says why");
  }
}

bool Loader::CheckEffectsAgree() {
  bool agree = true;
  for (size_t i = 0; i < skill_->permissions_.size(); ++i) {
    const Permission& later = skill_->permissions_[i];
    for (size_t j = 0; j < i && !later.tool.empty(); ++j) {
      const Permission& earlier = skill_->permissions_[j];
      if (earlier.tool != later.tool || earlier.effect == later.effect) continue;
      agree = false;
      const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(later.id)));
      reader_.Error(
          later.target, kEffectsDiffer,
          absl::StrCat("`", later.tool, "` is a ", call::EffectName(later.effect), " here and a ",
                       call::EffectName(earlier.effect), " in `", earlier.id, "`"));
      break;
    }
  }
  return agree;
}

void Loader::CheckFinalize() {
  const json::Value finalize = root().Find("finalize");
  const bool none = finalize.is_string() && finalize.string() == "none";
  if (finalize.exists() && !none) {
    reader_.Error(finalize, kWrongKind,
                  "`finalize` takes `none`: the call that submits the result is a permission with "
                  "`effect: finalize`");
  }
  const Permission* first = nullptr;
  for (const Permission& permission : skill_->permissions_) {
    if (permission.tool.empty() || permission.effect != call::Effect::kFinalize) continue;
    if (none) {
      reader_.Error(FinalizesAt(permission), kSeveralFinalize,
                    absl::StrCat("`", permission.id,
                                 "` finalizes, and the skill says "
                                 "`finalize: none`"),
                    absl::StrCat("in line ", reader_.LineOf(finalize)));
    } else if (first != nullptr) {
      ReportFinalize(*first, permission);
    }
    if (first == nullptr) first = &permission;
  }
  if (first == nullptr && !finalize.exists() && !reader_.failed()) {
    reader_.ErrorAtKey(root().Find("permissions"), kNoFinalize,
                       "no permission finalizes: give the one that submits the result `effect: "
                       "finalize`, or write `finalize: none`");
  }
}

json::Value Loader::FinalizesAt(const Permission& permission) const {
  const json::Value effect = permission.node.Find("effect");
  return effect.exists() ? effect : permission.target;
}

// Where one was made to finalize by the skill, that is more likely the mistake.
void Loader::ReportFinalize(const Permission& first, const Permission& second) {
  const bool blame_first =
      first.node.Find("effect").exists() && !second.node.Find("effect").exists();
  const Permission& blamed = blame_first ? first : second;
  const Permission& other = blame_first ? second : first;
  const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(blamed.id)));
  reader_.Error(FinalizesAt(blamed), kSeveralFinalize,
                absl::StrCat("`", first.id, "` and `", second.id, "` both finalize"),
                absl::StrCat("`", other.id, "` does in line ", reader_.LineOf(other.node)));
}

}  // namespace tipstaff::policy::internal
