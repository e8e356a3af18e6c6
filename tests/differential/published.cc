#include "tests/differential/published.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tests/differential/world.h"

namespace tipstaff::differential {
namespace {

const schema::Program& Standard() {
  static const auto* standard = new schema::Program(*schema::Program::Compile(
      json::MustParse(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})").root(),
      schema::Dialect::kTool));
  return *standard;
}

// What the standard asks of lists without making it a rule.
bool HasTwiceInAnEnum(json::Value schema) {
  std::vector<json::Value> open = {schema};
  while (!open.empty()) {
    const json::Value at = open.back();
    open.pop_back();
    std::set<std::string> seen;
    for (json::Value item : at.Find("enum").items()) {
      if (!seen.insert(json::Canonical(item)).second) return true;
    }
    for (json::Value item : at.items()) open.push_back(item);
    for (const json::Member& member : at.members()) {
      if (member.key != "enum" && member.key != "const") open.push_back(member.value);
    }
  }
  return false;
}

bool IsTool(absl::string_view name) {
  for (const WorldTool& tool : WorldTools()) {
    if (tool.kind == call::Kind::kTool && tool.FullName() == name) return true;
  }
  return false;
}

}  // namespace

Published::Published(const policy::Grant& grant) {
  for (const policy::PublishedTool& tool : grant.tools()) Add(tool);
}

void Published::Add(const policy::PublishedTool& tool) {
  const absl::StatusOr<json::Document> schema = json::Parse(tool.input_schema, {.max_depth = 160});
  if (!schema.ok() || !Standard().Accepts(schema->root())) {
    absl::StrAppend(&wrong_, "published schema of ", tool.tool, " is none: ", tool.input_schema,
                    "\n");
    return;
  }
  if (HasTwiceInAnEnum(schema->root())) {
    absl::StrAppend(&wrong_, "published schema of ", tool.tool,
                    " lists a value twice: ", tool.input_schema, "\n");
  }
  // As the strictest of readers has it.
  std::vector<schema::Problem> problems;
  std::optional<schema::Program> program = schema::Program::Compile(
      schema->root(), {.dialect = schema::Dialect::kTool, .assert_formats = true}, problems);
  if (!program.has_value()) {
    absl::StrAppend(&wrong_, "published schema of ", tool.tool, ": ",
                    problems.empty() ? "" : problems[0].message, ": ", tool.input_schema, "\n");
    return;
  }
  tools_.emplace(tool.tool, Tool{tool.input_schema, *std::move(program)});
}

std::string Published::WrongWith(const call::Call& call, const call::Decision& decision) const {
  if (decision.verdict == call::Verdict::kDeny || !IsTool(call.tool)) return "";
  const auto tool = tools_.find(call.tool);
  if (tool == tools_.end()) {
    return wrong_.empty() ? "published: nothing of a tool whose call is permitted\n" : "";
  }
  if (tool->second.program.Accepts(call.arguments.root())) return "";
  return absl::StrCat("published: a schema that refuses what is permitted: ", tool->second.text,
                      "\n");
}

}  // namespace tipstaff::differential
