// Loads one skill. Its parts stand in load_*.cc and lint*.cc.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "mediator/policy/catalog.h"
#include "mediator/policy/compiled.h"
#include "mediator/policy/reader.h"
#include "mediator/policy/satisfiable.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/keywords.h"

namespace tipstaff::policy::internal {

class Loader {
 public:
  // All must outlive it.
  Loader(source::Document document, const Catalog& catalog, source::Diagnostics& diagnostics);

  // Null after an error.
  std::shared_ptr<const Skill> Load();

 private:
  json::Value root() const { return skill_->document_.root(); }

  void ReadHead();
  void ReadNames();
  void ReadLimits();
  Limits ReadUse(json::Value limits);
  // Of a member that is there; nothing after an error.
  std::optional<uint64_t> ReadCount(json::Value mapping, absl::string_view key);
  std::optional<uint64_t> ReadSize(json::Value mapping, absl::string_view key);

  void ReadBindings();
  void ReadBinding(const json::Member& member);
  void ReadDefault(BindingDecl& binding);
  void ReadScope();

  void ReadBackends();
  void ReadBackend(const json::Member& member);
  std::optional<BackendRef> ReadBackendRef(const json::Member& member);
  void AddTools(const json::Member& member, const BackendRef& backend);

  void ReadPermissions();
  void ReadPermission(json::Value node);
  // What a permission, deny rule or test names by `tool`, `resource` or `prompt`.
  struct Target {
    call::Kind kind;
    json::Value at;
    std::string text;  // as written
  };
  // False after an error: that none of them is there; that a permission's has a `*`, which only
  // resources have.
  bool SaysTarget(json::Value node, absl::string_view what);
  bool NamesOneTarget(json::Value node);
  // Nothing after an error.
  std::optional<Target> ReadTargetOf(json::Value node, absl::string_view what);
  void CheckCompany(json::Value node, call::Kind kind);
  // False after an error.
  bool ReadTarget(json::Value node, Permission& permission);
  void ReportAlias(const Target& target);
  void ReportUnknown(const Target& target, const std::string& alias,
                     const std::vector<std::string>& others);
  void ReadEffect(json::Value node, Permission& permission);
  void ReadArgs(json::Value node, Permission& permission);
  // `args` or `schema` of a permission or rule; nothing after an error, or where it has neither.
  std::optional<schema::Program> CompileArguments(json::Value node, bool denies);
  void CheckClosed(json::Value schema);
  void ReadApproval(json::Value node, Permission& permission);
  void WarnOfNobody(json::Value approval);
  void ReadPermissionLimits(json::Value node, Permission& permission);
  void ReadMarks(json::Value node, Permission& permission);
  void ReadSensitive(json::Value node, Permission& permission);
  void AddSensitiveChecks(const SchemaPlace& place, Permission& permission);
  // Nothing may be marked as sensitive in these schemas.
  void RefuseSensitive(const std::vector<SchemaPlace>& places, const char* why);
  void ReadResultRule(json::Value result, Permission& permission);
  Parts ReadParts(json::Value list);
  std::vector<std::string> ReadLabels(json::Value mapping, absl::string_view key);
  void CheckWriteScope(json::Value node, Permission& permission);
  bool CheckEffectsAgree();
  void CheckFinalize();
  json::Value FinalizesAt(const Permission& permission) const;
  void ReportFinalize(const Permission& first, const Permission& second);

  void CheckBindingTypes();
  void CheckBindingTypes(json::Value node);
  const BindingDecl* BindingAt(json::Value value) const;
  // Of `equals` and `in`; `items`: those of the binding are meant.
  void CheckMeets(json::Value value, bool items, schema::Types wanted);
  // Of a list of addresses, or one of `url`.
  void CheckEntries(const json::Member& list, schema::Types wanted);

  void ReadAfter();
  std::optional<size_t> FindPermission(json::Value name);
  std::vector<std::string> PermissionIds() const;
  void CheckCycles();

  void ReadDeny();
  void ReadDenyRule(json::Value node);
  void CheckNothingSlipsPast(json::Value rule);
  void CheckDenyRules();
  // That a call of the tools that it names can meet its arguments.
  void CheckCanDeny(const DenyRule& rule);
  void Report(const Unmet& unmet, bool warns, std::string message);
  void WarnOfWhatSlipsPast(json::Value permission);

  void ReadTests();
  void ReadTest(json::Value node);
  void ReadTestCall(json::Value node, SkillTest& test);
  void ReadExpectation(json::Value expect, SkillTest& test);
  void CheckNamed(json::Value expect, absl::string_view key);

  // What lint.h finds.
  void Lint();
  void LintMarks();

  const Catalog& catalog_;
  std::shared_ptr<CompiledSkill> skill_;
  Reader reader_;
  // alias -> the tools of its backend; an alias whose backend is not there has none.
  std::map<std::string, std::vector<call::Tool>> tools_;
  // What is not known because of an error elsewhere is not reported where it is used.
  bool permissions_known_ = true, scope_known_ = true;
};

}  // namespace tipstaff::policy::internal
