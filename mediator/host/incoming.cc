#include "mediator/host/incoming.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/call/limits.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::host {
namespace {

// How much of a name that is not one is kept for the record.
constexpr size_t kKeptOfBadName = 80;

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
  if (!call::IsToolName(incoming.tool))
    return bad("the tool name is not 1 to 64 characters of [A-Za-z0-9_.-]");
  if (incoming.arguments.size() > call::kMaxArgumentsBytes) {
    return bad(absl::StrCat("the arguments are larger than ", call::kMaxArgumentsBytes, " bytes"));
  }
  absl::StatusOr<json::Document> arguments =
      json::Parse(incoming.arguments.empty() ? "{}" : incoming.arguments);
  if (!arguments.ok()) return bad(absl::StrCat("the arguments: ", arguments.status().message()));
  if (!arguments->root().is_object()) return bad("the arguments are not a JSON object");
  call.id = incoming.call_id;
  // What no backend offers keeps its name, and Decide() says that it is unknown.
  call.tool = grant.ResolveTool(incoming.tool);
  if (call.tool.empty()) call.tool = incoming.tool;
  call.canonical = json::Canonical(arguments->root());
  call.arguments = *std::move(arguments);
  return arrived;
}

}  // namespace tipstaff::host
