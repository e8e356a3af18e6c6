// A permission's arguments against the tool's own input schema.
#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/lint.h"
#include "mediator/policy/open_defaults.h"
#include "mediator/policy/schema_places.h"

namespace tipstaff::policy::internal {
namespace {

// The names that misspelt arguments stand for.
std::set<std::string> LintForeign(const Permission& permission, json::Value properties,
                                  Reader& reader) {
  std::vector<std::string> free;  // that the permission does not list
  for (const json::Member& member : properties.members()) {
    if (!permission.listed().Find(member.key).exists()) free.emplace_back(member.key);
  }
  std::set<std::string> meant;
  for (const json::Member& member : permission.listed().members()) {
    if (properties.Find(member.key).exists()) continue;
    const std::string near = source::NearestName(member.key, free);
    if (!near.empty()) meant.insert(near);
    reader.WarnAtKey(member.value, kForeignArgument,
                     absl::StrCat("`", call::WithoutKind(permission.tool), "` has no argument ",
                                  Shown(member.key)),
                     Reader::Suggestion(member.key, free));
  }
  return meant;
}

}  // namespace

void LintArguments(const Permission& permission, const call::Tool& tool, Reader& reader) {
  const json::Value listed = permission.listed();
  const json::Value schema = tool.input_schema.root(), properties = schema.Find("properties");
  std::set<std::string> meant;
  if (ListsAllMembers(schema)) meant = LintForeign(permission, properties, reader);
  for (json::Value name : schema.Find("required").items()) {
    // A schema of all arguments may ask for it elsewhere.
    if (!name.is_string() || permission.schema.exists()) continue;
    if (listed.Find(name.string()).exists()) continue;
    if (meant.contains(std::string(name.string()))) continue;
    reader.Warn(permission.target, kMissingArgument,
                absl::StrCat("`", call::WithoutKind(permission.tool), "` requires the argument ",
                             Shown(name.string()), ", which the permission does not list"),
                "add it to `args`");
  }
  for (const json::Member& member : listed.members()) {
    const schema::Types here = schema::TypesOf(member.value),
                        there = schema::TypesOf(properties.Find(member.key));
    if (schema::CanMeet(here, there)) continue;
    reader.Warn(member.value.Find("type"), kOtherType,
                absl::StrCat("`", call::WithoutKind(permission.tool), "` takes ",
                             schema::TypesInWords(there), " as ", Shown(member.key),
                             ", and this lets ", schema::TypesInWords(here), " through"),
                absl::StrCat("no call satisfies both"));
  }
}

void LintDefaults(const CompiledSkill& skill, const Permission& permission, const call::Tool& tool,
                  Reader& reader) {
  for (const OpenDefault& open : OpenDefaults(skill, permission.node, tool.input_schema.root())) {
    reader.WarnAtKey(
        open.argument, kOpenDefault,
        absl::StrCat("without it `", call::WithoutKind(permission.tool), "` takes ",
                     Shown(json::Dump(open.taken)), ", which the permission does not allow"),
        "require it");
  }
}

}  // namespace tipstaff::policy::internal
