// Permissions that another one makes needless, because it allows every call that they do. Found by
// comparing the texts of their schemas: where that does not show it, nothing is said.
#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/lint.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/numbers.h"

namespace tipstaff::policy::internal {
namespace {

// Each constrains a value by itself, whatever stands beside it.
bool StandsAlone(absl::string_view key) {
  for (const char* keyword : {"const",
                              "email",
                              "emailDomain",
                              "enum",
                              "equals",
                              "exclusiveMaximum",
                              "exclusiveMinimum",
                              "format",
                              "in",
                              "maxBytes",
                              "maxItems",
                              "maxLength",
                              "maxProperties",
                              "maximum",
                              "minBytes",
                              "minItems",
                              "minLength",
                              "minProperties",
                              "minimum",
                              "multipleOf",
                              "path",
                              "pattern",
                              "plain",
                              "required",
                              "type",
                              "uniqueItems",
                              "url"}) {
    if (key == keyword) return true;
  }
  return false;
}

bool Contains(json::Value list, json::Value value) {
  for (json::Value item : list.items()) {
    if (value.exists() && json::Equal(item, value)) return true;
  }
  return false;
}

bool ContainsAll(json::Value list, json::Value values) {
  if (!list.is_array() || !values.is_array()) return false;
  for (json::Value value : values.items()) {
    if (!Contains(list, value)) return false;
  }
  return true;
}

bool HasType(json::Value types, absl::string_view name) {
  const auto is = [name](json::Value one) {
    return one.is_string() &&
           (one.string() == name || (name == "integer" && one.string() == "number"));
  };
  if (is(types)) return true;
  for (json::Value one : types.items()) {
    if (is(one)) return true;
  }
  return false;
}

bool HasTypes(json::Value wide, json::Value narrow) {
  if (narrow.is_string()) return HasType(wide, narrow.string());
  for (json::Value name : narrow.items()) {
    if (!name.is_string() || !HasType(wide, name.string())) return false;
  }
  return narrow.is_array();
}

// Whether what `narrow` asks for implies the keyword `key` of `wide`.
bool Implies(json::Value narrow, absl::string_view key, json::Value wide) {
  const json::Value same = narrow.Find(key);
  if (same.exists() && json::Equal(same, wide)) return true;
  if (key == "type") return HasTypes(wide, same);
  if (key == "enum") return ContainsAll(wide, same) || Contains(wide, narrow.Find("const"));
  if (key == "in" && wide.is_array()) {
    return ContainsAll(wide, same) || Contains(wide, narrow.Find("equals"));
  }
  if (!same.is_number() || !wide.is_number()) return false;
  const bool most = absl::StartsWith(key, "max") || key == "exclusiveMaximum";
  const bool least = absl::StartsWith(key, "min") || key == "exclusiveMinimum";
  const int order = schema::Compare(same, wide);
  return (most && order <= 0) || (least && order >= 0);
}

// `line` lets fewer characters through than `lines`, and `lines` fewer than `any`.
int TextOf(json::Value schema) {
  const absl::string_view mode = schema.StringOr("text", "line");
  return mode == "line" ? 0 : mode == "lines" ? 1 : 2;
}

// Texts in parts of the value may have a mode of their own.
bool LoosensText(json::Value schema) {
  const std::vector<SchemaPlace> places = SchemasWithin(schema, "");
  return std::any_of(places.begin() + 1, places.end(),
                     [](const SchemaPlace& place) { return TextOf(place.schema) > 0; });
}

// Whether it is certain that `wide` accepts every value that `narrow` does.
bool Accepts(json::Value wide, json::Value narrow) {
  if (json::Equal(wide, narrow)) return true;
  if (!wide.is_object() || !narrow.is_object() || TextOf(narrow) > TextOf(wide)) return false;
  const bool items = wide.Find("items").exists() && narrow.Find("items").exists() &&
                     !wide.Find("prefixItems").exists() && !narrow.Find("prefixItems").exists();
  for (const json::Member& member : wide.members()) {
    if (IsAnnotation(member.key) || member.key == "text") continue;
    if (member.key == "items" && items && Accepts(member.value, narrow.Find("items"))) continue;
    if (!StandsAlone(member.key) || !Implies(narrow, member.key, member.value)) return false;
  }
  return items || !LoosensText(narrow);
}

bool MayBeLeftOut(json::Value argument) { return argument.BoolOr("optional", false); }

bool AcceptsArguments(json::Value wide, json::Value narrow) {
  if (!wide.is_object() || !narrow.is_object()) return false;
  for (const json::Member& member : wide.members()) {
    const json::Value argument = narrow.Find(member.key);
    if (!MayBeLeftOut(member.value) && (!argument.exists() || MayBeLeftOut(argument))) return false;
  }
  for (const json::Member& member : narrow.members()) {
    const json::Value argument = wide.Find(member.key);
    if (!argument.exists() || !Accepts(argument, member.value)) return false;
  }
  return true;
}

template <typename T>
bool Includes(const std::vector<T>& all, const std::vector<T>& some) {
  return std::all_of(some.begin(), some.end(), [&all](const T& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  });
}

// What a permission does beside allowing: equal, or not there in either.
bool DoTheSame(const Permission& a, const Permission& b, const char* key) {
  const json::Value one = a.node.Find(key), other = b.node.Find(key);
  return one.exists() == other.exists() && (!one.exists() || json::Equal(one, other));
}

bool Covers(const Permission& wide, const Permission& narrow) {
  return wide.tool == narrow.tool && wide.effect == narrow.effect &&
         !wide.node.Find("limits").exists() && DoTheSame(wide, narrow, "result") &&
         (!wide.node.Find("approval").exists() || DoTheSame(wide, narrow, "approval")) &&
         Includes(narrow.after, wide.after) && Includes(narrow.refused_after, wide.refused_after) &&
         (wide.uri.exists() ? Accepts(wide.uri, narrow.uri)
                            : AcceptsArguments(wide.args, narrow.args));
}

}  // namespace

void LintCovered(const CompiledSkill& skill, Reader& reader) {
  const std::vector<Permission>& permissions = skill.permissions_;
  std::set<size_t> awaited;  // removing one of these would change what `after` waits for
  for (const Permission& permission : permissions) {
    awaited.insert(permission.after.begin(), permission.after.end());
  }
  for (size_t i = 0; i < permissions.size(); ++i) {
    if (awaited.contains(i)) continue;
    for (size_t j = 0; j < permissions.size(); ++j) {
      if (i == j || !Covers(permissions[j], permissions[i])) continue;
      // Of two that say the same the later one is needless.
      if (i < j && !awaited.contains(j) && Covers(permissions[i], permissions[j])) continue;
      const Reader::Within within(reader, absl::StrCat("in permission ", Shown(permissions[i].id)));
      const bool limited = permissions[i].node.Find("limits").exists() ||
                           permissions[i].node.Find("approval").exists();
      reader.Warn(permissions[i].node.Find("id"), kCoveredPermission,
                  absl::StrCat("`", permissions[j].id, "` allows every call that this one does",
                               limited ? ", so what limits this one never holds" : ""),
                  absl::StrCat("`", permissions[j].id, "` is in line ",
                               reader.LineOf(permissions[j].node)));
      break;
    }
  }
}

}  // namespace tipstaff::policy::internal
