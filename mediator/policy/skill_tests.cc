#include "mediator/policy/skill_tests.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/policy/compiled.h"
#include "mediator/policy/grant.h"
#include "mediator/policy/reader.h"

namespace tipstaff::policy {
namespace {

using internal::CompiledSkill;
using internal::Expectation;
using internal::Shown;
using internal::SkillTest;

json::Document ObjectOf(json::Value value) {
  json::Builder builder;
  if (value.is_object()) {
    builder.Copy(value);
  } else {
    builder.StartObject().EndObject();
  }
  auto document = std::move(builder).Build();
  return document.ok() ? *std::move(document) : json::Document();
}

json::Document ArgumentsOf(const SkillTest& test) {
  if (!test.uri.has_value()) return ObjectOf(test.args);
  json::Builder builder;
  builder.StartObject().Field("uri", *test.uri).EndObject();
  auto document = std::move(builder).Build();
  return document.ok() ? *std::move(document) : json::Document();
}

RunFacts FactsAfter(const CompiledSkill& skill, const SkillTest& test, const Grant& grant) {
  RunFacts facts;
  facts.run.allowed = facts.run.succeeded = test.after.size();
  facts.by_permission.resize(grant.permission_count());
  for (const size_t permission : test.after) {
    const int index = grant.PermissionIndex(skill.name(), skill.permissions_[permission].id);
    ++facts.by_permission[index].allowed;
    ++facts.by_permission[index].succeeded;
  }
  return facts;
}

std::string Describe(const call::Decision& decision) {
  std::string text =
      absl::StrCat(call::VerdictName(decision.verdict), " ", call::ReasonName(decision.reason));
  if (!decision.permission.empty()) absl::StrAppend(&text, " by `", decision.permission, "`");
  if (!decision.nearest.has_value()) return text;
  const call::Nearest& nearest = *decision.nearest;
  absl::StrAppend(&text, " (nearest `", nearest.permission, "`, ", nearest.constraint);
  if (!nearest.pointer.empty()) absl::StrAppend(&text, " at ", Shown(nearest.pointer));
  absl::StrAppend(&text, ": expected ", nearest.expected, ", found ", nearest.found, ")");
  return text;
}

std::string Compare(const Expectation& expect, const call::Decision& decision) {
  std::vector<std::string> differences;
  const auto compare = [&](absl::string_view key, const auto& expected, absl::string_view found) {
    if (!expected.has_value() || *expected == found) return;
    differences.push_back(absl::StrCat(key, " ", Shown(*expected)));
  };
  if (expect.verdict.has_value() && *expect.verdict != decision.verdict) {
    differences.push_back(std::string(call::VerdictName(*expect.verdict)));
  }
  if (expect.reason.has_value() && *expect.reason != decision.reason) {
    differences.push_back(absl::StrCat("reason `", call::ReasonName(*expect.reason), "`"));
  }
  compare("permission", expect.permission, decision.permission);
  compare("nearest", expect.nearest, decision.nearest ? decision.nearest->permission : "");
  compare("at", expect.at, decision.nearest ? decision.nearest->pointer : "");
  if (differences.empty()) return "";
  return absl::StrCat("expected ", absl::StrJoin(differences, ", "), "; decided ",
                      Describe(decision));
}

void RunTest(const std::shared_ptr<const Skill>& skill, const CompiledSkill& compiled,
             const SkillTest& test, const Catalog& catalog, TestResult& result) {
  source::Diagnostics diagnostics;
  result.grant = Grant::Make({skill}, ObjectOf(test.run), catalog, diagnostics);
  if (result.grant == nullptr) {
    result.message =
        absl::StrCat("the run cannot be opened: ",
                     diagnostics.empty() ? "no reason is known" : diagnostics[0].message);
    return;
  }
  call::Call call{.id = "test", .tool = test.tool, .arguments = ArgumentsOf(test)};
  call.canonical = json::Canonical(call.arguments.root());
  result.trace = Explain(*result.grant, FactsAfter(compiled, test, *result.grant), call);
  result.message = Compare(test.expect, result.trace.decision);
}

}  // namespace

std::vector<TestResult> RunTests(const std::shared_ptr<const Skill>& skill, const Catalog& catalog,
                                 const base::Clock& clock) {
  std::vector<TestResult> results;
  const auto* compiled = dynamic_cast<const CompiledSkill*>(skill.get());
  if (compiled == nullptr) return results;
  for (const SkillTest& test : compiled->tests_) {
    TestResult result{.name = test.name,
                      .file = skill->file().path,
                      .line = compiled->document_.SpanOf(test.node).line};
    const absl::Time begun = clock.Now();
    RunTest(skill, *compiled, test, catalog, result);
    result.took = clock.Now() - begun;
    result.passed = result.message.empty();
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace tipstaff::policy
