#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {

void Loader::ReadPermissions() {
  const json::Value permissions = reader_.List(root(), "permissions");
  if (!root().Find("permissions").exists()) {
    permissions_known_ = false;
    return reader_.MissingKey(root(), "permissions", "`permissions` is missing in a skill",
                              "add `permissions: [...]`");
  }
  permissions_known_ = permissions.exists();
  for (json::Value node : permissions.items()) ReadPermission(node);
  if (CheckEffectsAgree()) CheckFinalize();
}

void Loader::ReadPermission(json::Value node) {
  const absl::string_view id = node.StringOr("id", "");
  const Reader::Within within(
      reader_, id.empty() ? "in a permission" : absl::StrCat("in permission ", Shown(id)));
  if (!reader_.CheckMapping(node, "a permission",
                            {"id", "tool", "effect", "args", "schema", "after", "limits", "result",
                             "refused_after", "unscoped", "approval", "description"},
                            {"resource", "prompt", "uri"})) {
    permissions_known_ = false;
    return;
  }
  Permission permission{.node = node, .args = node.Find("args"), .schema = node.Find("schema")};
  permission.id = reader_.RequireName(node, "id", "a permission").value_or("");
  if (permission.id.empty()) permissions_known_ = false;
  for (const Permission& other : skill_->permissions_) {
    if (!permission.id.empty() && other.id == permission.id) {
      reader_.Error(node.Find("id"), kDuplicate,
                    absl::StrCat("the id `", permission.id, "` is used twice"),
                    absl::StrCat("first used in line ", reader_.LineOf(other.node)));
    }
  }
  const call::Tool* tool = ReadTool(node, permission);
  if (tool != nullptr) ReadEffect(node, *tool, permission);
  ReadArgs(node, permission);
  ReadPermissionLimits(node, permission);
  ReadMarks(node, permission);
  ReadApproval(node, permission);
  permission.unscoped = reader_.Text(node, "unscoped").value_or("");
  reader_.Text(node, "description");
  if (tool != nullptr) CheckWriteScope(node, permission);
  skill_->permissions_.push_back(std::move(permission));
}

const call::Tool* Loader::ReadTool(json::Value node, Permission& permission) {
  const auto text = reader_.RequireText(node, "tool", "a permission");
  if (!text.has_value()) return nullptr;
  const json::Value at = node.Find("tool");
  const size_t dot = text->find('.');
  const std::string alias = text->substr(0, dot);
  const auto tools = tools_.find(alias);
  if (dot == std::string::npos || tools == tools_.end()) {
    ReportAlias(at, *text);
    return nullptr;
  }
  if (!call::IsToolName(*text)) {
    reader_.Error(at, kUnusableTool,
                  absl::StrCat(Shown(*text),
                               " cannot be called: a name has at most 64 letters, "
                               "digits, `_`, `.` and `-`"));
    return nullptr;
  }
  const std::string name = text->substr(dot + 1);
  std::vector<std::string> names;
  for (const call::Tool& tool : tools->second) {
    if (tool.name == name) {
      permission.tool = *text;
      permission.fingerprint = FingerprintOf(tool);
      return &tool;
    }
    names.push_back(absl::StrCat(alias, ".", tool.name));
  }
  // A backend that is not there was reported where it is named.
  if (!names.empty()) {
    reader_.Error(at, kUnknownTool, absl::StrCat("there is no tool ", Shown(*text)),
                  Reader::Suggestion(*text, names));
  } else if (!reader_.failed()) {
    reader_.Error(at, kUnknownTool, absl::StrCat("the backend `", alias, "` offers no tools"));
  }
  return nullptr;
}

void Loader::ReportAlias(json::Value at, const std::string& tool) {
  const size_t dot = tool.find('.');
  std::vector<std::string> aliases, tools;
  for (const auto& [alias, offered] : tools_) {
    aliases.push_back(alias);
    for (const call::Tool& one : offered) tools.push_back(absl::StrCat(alias, ".", one.name));
  }
  if (dot != std::string::npos) {
    const std::string alias = tool.substr(0, dot);
    return reader_.Error(at, kUnknownAlias, absl::StrCat("no backend is called ", Shown(alias)),
                         Reader::Suggestion(alias, aliases));
  }
  std::string label;
  for (const std::string& one : tools) {
    if (absl::EndsWith(one, absl::StrCat(".", tool))) {
      label = absl::StrCat("did you mean `", one, "`?");
    }
  }
  reader_.Error(at, kUnknownAlias, absl::StrCat(Shown(tool), " is no tool: write `alias.tool`"),
                std::move(label));
}

void Loader::ReadArgs(json::Value node, Permission& permission) {
  if (!permission.args.exists() && !permission.schema.exists()) {
    return reader_.MissingKey(node, "args",
                              "`args` is missing in a permission: list the arguments that may be "
                              "given, or write `args: {}`");
  }
  permission.program = CompileArguments(node, /*denies=*/false);
  WarnOfWhatSlipsPast(node);
  if (permission.schema.exists()) CheckClosed(permission.schema);
}

std::optional<schema::Program> Loader::CompileArguments(json::Value node, bool denies) {
  const json::Value args = node.Find("args"), schema = node.Find("schema");
  if (args.exists() && schema.exists()) {
    reader_.ErrorAtKey(schema, kArgsAndSchema,
                       "`schema` stands in place of `args`: write one of them");
    return std::nullopt;
  }
  if (!args.exists() && !schema.exists()) return std::nullopt;
  std::vector<schema::Problem> problems;
  const schema::CompileOptions options{
      .dialect = schema::Dialect::kSkill, .bindings = skill_->schema_bindings_, .denies = denies};
  auto program = args.exists() ? schema::Program::CompileArguments(args, options, problems)
                               : schema::Program::Compile(schema, options, problems);
  reader_.AddProblems(problems);
  return program;
}

// `args` lets nothing through that it does not list; a schema has to say so.
void Loader::CheckClosed(json::Value schema) {
  if (!schema.is_object() && !schema.is_bool()) return;  // which compiling refuses
  if (schema.StringOr("type", "") != "object") {
    reader_.ErrorAtKey(schema, kOpenSchema, "a schema of arguments says `type: object`");
  } else if (!schema.Find("unevaluatedProperties").exists() &&
             !schema.Find("additionalProperties").exists()) {
    reader_.ErrorAtKey(schema, kOpenSchema,
                       "`schema` does not say what becomes of arguments that it does not list",
                       "add `unevaluatedProperties: false`");
  }
}

}  // namespace tipstaff::policy::internal
