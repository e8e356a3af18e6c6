// What the official suite starts as the client under test: a mediator whose upstream is the suite's
// server, and an agent that calls all that the server was pinned with. The suite gives the server's
// URL as the last argument, and the calls that a scenario wants in MCP_CONFORMANCE_CONTEXT.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/upstream/pins.h"
#include "tests/conformance/sample_arguments.h"
#include "tests/harness/agent.h"
#include "tests/harness/mediator.h"

namespace tipstaff::conformance {
namespace {

constexpr char kServer[] = "suite";
constexpr json::ParseOptions kParse = {.max_depth = 4 * json::kMaxDepth};

// A skill that permits every tool and prompt of the pins and all resources; "" for empty pins.
std::string SkillFor(const upstream::Pins& pins) {
  using Kind = upstream::PinnedItem::Kind;
  std::string permissions;
  int number = 0;
  bool has_resources = false;
  for (const upstream::PinnedItem& item : pins.items()) {
    has_resources = has_resources || item.kind == Kind::kResource;
    if (!item.quarantine.empty()) continue;
    if (item.kind != Kind::kTool && item.kind != Kind::kPrompt) continue;
    absl::StrAppend(&permissions, "  - {id: p", ++number, ", ",
                    item.kind == Kind::kTool ? "unscoped: for the suite, tool: " : "prompt: ",
                    json::Quote(absl::StrCat(kServer, ".", item.name)),
                    ", schema: {type: object, unevaluatedProperties: {text: any}}}\n");
  }
  if (has_resources) {
    absl::StrAppend(&permissions, "  - {id: all, resource: ", kServer,
                    ".*, uri: {type: string}}\n");
  }
  if (permissions.empty()) return "";
  return absl::StrCat("skill: all\ndescription: All that the suite's server has.\nnames: bare\n",
                      "backends: {", kServer, ": {upstream: ", kServer, "}}\npermissions:\n",
                      permissions, "finalize: none\n");
}

void Say(const std::string& what, const absl::Status& status) {
  std::printf("%s: %s\n", what.c_str(), status.ToString().c_str());
}

void CallTool(harness::Agent& agent, const std::string& name, const std::string& arguments) {
  const auto result = agent.Call(name, arguments);
  Say(absl::StrCat("tools/call ", name, " ", arguments), result.status());
  if (result.ok()) std::printf("  %s\n", json::Dump(result->result.root()).c_str());
}

// The calls that the scenario names, else each tool once.
absl::Status CallTools(harness::Agent& agent, const upstream::Pins& pins) {
  const char* text = std::getenv("MCP_CONFORMANCE_CONTEXT");
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document context,
                            json::Parse(text == nullptr ? "{}" : text, kParse));
  const json::Value calls = context.root().Find("toolCalls");
  for (const json::Value call : calls.items()) {
    CallTool(agent, std::string(call.StringOr("name", "")), json::Dump(call.Find("arguments")));
  }
  if (calls.exists()) return absl::OkStatus();
  for (const call::Tool& tool : pins.Tools()) {
    if (tool.kind == call::Kind::kTool) {
      CallTool(agent, tool.name, SampleArguments(tool.input_schema.root()));
    }
  }
  return absl::OkStatus();
}

// Of a kind that a run may have none of: "method not found" then.
void GetAll(harness::Agent& agent, const char* list, const char* key, const char* get,
            const char* by) {
  const auto listed = agent.Request(list, "{}");
  if (!listed.ok()) return Say(list, listed.status());
  for (const json::Value item : listed->root().Find(key).items()) {
    const std::string params =
        absl::StrCat("{", json::Quote(by), ":", json::Quote(item.StringOr(by, "")), "}");
    Say(absl::StrCat(get, " ", params), agent.Request(get, params).status());
  }
}

absl::Status Work(const std::string& url) {
  const base::TempFolder folder;
  const std::string skills = folder.Path("skills");
  std::filesystem::create_directories(skills + "/all");
  harness::MediatorOptions options{.bin = TIPSTAFF_BIN_DIR,
                                   .source = TIPSTAFF_SOURCE_DIR,
                                   .folder = folder.path(),
                                   .policies = skills};
  options.servers.push_back(
      {.name = kServer, .how = absl::StrCat("http: {url: ", json::Quote(url), "}")});
  TIPSTAFF_ASSIGN_OR_RETURN(const auto mediator, harness::Mediator::Start(options));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(folder.Path("pins/suite.json")));
  TIPSTAFF_ASSIGN_OR_RETURN(const upstream::Pins pins, upstream::Pins::Parse(text));
  const std::string skill = SkillFor(pins);
  if (skill.empty()) return absl::OkStatus();  // pinning is all that can be done with it
  TIPSTAFF_RETURN_IF_ERROR(base::WriteFile(skills + "/all/skill.yaml", skill));
  TIPSTAFF_ASSIGN_OR_RETURN(const harness::OpenedRun run, mediator->OpenRun({"--skill", "all"}));
  TIPSTAFF_ASSIGN_OR_RETURN(const auto agent, harness::Agent::Start(TIPSTAFF_BIN_DIR, run));
  TIPSTAFF_RETURN_IF_ERROR(CallTools(*agent, pins));
  GetAll(*agent, "resources/list", "resources", "resources/read", "uri");
  GetAll(*agent, "prompts/list", "prompts", "prompts/get", "name");
  return absl::OkStatus();
}

}  // namespace
}  // namespace tipstaff::conformance

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: tipstaff-conformance-client URL\n");
    return 2;
  }
  const absl::Status status = tipstaff::conformance::Work(argv[1]);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
