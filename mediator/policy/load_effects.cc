// What permissions do to the outside: effects, write scope, finalization.
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

void Loader::ReadEffect(json::Value node, const call::Tool& tool, Permission& permission) {
  permission.effect = tool.effect;
  const auto name = reader_.Text(node, "effect");
  if (!name.has_value()) return;
  const std::optional<call::Effect> effect = call::ParseEffect(*name);
  if (!effect.has_value()) {
    return reader_.Error(
        node.Find("effect"), kWrongKind,
        absl::StrCat("unknown effect ", Shown(*name), ": use read, write or finalize"));
  }
  if (*effect < tool.effect) {
    return reader_.Error(
        node.Find("effect"), kLoweredEffect,
        absl::StrCat("`", permission.tool, "` is a ", call::EffectName(tool.effect),
                     ": a skill may raise an effect, never lower it"));
  }
  permission.effect = *effect;
}

void Loader::CheckWriteScope(json::Value node, Permission& permission) {
  if (!permission.program.has_value()) return;  // which was reported
  const json::Value unscoped = node.Find("unscoped");
  const bool bound = permission.program->BindsToScope();
  if (permission.effect == call::Effect::kRead) {
    if (unscoped.exists()) {
      reader_.ErrorAtKey(unscoped, kNeedlessUnscoped, "`unscoped` says nothing about a read");
    }
  } else if (bound) {
    if (unscoped.exists()) {
      reader_.ErrorAtKey(unscoped, kNeedlessUnscoped,
                         "`unscoped` on a permission whose arguments are bound to the scope");
    }
  } else if (!unscoped.exists()) {
    reader_.Error(node.Find("tool"), kUnscopedWrite,
                  absl::StrCat("a ", call::EffectName(permission.effect),
                               " whose required arguments are not bound to `scope`"),
                  "bind one by `equals` or `in`, or say `unscoped: \"why\"`");
  } else if (permission.unscoped.empty() && unscoped.is_string()) {
    reader_.Error(unscoped, kWrongKind, "`unscoped` says why");
  }
}

void Loader::CheckEffectsAgree() {
  for (size_t i = 0; i < skill_->permissions_.size(); ++i) {
    const Permission& later = skill_->permissions_[i];
    for (size_t j = 0; j < i && !later.tool.empty(); ++j) {
      const Permission& earlier = skill_->permissions_[j];
      if (earlier.tool != later.tool || earlier.effect == later.effect) continue;
      reader_.Error(
          later.node.Find("tool"), kEffectsDiffer,
          absl::StrCat("`", later.tool, "` is a ", call::EffectName(later.effect), " here and a ",
                       call::EffectName(earlier.effect), " in `", earlier.id, "`"));
      break;
    }
  }
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
      reader_.Error(permission.node.Find("tool"), kSeveralFinalize,
                    absl::StrCat("`", permission.id,
                                 "` finalizes, and the skill says "
                                 "`finalize: none`"));
    } else if (first != nullptr) {
      reader_.Error(permission.node.Find("tool"), kSeveralFinalize,
                    absl::StrCat("`", first->id, "` and `", permission.id, "` both finalize"));
    }
    if (first == nullptr) first = &permission;
  }
  if (first == nullptr && !finalize.exists() && !reader_.failed()) {
    reader_.ErrorAtKey(root().Find("permissions"), kNoFinalize,
                       "no permission finalizes: give the one that submits the result `effect: "
                       "finalize`, or write `finalize: none`");
  }
}

}  // namespace tipstaff::policy::internal
