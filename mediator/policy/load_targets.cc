// What permissions, deny rules and tests are about: a tool, a resource, a prompt or a completion.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

std::optional<Loader::Target> Loader::ReadTargetOf(json::Value node, absl::string_view what) {
  std::optional<call::Kind> kind;
  for (const call::Kind one : call::kKinds) {
    const json::Value at = node.Find(call::KindName(one));
    if (!at.exists()) continue;
    if (kind.has_value()) {
      reader_.ErrorAtKey(at, kWrongCompany,
                         absl::StrCat("`", call::KindName(*kind), "` and `", call::KindName(one),
                                      "` in ", what, ": write two"));
      return std::nullopt;
    }
    kind = one;
  }
  CheckCompany(node, kind.value_or(call::Kind::kTool));
  const absl::string_view key = call::KindName(kind.value_or(call::Kind::kTool));
  const std::optional<std::string> text = reader_.RequireText(node, key, what);
  if (!text.has_value()) return std::nullopt;
  return Target{*kind, node.Find(key), *text};
}

void Loader::CheckCompany(json::Value node, call::Kind kind) {
  const bool resource = kind == call::Kind::kResource;
  for (const char* key : {"args", "schema"}) {
    if (!resource || !node.Find(key).exists()) continue;
    reader_.ErrorAtKey(node.Find(key), kWrongCompany,
                       absl::StrCat("a resource has no `", key, "`: it is read by its `uri`"));
  }
  if (!resource && node.Find("uri").exists()) {
    reader_.ErrorAtKey(node.Find("uri"), kWrongCompany,
                       absl::StrCat("a ", call::KindName(kind), " has no `uri`: use `args`"));
  }
  if (kind != call::Kind::kTool && node.Find("effect").exists()) {
    reader_.ErrorAtKey(node.Find("effect"), kWrongCompany,
                       absl::StrCat("a ", call::KindName(kind), " is read: it has no `effect`"),
                       "remove it");
  }
}

bool Loader::ReadTarget(json::Value node, Permission& permission) {
  const std::optional<Target> target = ReadTargetOf(node, "a permission");
  if (!target.has_value()) return false;
  permission.target = target->at;
  const size_t dot = target->text.find('.');
  const std::string alias = target->text.substr(0, dot);
  const auto tools = tools_.find(alias);
  if (dot == std::string::npos || tools == tools_.end()) {
    ReportAlias(*target);
    return false;
  }
  const bool usable =
      target->kind == call::Kind::kResource ? IsGlob(target->text) : call::IsToolName(target->text);
  if (!usable) {
    reader_.Error(target->at, kUnusableTool,
                  absl::StrCat(Shown(target->text),
                               " cannot be called: a name has at most 64 letters, "
                               "digits, `_`, `.` and `-`"));
    return false;
  }
  permission.tool = call::FullName(target->kind, alias, target->text.substr(dot + 1));
  std::map<std::string, const call::Tool*> named;
  std::vector<std::string> others;
  for (const call::Tool& tool : tools->second) {
    const std::string name = call::FullName(tool.kind, alias, tool.name);
    if (permission.Names(name)) {
      named.emplace(name, &tool);
    } else if (tool.kind == target->kind) {
      others.emplace_back(call::WithoutKind(name));
    }
  }
  if (named.empty()) {
    ReportUnknown(*target, alias, others);
    permission.tool.clear();
    return false;
  }
  permission.fingerprint = FingerprintOf(named);
  if (target->kind == call::Kind::kTool) permission.effect = named.begin()->second->effect;
  return true;
}

void Loader::ReportUnknown(const Target& target, const std::string& alias,
                           const std::vector<std::string>& others) {
  const absl::string_view kind = call::KindName(target.kind);
  // A backend that is not there was reported where it is named.
  if (!others.empty()) {
    reader_.Error(target.at, kUnknownTool,
                  absl::StrCat("there is no ", kind, " ", Shown(target.text)),
                  Reader::Suggestion(target.text, others));
  } else if (!reader_.failed()) {
    reader_.Error(target.at, kUnknownTool,
                  absl::StrCat("the backend `", alias, "` offers no ", kind, "s"));
  }
}

void Loader::ReportAlias(const Target& target) {
  const size_t dot = target.text.find('.');
  const absl::string_view kind = call::KindName(target.kind);
  std::vector<std::string> aliases, names;
  for (const auto& [alias, offered] : tools_) {
    aliases.push_back(alias);
    for (const call::Tool& one : offered) {
      if (one.kind == target.kind) names.push_back(absl::StrCat(alias, ".", one.name));
    }
  }
  if (dot != std::string::npos) {
    const std::string alias = target.text.substr(0, dot);
    return reader_.Error(target.at, kUnknownAlias,
                         absl::StrCat("no backend is called ", Shown(alias)),
                         Reader::Suggestion(alias, aliases));
  }
  std::string label;
  for (const std::string& one : names) {
    if (absl::EndsWith(one, absl::StrCat(".", target.text))) {
      label = absl::StrCat("did you mean `", one, "`?");
    }
  }
  reader_.Error(target.at, kUnknownAlias,
                absl::StrCat(Shown(target.text), " is no ", kind, ": write `alias.", kind, "`"),
                std::move(label));
}

}  // namespace tipstaff::policy::internal
