#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy {
namespace internal {
namespace {

// The place of every value, by index: of its key where it has one.
std::vector<source::Span> SpansOf(const source::Document& document) {
  std::vector<source::Span> spans(document.json().node_count());
  std::vector<json::Value> open = {document.root()};
  while (!open.empty()) {
    const json::Value value = open.back();
    open.pop_back();
    const source::Span key = document.KeySpanOf(value);
    spans[value.index()] = key.line > 0 ? key : document.SpanOf(value);
    for (json::Value item : value.items()) open.push_back(item);
    for (const json::Member& member : value.members()) open.push_back(member.value);
  }
  return spans;
}

}  // namespace

bool Permission::Names(absl::string_view name) const {
  return call::KindOf(name) == kind() && GlobMatches(tool, name);
}

bool DenyRule::Names(absl::string_view name) const {
  return call::KindOf(name) == call::KindOf(tool) && GlobMatches(tool, name);
}

std::string FingerprintOf(const std::map<std::string, const call::Tool*>& tools) {
  std::string fingerprint;
  for (const auto& [name, tool] : tools) {
    absl::StrAppend(&fingerprint, name, " ", call::EffectName(tool->effect), " ",
                    json::Canonical(tool->input_schema.root()), "\n");
  }
  return fingerprint;
}

Loader::Loader(source::Document document, const Catalog& catalog, source::Diagnostics& diagnostics)
    : catalog_(catalog),
      skill_([&] {
        auto skill = std::make_shared<CompiledSkill>();
        skill->document_ = std::move(document);
        return skill;
      }()),
      reader_(skill_->document_, diagnostics) {}

std::shared_ptr<const Skill> Loader::Load() {
  if (!reader_.CheckMapping(root(), "a skill",
                            {"skill", "description", "bindings", "scope", "backends", "limits",
                             "permissions", "deny", "finalize", "names", "tests"})) {
    return nullptr;
  }
  ReadHead();
  ReadLimits();
  ReadBindings();
  ReadScope();
  ReadBackends();
  ReadPermissions();
  ReadAfter();
  ReadDeny();
  CheckBindingTypes();
  CheckDenyRules();
  ReadTests();
  if (reader_.failed()) return nullptr;
  Lint();
  skill_->spans_ = SpansOf(skill_->document_);
  skill_->digest_ = base::ToHex(base::DigestOf(skill_->file().text));
  return skill_;
}

void Loader::ReadHead() {
  skill_->name_ = reader_.RequireName(root(), "skill", "a skill").value_or("");
  skill_->description_ = reader_.Text(root(), "description").value_or("");
  ReadNames();
}

void Loader::ReadNames() {
  const json::Value names = root().Find("names");
  if (!names.exists()) return;
  skill_->bare_names_ = names.is_string() && names.string() == "bare";
  if (skill_->bare_names_) return;
  reader_.Error(names, kWrongKind,
                "`names` takes `bare`: agents see tools without the backend's alias before them");
}

}  // namespace internal

std::shared_ptr<const Skill> LoadSkill(std::shared_ptr<const source::File> file,
                                       const Catalog& catalog, source::Diagnostics& diagnostics) {
  std::optional<source::Document> document = source::ParseYaml(std::move(file), diagnostics);
  if (!document.has_value()) return nullptr;
  return internal::Loader(*std::move(document), catalog, diagnostics).Load();
}

}  // namespace tipstaff::policy
