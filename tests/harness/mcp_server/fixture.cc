#include "tests/harness/mcp_server/fixture.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "mediator/json/write.h"

namespace tipstaff::mcp_server {
namespace {

// A red pixel, and a hundredth of a second of silence.
#define TIPSTAFF_PNG                                                                     \
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJ" \
  "RU5ErkJggg=="
#define TIPSTAFF_WAV "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="
#define TIPSTAFF_IMAGE R"({"type":"image","data":")" TIPSTAFF_PNG R"(","mimeType":"image/png"})"

constexpr char kEmbedded[] =
    R"({"content":[{"type":"resource","resource":{"uri":"test://embedded-resource",)"
    R"("mimeType":"text/plain","text":"This is an embedded resource content."}}]})";
constexpr char kMixed[] =
    R"({"content":[{"type":"text","text":"Multiple content types test:"},)" TIPSTAFF_IMAGE
    R"(,{"type":"resource","resource":{"uri":"test://mixed-content-resource",)"
    R"("mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}]})";

constexpr std::pair<absl::string_view, absl::string_view> kFixed[] = {
    {"test_simple_text",
     R"({"content":[{"type":"text","text":"This is a simple text response for testing."}]})"},
    {"test_image_content", R"({"content":[)" TIPSTAFF_IMAGE "]}"},
    {"test_audio_content",
     R"({"content":[{"type":"audio","data":")" TIPSTAFF_WAV R"(","mimeType":"audio/wav"}]})"},
    {"test_embedded_resource", kEmbedded},
    {"test_multiple_content_types", kMixed},
    {"test_error_handling",
     R"({"content":[{"type":"text","text":"This tool intentionally returns an error for testing"}],)"
     R"("isError":true})"},
    {"json_schema_2020_12_tool", R"({"content":[{"type":"text","text":"called"}]})"},
};

constexpr char kJsonSchemaTool[] =
    R"({"name":"json_schema_2020_12_tool","description":"Tool with JSON Schema 2020-12 features",)"
    R"("inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)"
    R"("$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{)"
    R"("street":{"type":"string"},"city":{"type":"string"}}}},"properties":{)"
    R"("name":{"type":"string"},"address":{"$ref":"#/$defs/address"},)"
    R"("contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},)"
    R"("email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},)"
    R"({"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},)"
    R"("required":["contactMethod"]},"then":{"required":["phone"]},)"
    R"("else":{"required":["email"]},"additionalProperties":false}})";

std::string ToolJson(absl::string_view name, absl::string_view description,
                     absl::string_view properties = "", absl::string_view more = "") {
  return absl::StrCat(R"({"name":)", json::Quote(name), R"(,"description":)",
                      json::Quote(description), R"(,"inputSchema":{"type":"object","properties":{)",
                      properties, "}}", more.empty() ? "" : ",", more, "}");
}

// With every member that a tool may have, all of which a broker has to pass on.
std::string EchoTool(bool changed) {
  return ToolJson("echo", changed ? "Repeats its arguments, and more." : "Repeats its arguments.",
                  R"("text":{"type":"string"},"number":{"type":"number"})",
                  R"("title":"Echo","annotations":{"title":"Echo","readOnlyHint":true},)"
                  R"("icons":[{"src":"data:image/png;base64,)" TIPSTAFF_PNG
                  R"(","mimeType":"image/png"}],"_meta":{"example.com/kept":9007199254740993})");
}

void AddOddNames(std::vector<std::string>& tools) {
  const std::string names[] = {std::string(64, 'n'), std::string(128, 'm'),
                               std::string(127, 'm') + "x", "with.dots.in-it", "with spaces in it"};
  for (const std::string& name : names) tools.push_back(ToolJson(name, "Says its name."));
}

