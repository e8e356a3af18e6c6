#include "mediator/upstream/pinned_item.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/call/limits.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/mcp/http_params.h"

namespace tipstaff::upstream {
namespace {

constexpr json::ParseOptions kParse = {.max_depth = 2 * json::kMaxDepth};
constexpr size_t kDigestDigits = 8;
// Of a name for skills: an alias and a point go before it, within call::kMaxToolNameBytes.
constexpr size_t kMaxNameBytes = 48;
// Of a name that the server gives.
constexpr size_t kMaxGivenBytes = 4096;

std::string Sanitized(absl::string_view given) {
  std::string name(given.substr(0, kMaxNameBytes));
  for (char& c : name) {
    if (!absl::ascii_isalnum(c) && c != '_' && c != '-' && c != '.') c = '_';
  }
  return name;
}

std::string NameOf(absl::string_view given) {
  const bool fits = call::IsToolName(given) && given.size() <= kMaxNameBytes;
  return fits ? std::string(given) : NameWithDigest(given, given);
}

absl::StatusOr<json::Document> CopyOf(json::Value value) {
  json::Builder builder(2 * json::kMaxDepth);
  builder.Copy(value);
  return std::move(builder).Build();
}

// Why no call can be checked against the schema; "" where one can.
std::string WhyNotUsable(json::Value schema) {
  if (schema.StringOr("type", "") != "object") return "its input schema's `type` is not `object`";
  for (const char* keyword : {"oneOf", "anyOf", "allOf", "not", "if", "$ref"}) {
    if (schema.Find(keyword).exists()) {
      return absl::StrCat("its input schema has `", keyword, "` at the top, which agents refuse");
    }
  }
  if (std::string problem = mcp::ParamProblem(schema); !problem.empty()) return problem;
  const auto program = schema::Program::Compile(schema, schema::Dialect::kTool);
  if (!program.ok()) {
    return absl::StrCat("its input schema: ", base::EscapeAndCut(program.status().message(), 160));
  }
  return "";
}

absl::Status FillTool(json::Value whole, PinnedItem& item) {
  item.tool.effect = call::Effect::kWrite;
  const json::Value input = whole.Find("inputSchema"), output = whole.Find("outputSchema");
  item.quarantine = WhyNotUsable(input);
  if (!item.quarantine.empty()) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(item.tool.input_schema, CopyOf(input));
  if (!output.exists()) return absl::OkStatus();
  auto program = schema::Program::Compile(output, schema::Dialect::kTool);
  if (!program.ok()) {
    item.quarantine =
        absl::StrCat("its output schema: ", base::EscapeAndCut(program.status().message(), 160));
    return absl::OkStatus();
  }
  TIPSTAFF_ASSIGN_OR_RETURN(item.tool.output_schema, CopyOf(output));
  item.checks_output = *std::move(program);
  return absl::OkStatus();
}

// Arguments of prompts are texts.
absl::Status FillPrompt(json::Value whole, PinnedItem& item) {
  json::Builder builder;
  builder.StartObject().Field("type", "object").Key("properties").StartObject();
  std::vector<std::string> required;
  for (json::Value argument : whole.Find("arguments").items()) {
    const absl::string_view name = argument.StringOr("name", "");
    builder.Key(name).StartObject().Field("type", "string");
    if (const json::Value text = argument.Find("description"); text.is_string()) {
      builder.Field("description", text);
    }
    builder.EndObject();
    if (argument.BoolOr("required", false)) required.emplace_back(name);
  }
  builder.EndObject().Key("required").StartArray();
  for (const std::string& name : required) builder.String(name);
  builder.EndArray().Field("additionalProperties", false).EndObject();
  absl::StatusOr<json::Document> schema = std::move(builder).Build();
  if (!schema.ok()) {
    item.quarantine = absl::StrCat("its arguments: ", schema.status().message());
    return absl::OkStatus();
  }
  item.tool.input_schema = *std::move(schema);
  return absl::OkStatus();
}

}  // namespace

std::optional<call::Tool> CompletionOf(const PinnedItem& item) {
  const bool is_template = item.kind == PinnedItem::Kind::kTemplate;
  if (item.kind != PinnedItem::Kind::kPrompt && !is_template) return std::nullopt;
  json::Builder b;
  b.StartObject().Field("type", "object").Key("properties").StartObject();
  b.Key("argument").StartObject().Field("type", "string");
  if (!is_template) {
    const json::Value arguments = item.tool.input_schema.root().Find("properties");
    if (arguments.size() == 0) return std::nullopt;
    b.Key("enum").StartArray();
    for (const json::Member& argument : arguments.members()) b.String(argument.key);
    b.EndArray();
  }
  b.EndObject().Key("value").StartObject().Field("type", "string").EndObject();
  b.Key("context").StartObject().Field("type", "object").Key("additionalProperties");
  b.StartObject().Field("type", "string").EndObject().EndObject().EndObject();
  b.Key("required").StartArray().String("argument").String("value").EndArray().EndObject();
  absl::StatusOr<json::Document> schema = std::move(b).Build();
  if (!schema.ok()) return std::nullopt;
  call::Tool tool;
  tool.name = item.name;
  tool.kind = call::Kind::kCompletion;
  tool.effect = call::Effect::kRead;
  tool.input_schema = *std::move(schema);
  return tool;
}

std::string NameWithDigest(absl::string_view name, absl::string_view of) {
  std::string made = Sanitized(name);
  made.resize(std::min(made.size(), kMaxNameBytes - kDigestDigits - 1));
  return absl::StrCat(made, "_", base::ToHex(base::DigestOf(of)).substr(0, kDigestDigits));
}

absl::StatusOr<PinnedItem> MakeItem(PinnedItem::Kind kind, absl::string_view json) {
  PinnedItem item{.kind = kind};
  TIPSTAFF_ASSIGN_OR_RETURN(item.tool.pinned, json::Parse(json, kParse));
  const json::Value whole = item.tool.pinned.root();
  if (!whole.is_object()) return absl::InvalidArgumentError("it is not an object");
  const bool by_uri = kind == PinnedItem::Kind::kResource || kind == PinnedItem::Kind::kTemplate;
  const absl::string_view name = whole.StringOr("name", "");
  item.given =
      std::string(!by_uri                               ? name
                  : kind == PinnedItem::Kind::kResource ? whole.StringOr("uri", "")
                                                        : whole.StringOr("uriTemplate", ""));
  if (item.given.empty() || item.given.size() > kMaxGivenBytes) {
    return absl::InvalidArgumentError(absl::StrCat("it has no `", by_uri ? "uri" : "name",
                                                   "` of 1 to ", kMaxGivenBytes, " bytes"));
  }
  item.name = item.tool.name = NameOf(name.empty() ? absl::string_view(item.given) : name);
  item.tool.title = std::string(whole.StringOr("title", ""));
  item.tool.description = std::string(whole.StringOr("description", ""));
  item.digest = base::ToHex(base::DigestOf(json::Canonical(whole)));
  switch (kind) {
    case PinnedItem::Kind::kTool:
      TIPSTAFF_RETURN_IF_ERROR(FillTool(whole, item));
      break;
    case PinnedItem::Kind::kPrompt:
      item.tool.kind = call::Kind::kPrompt;
      item.tool.effect = call::Effect::kRead;
      TIPSTAFF_RETURN_IF_ERROR(FillPrompt(whole, item));
      break;
    case PinnedItem::Kind::kResource:
    case PinnedItem::Kind::kTemplate:
      item.tool.kind = call::Kind::kResource;
      item.tool.effect = call::Effect::kRead;
      item.tool.input_schema = json::MustParse(
          R"({"type":"object","properties":{"uri":{"type":"string"}},"required":["uri"]})");
      break;
  }
  return item;
}

}  // namespace tipstaff::upstream
