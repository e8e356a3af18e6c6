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
  if (!reader_.CheckMapping(
          node, "a permission",
          {"id", "tool", "resource", "prompt", "completion", "effect", "args", "schema", "uri",
           "after", "limits", "result", "refused_after", "unscoped", "approval", "description"})) {
    permissions_known_ = false;
    return;
  }
  Permission permission{.node = node,
                        .args = node.Find("args"),
                        .schema = node.Find("schema"),
                        .uri = node.Find("uri")};
  permission.id = reader_.RequireName(node, "id", "a permission").value_or("");
  if (permission.id.empty()) permissions_known_ = false;
  for (const Permission& other : skill_->permissions_) {
    if (!permission.id.empty() && other.id == permission.id) {
      reader_.Error(node.Find("id"), kDuplicate,
                    absl::StrCat("the id `", permission.id, "` is used twice"),
                    absl::StrCat("first used in line ", reader_.LineOf(other.node)));
    }
  }
  const bool offered =
      SaysTarget(node, "a permission") && NamesOneTarget(node) && ReadTarget(node, permission);
  if (offered) ReadEffect(node, permission);
  ReadArgs(node, permission);
  ReadPermissionLimits(node, permission);
  ReadMarks(node, permission);
  ReadSensitive(node, permission);
  ReadApproval(node, permission);
  permission.unscoped = reader_.Text(node, "unscoped").value_or("");
  reader_.Text(node, "description");
  if (offered) CheckWriteScope(node, permission);
  skill_->permissions_.push_back(std::move(permission));
}

void Loader::ReadArgs(json::Value node, Permission& permission) {
  if (!permission.args.exists() && !permission.schema.exists() && !permission.uri.exists()) {
    if (node.Find("resource").exists()) {
      return reader_.MissingKey(node, "uri",
                                "`uri` is missing in a permission: say what may be read, or write "
                                "`uri: {type: string}`");
    }
    return reader_.MissingKey(node, "args",
                              "`args` is missing in a permission: list the arguments that may be "
                              "given, or write `args: {}`");
  }
  permission.program = CompileArguments(node, /*denies=*/false);
  WarnOfWhatSlipsPast(node);
  if (permission.schema.exists()) CheckClosed(permission.schema);
}

std::optional<schema::Program> Loader::CompileArguments(json::Value node, bool denies) {
  const json::Value args = node.Find("args"), schema = node.Find("schema"), uri = node.Find("uri");
  if (args.exists() && schema.exists()) {
    reader_.ErrorAtKey(schema, kArgsAndSchema,
                       "`schema` stands in place of `args`: write one of them");
    return std::nullopt;
  }
  if (!args.exists() && !schema.exists() && !uri.exists()) return std::nullopt;
  std::vector<schema::Problem> problems;
  const schema::CompileOptions options{
      .dialect = schema::Dialect::kSkill, .bindings = skill_->schema_bindings_, .denies = denies};
  auto program = args.exists() ? schema::Program::CompileArguments(args, options, problems)
                 : schema.exists()
                     ? schema::Program::Compile(schema, options, problems)
                     : schema::Program::CompileArgument("uri", uri, options, problems);
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
