#include "tests/bench/schema_skills.h"

#include "absl/strings/str_cat.h"
#include "mediator/backend/catalog.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::bench {
namespace {

constexpr struct {
  const char* skill;
  const char* bindings;
} kShipped[] = {
    {"report-triage",
     R"({"report_id":"rep_demo0001","tenant":"acme","reviewers":["dana@acme.example"]})"},
    {"support-reply", R"({"ticket_id":"TCK-1001","customer":"kim@customer.example"})"},
};

class Tools final : public policy::Catalog {
 public:
  explicit Tools(int count) : count_(count) {}
  absl::StatusOr<std::vector<call::Tool>> ToolsOf(const policy::BackendRef&) const override {
    std::vector<call::Tool> tools;
    for (int i = 0; i < count_; ++i) {
      tools.push_back({.name = absl::StrCat("tool_", i),
                       .effect = call::Effect::kRead,
                       .input_schema = json::MustParse(R"({"type":"object"})"),
                       .output_schema = json::MustParse("null")});
    }
    return tools;
  }
  std::vector<std::string> NamesOf(policy::BackendRef::Kind) const override { return {"made"}; }

 private:
  const int count_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const policy::Grant>> GrantOf(const std::string& skill_text,
                                                             const policy::Catalog& catalog,
                                                             const std::string& bindings) {
  source::Diagnostics diagnostics;
  const auto skill = policy::LoadSkill(
      std::make_shared<source::File>(source::File{"skill.yaml", skill_text}), catalog, diagnostics);
  if (skill == nullptr) return source::ToStatus(diagnostics);
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document given, json::Parse(bindings));
  auto grant = policy::Grant::Make({skill}, given, catalog, diagnostics);
  if (grant == nullptr) return source::ToStatus(diagnostics);
  return grant;
}

absl::StatusOr<std::vector<std::shared_ptr<const policy::Grant>>> ShippedGrants() {
  const backend::Catalog catalog(
      [](const std::string& name) { return engine::ReadStubFiles("stubs/" + name); },
      {"mailbox", "reports", "tickets"});
  std::vector<std::shared_ptr<const policy::Grant>> grants;
  for (const auto& shipped : kShipped) {
    TIPSTAFF_ASSIGN_OR_RETURN(
        const std::string text,
        base::ReadFile(absl::StrCat("policies/", shipped.skill, "/skill.yaml")));
    TIPSTAFF_ASSIGN_OR_RETURN(auto grant, GrantOf(text, catalog, shipped.bindings));
    grants.push_back(std::move(grant));
  }
  return grants;
}

std::string MadeSkill(const std::string& name, int tools, int per_tool) {
  std::string text = absl::StrCat("skill: ", name, R"(
bindings:
  owner: {type: string}
scope: [owner]
backends: {t: {stub: made}}
finalize: none
permissions:
)");
  for (int tool = 0; tool < tools; ++tool) {
    for (int i = 0; i < per_tool; ++i) {
      absl::StrAppend(&text, "  - id: p", tool, "-", i, "\n    tool: t.tool_", tool, R"(
    args:
      owner: {equals: $owner}
      kind: {const: kind-)",
                      i, R"(}
      title: {type: string, maxBytes: 200}
      body: {type: string, text: lines, maxBytes: 4000}
      labels: {type: array, maxItems: 9, items: {type: string, pattern: "^[a-z-]+$"}}
)");
    }
  }
  return text;
}

std::unique_ptr<policy::Catalog> MadeCatalog(int tools) { return std::make_unique<Tools>(tools); }

call::Call MadeCall(int tool, const std::string& kind) {
  call::Call call{.id = "c", .tool = absl::StrCat("t.tool_", tool)};
  call.arguments = json::MustParse(absl::StrCat(
      R"({"owner":"rep_demo0001","kind":")", kind, R"(","title":"The second week","body":")",
      std::string(850, 'n'), R"(","labels":["a-b","c"]})"));
  call.canonical = json::Canonical(call.arguments.root());
  return call;
}

}  // namespace tipstaff::bench
