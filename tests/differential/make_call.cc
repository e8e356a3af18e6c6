#include "tests/differential/make_call.h"

#include "absl/strings/str_cat.h"
#include "tests/differential/make_run.h"
#include "tests/differential/make_value.h"
#include "tests/differential/plant.h"
#include "tests/differential/world.h"

namespace tipstaff::differential {
namespace {

// What a permission is about, by a name that it may stand for.
std::string NameOf(const Tree& permission, Dice& dice) {
  if (const Tree* tool = permission.Find("tool")) return tool->text;
  if (const Tree* prompt = permission.Find("prompt")) return "prompt:" + prompt->text;
  const std::string& written = permission.Find("resource")->text;
  if (written.find('*') == std::string::npos) return "resource:" + written;
  return absl::StrCat("resource:", written.substr(0, 1), ".",
                      dice.Pick({"get", "page", "delete_one"}));
}

// Those that the permission lists one by one.
Tree ArgumentsOf(const Tree& permission) {
  if (const Tree* uri = permission.Find("uri")) return Tree::Object({{"uri", *uri}});
  const Tree* args = permission.Find("args");
  return args != nullptr ? *args : *permission.Find("schema")->Find("properties");
}

// A change may have left something else.
void MakeObject(Tree& arguments) {
  if (arguments.kind != Tree::Kind::kObject) arguments = Tree::Object();
}

}  // namespace

void MakeCall(const Tree& bindings, Dice& dice, Case& run) {
  run.arguments = Tree::Object();
  const auto permissions = PermissionsOf(run);
  if (permissions.empty() || dice.Chance(8)) {
    run.tool = dice.Chance(40) ? dice.Pick({"m.none", "x.get", "t.", "m_get", "m.get2"})
                               : dice.Pick(WorldTools()).FullName();
    run.arguments = AnyValue(dice, 2);
    return MakeObject(run.arguments);
  }
  const Tree& permission = *dice.Pick(permissions).second;
  run.tool = NameOf(permission, dice);
  const Tree listed = ArgumentsOf(permission);
  for (const auto& [name, schema] : listed.members) {
    const Tree* optional = schema.Find("optional");
    if (optional != nullptr && optional->text == "true" && dice.Chance(40)) continue;
    run.arguments.Set(name, ValueMaker(dice, schema, bindings).Make());
  }
  // Near misses: a call that may pass, and one that differs from it in a thing or two.
  if (dice.Chance(45)) ChangeOneThing(run.arguments, dice);
  if (dice.Chance(10)) ChangeOneThing(run.arguments, dice);
  if (run.canaries.empty() || !dice.Chance(25)) return MakeObject(run.arguments);
  Plant(dice.Pick(run.canaries), dice, run.arguments);
  if (dice.Chance(10)) ChangeOneThing(run.arguments, dice);
  MakeObject(run.arguments);
}

reference::EarlierCall MakeEarlier(const Tree& skill, const Tree& permission, uint64_t at,
                                   Dice& dice) {
  reference::EarlierCall earlier{.skill = skill.Find("skill")->text,
                                 .permission = permission.Find("id")->text,
                                 .at = at,
                                 .argument_bytes = dice.Below(60)};
  earlier.settled = dice.Chance(85);
  earlier.ok = earlier.settled && dice.Chance(80);
  earlier.result_bytes = earlier.settled ? 10 * dice.Below(15) : 0;
  return earlier;
}

}  // namespace tipstaff::differential
