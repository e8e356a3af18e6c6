// The skill loader: any bytes load, or are refused with diagnostics that lie in the file; and what
// loads can be granted and asked.
#include <algorithm>
#include <cstdint>

#include "mediator/base/clock.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/explain.h"
#include "mediator/policy/skill_tests.h"
#include "mediator/policy/testing/fake_catalog.h"
#include "tests/fuzz/require.h"

namespace tipstaff::policy {
namespace {

const Catalog& Tools() {
  static const auto* catalog = new FakeCatalog();
  return *catalog;
}

void CheckDiagnostics(const source::File& file, const source::Diagnostics& diagnostics) {
  const auto lines = 1 + std::count(file.text.begin(), file.text.end(), '\n');
  for (const source::Diagnostic& diagnostic : diagnostics) {
    TIPSTAFF_REQUIRE(!diagnostic.code.empty() && !diagnostic.message.empty());
    TIPSTAFF_REQUIRE(diagnostic.message.find('\n') == std::string::npos);
    if (diagnostic.file == nullptr) continue;
    TIPSTAFF_REQUIRE(diagnostic.span.line >= 0 && diagnostic.span.line <= lines);
    TIPSTAFF_REQUIRE(diagnostic.span.line == 0 || diagnostic.span.column >= 1);
  }
  TIPSTAFF_REQUIRE(diagnostics.empty() || !source::RenderText(diagnostics).empty());
  TIPSTAFF_REQUIRE(json::Parse(source::RenderJson(diagnostics)).ok());
}

// A value of the type for each binding that has no default.
json::Document BindingsFor(json::Value skill) {
  json::Builder bindings;
  bindings.StartObject();
  for (const json::Member& binding : skill.Find("bindings").members()) {
    if (binding.value.Find("default").exists()) continue;
    const absl::string_view type = binding.value.StringOr("type", "");
    bindings.Key(binding.key);
    if (type == "string") bindings.String("rep_demo0001");
    if (type == "integer" || type == "number") bindings.Integer(1);
    if (type == "boolean") bindings.Bool(true);
    if (type == "array") bindings.StartArray().String("d@a.example").EndArray();
    if (type == "object") bindings.StartObject().EndObject();
    if (type == "null") bindings.Null();
  }
  bindings.EndObject();
  return *std::move(bindings).Build();
}

void Ask(const Grant& grant, const std::string& tool, const json::Document& arguments) {
  call::Call call{.id = "c", .tool = tool, .arguments = arguments};
  call.canonical = json::Canonical(arguments.root());
  const call::Decision decision = Decide(grant, {}, call);
  TIPSTAFF_REQUIRE((decision.verdict == call::Verdict::kAllow) ==
                   (decision.reason == call::Reason::kPermitted));
  TIPSTAFF_REQUIRE(decision.reason != call::Reason::kUndecided);
  const Trace trace = Explain(grant, {}, call);
  TIPSTAFF_REQUIRE(trace.decision.reason == decision.reason);
  TIPSTAFF_REQUIRE(trace.decision.permission == decision.permission);
}

// Bytes that a skill's tests give as arguments, and none.
void AskAll(const Grant& grant, json::Value skill) {
  std::vector<json::Document> arguments = {json::MustParse("{}"),
                                           json::MustParse(R"({"id":"a\n"})")};
  for (json::Value test : skill.Find("tests").items()) {
    json::Builder copy;
    copy.Copy(test.Find("call").Find("args"));
    absl::StatusOr<json::Document> given = std::move(copy).Build();
    if (given.ok() && given->root().is_object()) arguments.push_back(*std::move(given));
  }
  for (const auto& [alias, backend] : grant.backends()) {
    const absl::StatusOr<std::vector<call::Tool>> tools = Tools().ToolsOf(backend);
    TIPSTAFF_REQUIRE(tools.ok());
    for (const call::Tool& tool : *tools) {
      for (const json::Document& one : arguments) {
        Ask(grant, alias + "." + tool.name, one);
      }
    }
  }
  for (const PublishedTool& tool : grant.tools()) {
    TIPSTAFF_REQUIRE(json::Parse(tool.input_schema).ok());
    TIPSTAFF_REQUIRE(grant.ResolveTool(tool.name) == tool.tool);
  }
}

void CheckOne(absl::string_view bytes) {
  auto file = std::make_shared<source::File>();
  file->path = "skill.yaml";
  file->text = std::string(bytes);
  source::Diagnostics diagnostics;
  const std::shared_ptr<const Skill> skill = LoadSkill(file, Tools(), diagnostics);
  TIPSTAFF_REQUIRE((skill == nullptr) == source::HasErrors(diagnostics));
  CheckDiagnostics(*file, diagnostics);
  if (skill == nullptr) return;
  RunTests(skill, Tools(), base::FakeClock(absl::UnixEpoch()));
  source::Diagnostics again;
  const auto document = source::ParseYaml(file, again);
  TIPSTAFF_REQUIRE(document.has_value());
  const std::shared_ptr<const Grant> grant =
      Grant::Make({skill}, BindingsFor(document->root()), Tools(), again);
  TIPSTAFF_REQUIRE((grant == nullptr) == source::HasErrors(again));
  CheckDiagnostics(*file, again);
  if (grant != nullptr) AskAll(*grant, document->root());
}

}  // namespace
}  // namespace tipstaff::policy

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tipstaff::policy::CheckOne(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
