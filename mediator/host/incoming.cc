#include "mediator/host/incoming.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/call/limits.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::host {
namespace {

// How much of a name that is not one is kept for the record.
constexpr size_t kKeptOfBadName = 80;

// In a record of what no backend offers.
constexpr absl::string_view kNoSuchResource = "unlisted";

bool NamesByArguments(call::Kind kind) {
  return kind == call::Kind::kResource || kind == call::Kind::kSubscription ||
         kind == call::Kind::kCompletion;
}

bool NamesByUri(call::Kind kind) {
  return kind == call::Kind::kResource || kind == call::Kind::kSubscription;
}

// {"argument", "value", "context"} of {"ref", "argument": {"name", "value"}, "context":
// {"arguments"}}; an error for anything else.
absl::StatusOr<json::Document> Flattened(json::Value arguments) {
  const json::Value argument = arguments.Find("argument");
  if (!argument.Find("name").is_string() || !argument.Find("value").is_string()) {
    return absl::InvalidArgumentError("no `argument` with a `name` and a `value`, texts");
  }
  json::Builder b;
  b.StartObject().Field("argument", argument.Find("name"));
  b.Field("value", argument.Find("value"));
  if (const json::Value context = arguments.Find("context").Find("arguments"); context.exists()) {
    b.Field("context", context);
  }
  b.EndObject();
  return std::move(b).Build();
}

// What no backend offers keeps its name, and Decide() says that it is unknown.
std::string FullNameOf(const Incoming& incoming, json::Value arguments,
                       const policy::Grant& grant) {
  std::string name;
  if (NamesByUri(incoming.kind)) {
    const std::string resource = grant.ResolveResource(arguments.Find("uri").string());
    return call::FullName(incoming.kind,
                          resource.empty() ? kNoSuchResource : call::WithoutKind(resource));
  }
  if (incoming.kind == call::Kind::kCompletion) {
    const json::Value ref = arguments.Find("ref");
    name = grant.ResolveCompletion(ref.StringOr("name", ""), ref.StringOr("uri", ""));
    return name.empty() ? call::FullName(call::Kind::kCompletion, kNoSuchResource) : name;
  }
  if (incoming.kind == call::Kind::kPrompt) {
    name = grant.ResolvePrompt(incoming.tool);
    return name.empty() ? call::FullName(call::Kind::kPrompt, incoming.tool) : name;
  }
  name = grant.ResolveTool(incoming.tool);
  return name.empty() ? incoming.tool : name;
}

}  // namespace

run::CallArrived ReadCall(const Incoming& incoming, const policy::Grant& grant) {
  run::CallArrived arrived;
  call::Call& call = arrived.call;
  const auto bad = [&](absl::string_view why) {
    arrived.malformed = std::string(why);
    call.id = call::IsCallId(incoming.call_id) ? incoming.call_id : "";
    call.tool = base::WriteOutNonAscii(base::EscapeAndCut(incoming.tool, kKeptOfBadName));
    call.canonical = incoming.arguments;
    return arrived;
  };
  if (!call::IsCallId(incoming.call_id))
    return bad("the call id is not 1 to 64 characters of [A-Za-z0-9_.:-]");
  if (!incoming.by_operator && absl::StartsWith(incoming.call_id, kOperatorPrefix))
    return bad("call ids that begin with `operator:` are for `tipstaff call`");
  const absl::string_view name =
      incoming.by_operator ? call::WithoutKind(incoming.tool) : absl::string_view(incoming.tool);
  if (!NamesByArguments(incoming.kind) && !call::IsToolName(name))
    return bad("the tool name is not 1 to 64 characters of [A-Za-z0-9_.-]");
  if (incoming.arguments.size() > call::kMaxArgumentsBytes) {
    return bad(absl::StrCat("the arguments are larger than ", call::kMaxArgumentsBytes, " bytes"));
  }
  absl::StatusOr<json::Document> arguments =
      json::Parse(incoming.arguments.empty() ? "{}" : incoming.arguments);
  if (!arguments.ok()) return bad(absl::StrCat("the arguments: ", arguments.status().message()));
  if (!arguments->root().is_object()) return bad("the arguments are not a JSON object");
  if (NamesByUri(incoming.kind) && !arguments->root().Find("uri").is_string()) {
    return bad("the arguments have no `uri`, a text");
  }
  absl::StatusOr<json::Document> flattened = json::Document();
  if (incoming.kind == call::Kind::kCompletion) {
    flattened = Flattened(arguments->root());
    if (!flattened.ok()) return bad(absl::StrCat("the arguments: ", flattened.status().message()));
  }
  call.id = incoming.call_id;
  call.tool = FullNameOf(incoming, arguments->root(), grant);
  if (incoming.kind == call::Kind::kCompletion) arguments = std::move(flattened);
  call.canonical = json::Canonical(arguments->root());
  call.arguments = *std::move(arguments);
  return arrived;
}

}  // namespace tipstaff::host