void AddAccountTools(std::vector<std::string>& tools) {
  constexpr char kArguments[] =
      R"("report_id":{"type":"string"},"label":{"type":"string"},)"
      R"("behaviour":{"type":"string"},"ms":{"type":"integer"},"key":{"type":"string"})";
  tools.push_back(ToolJson("look", "Changes nothing.", kArguments));
  tools.push_back(ToolJson("post", "Takes effect, or not.", kArguments));
  tools.push_back(ToolJson("submit", "Takes the result of a run, once for each key.", kArguments));
  tools.push_back(ToolJson("find_operation", "Says whether the write with a key took place.",
                           R"("key":{"type":"string"})"));
}

std::string Resource(absl::string_view key, absl::string_view uri, absl::string_view name,
                     absl::string_view type) {
  return absl::StrCat(R"({")", key, R"(":)", json::Quote(uri), R"(,"name":)", json::Quote(name),
                      R"(,"description":"For tests.","mimeType":)", json::Quote(type), "}");
}

std::string Content(absl::string_view uri, absl::string_view type, absl::string_view key,
                    absl::string_view value) {
  return absl::StrCat(R"([{"uri":)", json::Quote(uri), R"(,"mimeType":)", json::Quote(type),
                      R"(,")", key, R"(":)", json::Quote(value), "}]");
}

std::string User(absl::string_view content) {
  return absl::StrCat(R"({"role":"user","content":)", content, "}");
}

std::string Text(absl::string_view text) {
  return absl::StrCat(R"({"type":"text","text":)", json::Quote(text), "}");
}

}  // namespace

std::vector<std::string> Tools(const Options& options, const Revision& revision) {
  std::vector<std::string> tools;
  for (const auto& [name, result] : kFixed) {
    tools.push_back(name == "json_schema_2020_12_tool" ? std::string(kJsonSchemaTool)
                                                       : ToolJson(name, "Always gives the same."));
  }
  tools.push_back(ToolJson("test_tool_with_progress", "Reports progress."));
  tools.push_back(ToolJson("test_streaming_elicitation", "Streams, and asks for nothing."));
  tools.push_back(ToolJson("test_tool_with_logging", "Logs three times."));
  tools.push_back(ToolJson("test_logging_tool", "Logs once, where logging is wanted."));
  tools.push_back(ToolJson("test_trigger_tool_change", "Adds a tool."));
  tools.push_back(ToolJson("test_trigger_prompt_change", "Adds a prompt."));
  tools.push_back(ToolJson("test_missing_capability", "Wants a client that samples."));
  tools.push_back(EchoTool(revision.changed));
  tools.push_back(ToolJson("slow", "Reports progress until it is cancelled.",
                           R"("steps":{"type":"integer"},"ms":{"type":"integer"})"));
  tools.push_back(ToolJson("big", "Gives that many bytes.", R"("bytes":{"type":"integer"})"));
  tools.push_back(ToolJson("write_row", "Appends a line to a file.",
                           R"("file":{"type":"string"},"text":{"type":"string"})",
                           R"("annotations":{"readOnlyHint":false})"));
  tools.push_back(
      ToolJson("touch", "Says that a resource has changed.", R"("uri":{"type":"string"})"));
  tools.push_back(ToolJson("structured", "Gives structured content.", "",
                           R"("outputSchema":{"type":"object","properties":{)"
                           R"("n":{"type":"integer"}},"required":["n"]})"));
  tools.push_back(ToolJson("tell_credential", "Says, logs and reports what it was given.",
                           R"("variable":{"type":"string"})"));
  if (!options.accounts.empty()) AddAccountTools(tools);
  if (options.long_names) AddOddNames(tools);
  if (options.top_level_anyof) {
    tools.push_back(R"({"name":"anyof","description":"Takes one of two.","inputSchema":{)"
                    R"("anyOf":[{"type":"object","required":["a"]},{"type":"object"}]}})");
  }
  if (revision.another_tool) tools.push_back(ToolJson("another_tool", "Came later."));
  return tools;
}

std::vector<std::string> Resources() {
  return {Resource("uri", "test://static-text", "static text", "text/plain"),
          Resource("uri", "test://static-binary", "static binary", "image/png"),
          Resource("uri", "test://watched-resource", "watched", "text/plain")};
}

