#include "mediator/policy/narrow.h"

#include <map>
#include <optional>

#include "mediator/json/builder.h"
#include "mediator/schema/numbers.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
namespace {

// Deeper than both schemas together can nest.
constexpr int kMaxPublishedDepth = 128;

using Keywords = std::map<std::string, json::Document>;

json::Document Own(json::Value value) {
  json::Builder builder(kMaxPublishedDepth);
  builder.Copy(value);
  auto document = std::move(builder).Build();
  return document.ok() ? *std::move(document) : json::Document();
}

json::Document Own(absl::string_view text) {
  json::Builder builder;
  builder.String(text);
  return *std::move(builder).Build();
}

json::Document ToObject(const Keywords& keywords) {
  json::Builder builder(kMaxPublishedDepth);
  builder.StartObject();
  for (const auto& [key, document] : keywords) builder.Field(key, document.root());
  builder.EndObject();
  auto document = std::move(builder).Build();
  return document.ok() ? *std::move(document) : json::Document();
}

json::Value ValueOf(absl::string_view name, const BoundValues& bound) {
  for (size_t i = 0; i < bound.names.size() && i < bound.values.size(); ++i) {
    if (bound.names[i].name == name) return bound.values[i];
  }
  return json::Value();
}

// One operand of `equals` or `in`; owned, as `$$` is written with one dollar.
json::Document Resolve(json::Value operand, const BoundValues& bound) {
  const schema::Operand read = schema::ReadOperand(operand);
  if (read.kind == schema::Operand::Kind::kReference) return Own(ValueOf(read.text, bound));
  return operand.is_string() ? Own(read.text) : Own(operand);
}

json::Document ResolveList(json::Value in, const BoundValues& bound) {
  if (!in.is_array()) return Resolve(in, bound);
  json::Builder builder(kMaxPublishedDepth);
  builder.StartArray();
  for (json::Value item : in.items()) builder.Copy(Resolve(item, bound).root());
  builder.EndArray();
  auto document = std::move(builder).Build();
  return document.ok() ? *std::move(document) : json::Document();
}

void KeepStricter(Keywords& out, const std::string& keyword, json::Value limit, bool smaller) {
  const auto there = out.find(keyword);
  if (there != out.end() && there->second.root().is_number()) {
    const int order = schema::Compare(there->second.root(), limit);
    if (smaller ? order <= 0 : order >= 0) return;
  }
  out[keyword] = Own(limit);
}

void MergeProperties(Keywords& out, json::Value tool, json::Value permission,
                     const BoundValues& bound) {
  const json::Value theirs = tool.Find("properties"), ours = permission.Find("properties");
  const json::Value others = permission.Find("additionalProperties");
  const bool closed = others.is_bool() && !others.boolean();
  Keywords merged;
  for (const json::Member& member : theirs.members()) {
    if (!closed) merged[std::string(member.key)] = Own(member.value);
  }
  for (const json::Member& member : ours.members()) {
    merged[std::string(member.key)] = Narrow(theirs.Find(member.key), member.value, bound);
  }
  out["properties"] = ToObject(merged);
}

void MergeRequired(Keywords& out, json::Value ours) {
  Keywords names;  // a set, sorted
  const auto there = out.find("required");
  if (there != out.end()) {
    for (json::Value name : there->second.root().items()) {
      if (name.is_string()) names[std::string(name.string())];
    }
  }
  for (json::Value name : ours.items()) names[std::string(name.string())];
  json::Builder builder;
  builder.StartArray();
  for (const auto& entry : names) builder.String(entry.first);
  builder.EndArray();
  out["required"] = *std::move(builder).Build();
}

void Merge(Keywords& out, json::Value tool, json::Value permission, const json::Member& member,
           const BoundValues& bound) {
  const std::string key(member.key);
  if (key == "equals") {
    out.erase("enum");
    out["const"] = Resolve(member.value, bound);
  } else if (key == "in") {
    out.erase("const");
    out["enum"] = ResolveList(member.value, bound);
  } else if (key == "const" || key == "enum") {
    out.erase(key == "const" ? "enum" : "const");
    out[key] = Own(member.value);
  } else if (key == "maxBytes") {
    KeepStricter(out, "maxLength", member.value, /*smaller=*/true);
  } else if (key == "maxLength" || key == "maxItems" || key == "maximum" ||
             key == "exclusiveMaximum") {
    KeepStricter(out, key, member.value, /*smaller=*/true);
  } else if (key == "minLength" || key == "minItems" || key == "minimum" ||
             key == "exclusiveMinimum") {
    KeepStricter(out, key, member.value, /*smaller=*/false);
  } else if (key == "items" && !permission.Find("prefixItems").exists()) {
    out[key] = Narrow(tool.Find(key), member.value, bound);
  } else if (key == "properties") {
    MergeProperties(out, tool, permission, bound);
  } else if (key == "additionalProperties" && member.value.is_object()) {
    out[key] = Narrow(tool.Find(key), member.value, bound);
  } else if (key == "required") {
    MergeRequired(out, member.value);
  } else if (key == "type" || key == "pattern" || key == "multipleOf" || key == "uniqueItems" ||
             key == "additionalProperties") {
    out[key] = Own(member.value);
  }
  // The rest is for the mediator (minBytes, text, optional) or for readers of the skill.
}

}  // namespace

json::Document Narrow(json::Value tool, json::Value permission, const BoundValues& bound) {
  if (!permission.is_object()) return tool.exists() ? Own(tool) : Own(permission);
  Keywords out;
  for (const json::Member& member : tool.members()) {
    out[std::string(member.key)] = Own(member.value);
  }
  for (const json::Member& member : permission.members()) {
    Merge(out, tool, permission, member, bound);
  }
  return ToObject(out);
}

bool IsUnsatisfiable(json::Value permission, const BoundValues& bound) {
  if (permission.is_bool()) return !permission.boolean();
  for (const char* keyword : {"in", "email", "emailDomain"}) {
    const json::Value list = permission.Find(keyword);
    if (list.is_string() && ResolveList(list, bound).root().size() == 0) return true;
  }
  return permission.IntegerOr("minItems", 0) > 0 && permission.StringOr("type", "") == "array" &&
         permission.Find("items").exists() && !permission.Find("prefixItems").exists() &&
         IsUnsatisfiable(permission.Find("items"), bound);
}

}  // namespace tipstaff::policy::internal
