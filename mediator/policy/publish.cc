#include "mediator/policy/publish.h"

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/published_json.h"
#include "mediator/policy/schema_places.h"

namespace tipstaff::policy::internal {
namespace {

constexpr size_t kDigestDigits = 8;

std::string ShortDigest(absl::string_view text) {
  return base::ToHex(base::DigestOf(text)).substr(0, kDigestDigits);
}

// One argument over all permissions of a tool.
struct Argument {
  std::map<std::string, json::Document> schemas;  // by canonical form: equal ones stand once
  size_t requiring = 0;                           // permissions that require it
};

bool IsRequired(const Permission& permission, const json::Member& argument) {
  if (permission.args.exists()) return !argument.value.BoolOr("optional", false);
  for (json::Value name : permission.schema.Find("required").items()) {
    if (name.is_string() && name.string() == argument.key) return true;
  }
  return false;
}

// Whether no argument may be given but those that it lists one by one.
bool ListsAll(const Permission& permission) {
  if (permission.args.exists()) return true;
  return RefusesOthers(permission.schema) && !MayListElsewhere(permission.schema);
}

std::map<std::string, Argument> CollectArguments(
    const call::Tool& tool, absl::Span<const GrantedPermission* const> permissions) {
  std::map<std::string, Argument> arguments;
  const json::Value properties = tool.input_schema.root().Find("properties");
  for (const GrantedPermission* granted : permissions) {
    // The agent need not know what they are called.
    const std::string whose =
        absl::StrCat(granted->granted->skill->name(), "/", granted->permission->id, "/");
    const Permission& permission = *granted->permission;
    const BoundValues bound = granted->granted->bound();
    for (const json::Member& member : permission.listed().members()) {
      const bool required = IsRequired(permission, member);
      if (!required && IsUnsatisfiable(properties.Find(member.key), member.value, bound)) continue;
      Argument& argument = arguments[std::string(member.key)];
      json::Document schema =
          Narrow(properties.Find(member.key), member.value, bound,
                 {.id = absl::StrCat("urn:tipstaff:", ShortDigest(whose + std::string(member.key))),
                  .is_part = permission.schema.exists(),
                  .definitions = permission.schema});
      std::string canonical = json::Canonical(schema.root());
      argument.schemas.emplace(std::move(canonical), std::move(schema));
      if (required) ++argument.requiring;
    }
  }
  return arguments;
}

void AddArgument(json::Builder& builder, const Argument& argument, json::Value tool_schema) {
  if (argument.schemas.size() == 1) {
    builder.Copy(argument.schemas.begin()->second.root());
    return;
  }
  builder.StartObject();
  for (const char* key : {"title", "description"}) {
    if (const json::Value text = tool_schema.Find(key); text.is_string()) builder.Field(key, text);
  }
  builder.Key("anyOf").StartArray();
  for (const auto& entry : argument.schemas) builder.Copy(entry.second.root());
  builder.EndArray().EndObject();
}

std::string InputSchema(const call::Tool& tool,
                        absl::Span<const GrantedPermission* const> permissions) {
  const json::Value theirs = tool.input_schema.root();
  const std::map<std::string, Argument> arguments = CollectArguments(tool, permissions);
  json::Builder builder(kMaxPublishedDepth);
  builder.StartObject().Field("type", "object").Key("properties").StartObject();
  for (const auto& [name, argument] : arguments) {
    builder.Key(name);
    AddArgument(builder, argument, theirs.Find("properties").Find(name));
  }
  builder.EndObject().Key("required").StartArray();
  for (const auto& [name, argument] : arguments) {
    if (argument.requiring == permissions.size()) builder.String(name);
  }
  builder.EndArray();
  if (std::all_of(permissions.begin(), permissions.end(),
                  [](const auto* one) { return ListsAll(*one->permission); })) {
    builder.Field("additionalProperties", false);
  }
  // What `$ref` of an argument may refer to.
  for (const char* key : {"$defs", "definitions"}) {
    if (const json::Value definitions = theirs.Find(key); definitions.exists()) {
      builder.Field(key, definitions);
    }
  }
  builder.EndObject();
  const absl::StatusOr<json::Document> schema = std::move(builder).Build();
  return schema.ok() ? json::Dump(schema->root())
                     : R"({"type":"object","additionalProperties":false})";
}

// Where the permissions let different parts back, no schema says what comes.
std::string OutputSchema(const call::Tool& tool,
                         absl::Span<const GrantedPermission* const> permissions) {
  const json::Value schema = tool.output_schema.root();
  const std::optional<Parts>& fields = permissions[0]->permission->result.fields;
  const bool same = std::all_of(permissions.begin(), permissions.end(), [&](const auto* one) {
    return one->permission->result.fields == fields;
  });
  if (!schema.is_object() || !same) return "";
  return json::Dump(fields.has_value() ? OutputOf(schema, *fields).root() : schema);
}

// What agents are shown of a tool that Tipstaff has no say in.
std::string MoreOf(const call::Tool& tool) {
  if (!tool.pinned.root().is_object()) return "";
  constexpr absl::string_view kOwn[] = {"name", "title", "description", "inputSchema",
                                        "outputSchema"};
  json::Builder b(2 * json::kMaxDepth);
  b.StartObject();
  for (const json::Member& member : tool.pinned.root().members()) {
    if (std::find(std::begin(kOwn), std::end(kOwn), member.key) == std::end(kOwn)) {
      b.Field(member.key, member.value);
    }
  }
  b.EndObject();
  const absl::StatusOr<json::Document> more = std::move(b).Build();
  return more.ok() ? json::Dump(more->root()) : "{}";
}

}  // namespace

std::string PublishedName(absl::string_view tool) {
  std::string name(tool.data(), tool.size());
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  }
  if (name.size() <= kMaxPublishedNameBytes) return name;
  name.resize(kMaxPublishedNameBytes - kDigestDigits - 1);
  return absl::StrCat(name, "_", ShortDigest(tool));
}

bool CanPass(const call::Tool& tool, const GrantedPermission& permission) {
  const json::Value properties = tool.input_schema.root().Find("properties");
  for (const json::Member& member : permission.permission->listed().members()) {
    if (IsRequired(*permission.permission, member) &&
        IsUnsatisfiable(properties.Find(member.key), member.value, permission.granted->bound())) {
      return false;
    }
  }
  return true;
}

PublishedTool Publish(const std::string& name, const call::Tool& tool, const GrantedTool& granted,
                      absl::Span<const GrantedPermission* const> permissions) {
  return {.name = PublishedName(granted.bare_name ? tool.name : name),
          .tool = name,
          .title = tool.title,
          .description = tool.description,
          .effect = granted.effect,
          .input_schema = InputSchema(tool, permissions),
          .output_schema = OutputSchema(tool, permissions),
          .more = MoreOf(tool)};
}

}  // namespace tipstaff::policy::internal