std::vector<std::string> ResourceTemplates() {
  return {Resource("uriTemplate", "test://template/{id}/data", "template", "application/json")};
}

std::vector<std::string> Prompts(const Revision& revision) {
  const auto prompt = [](absl::string_view name, absl::string_view arguments) {
    return absl::StrCat(R"({"name":")", name, R"(","description":"For tests.","arguments":[)",
                        arguments, "]}");
  };
  const auto argument = [](absl::string_view name) {
    return absl::StrCat(R"({"name":")", name, R"(","description":"Any text.","required":true})");
  };
  std::vector<std::string> prompts = {
      prompt("test_simple_prompt", ""),
      prompt("test_prompt_with_arguments", absl::StrCat(argument("arg1"), ",", argument("arg2"))),
      prompt("test_prompt_with_embedded_resource", argument("resourceUri")),
      prompt("test_prompt_with_image", "")};
  if (revision.another_prompt) prompts.push_back(prompt("another_prompt", ""));
  return prompts;
}

std::optional<std::string> FixedResult(absl::string_view tool) {
  for (const auto& [name, result] : kFixed) {
    if (tool == name) return std::string(result);
  }
  return std::nullopt;
}

std::optional<std::string> Contents(absl::string_view uri) {
  if (uri == "test://static-text") {
    return Content(uri, "text/plain", "text", "This is the content of the static text resource.");
  }
  if (uri == "test://static-binary") return Content(uri, "image/png", "blob", TIPSTAFF_PNG);
  if (uri == "test://watched-resource") return Content(uri, "text/plain", "text", "Watched.");
  absl::string_view id = uri;
  if (!absl::ConsumePrefix(&id, "test://template/") || !absl::ConsumeSuffix(&id, "/data") ||
      id.empty() || absl::StrContains(id, "/")) {
    return std::nullopt;
  }
  return Content(uri, "application/json", "text",
                 absl::StrCat(R"({"id":)", json::Quote(id), R"(,"templateTest":true,"data":)",
                              json::Quote(absl::StrCat("Data for ID: ", id)), "}"));
}

std::optional<std::string> Messages(absl::string_view prompt, json::Value arguments) {
  std::vector<std::string> messages;
  if (prompt == "test_simple_prompt") {
    messages = {User(Text("This is a simple prompt for testing."))};
  } else if (prompt == "test_prompt_with_arguments") {
    messages = {
        User(Text(absl::StrCat("Prompt with arguments: arg1='", arguments.StringOr("arg1", ""),
                               "', arg2='", arguments.StringOr("arg2", ""), "'")))};
  } else if (prompt == "test_prompt_with_embedded_resource") {
    messages = {User(absl::StrCat(R"({"type":"resource","resource":{"uri":)",
                                  json::Quote(arguments.StringOr("resourceUri", "")),
                                  R"(,"mimeType":"text/plain",)"
                                  R"("text":"Embedded resource content for testing."}})")),
                User(Text("Please process the embedded resource above."))};
  } else if (prompt == "test_prompt_with_image") {
    messages = {User(TIPSTAFF_IMAGE), User(Text("Please analyze the image above."))};
  } else if (prompt == "another_prompt") {
    messages = {User(Text("Came later."))};
  } else {
    return std::nullopt;
  }
  return absl::StrCat("[", absl::StrJoin(messages, ","), "]");
}

std::string Completion(absl::string_view prefix) {
  std::vector<std::string> values;
  for (const absl::string_view word : {"paris", "park", "party", "test", "testValue1"}) {
    if (absl::StartsWith(word, prefix)) values.push_back(json::Quote(word));
  }
  return absl::StrCat(R"({"values":[)", absl::StrJoin(values, ","), R"(],"total":)", values.size(),
                      R"(,"hasMore":false})");
}

std::string TextResult(absl::string_view text) {
  return absl::StrCat(R"({"content":[)", Text(text), "]}");
}

}  // namespace tipstaff::mcp_server
