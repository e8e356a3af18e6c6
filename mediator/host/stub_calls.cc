#include "mediator/host/stub_calls.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/backend/lost_backend.h"
#include "mediator/base/status.h"
#include "mediator/call/tool.h"
#include "mediator/json/parse.h"
#include "mediator/run/submission.h"

namespace tipstaff::host {
namespace {

// Whether a stub answered, so that its clock and counters moved on.
bool WasMade(const call::Outcome& outcome) {
  switch (outcome.kind) {
    case call::OutcomeKind::kOk:
    case call::OutcomeKind::kToolError:
    case call::OutcomeKind::kRefused:
    case call::OutcomeKind::kStubError:
      return !outcome.turned_away;
    case call::OutcomeKind::kUnknown:
      return outcome.timed_out;
    default:
      return false;
  }
}

}  // namespace

absl::Status StubCalls::Take(const call::Record& record) {
  if (record.kind == call::RecordKind::kDecided) {
    TIPSTAFF_ASSIGN_OR_RETURN(run::Decided one, run::DecodeDecided(record));
    decided_[one.number] = std::move(one);
  }
  if (record.kind != call::RecordKind::kOutcome) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(const run::Settled settled, run::DecodeSettled(record));
  TIPSTAFF_RETURN_IF_ERROR(MakeAgain(decided_[settled.number], settled));
  decided_.erase(settled.number);
  return absl::OkStatus();
}

absl::Status StubCalls::MakeAgain(const run::Decided& call, const run::Settled& settled) {
  const auto [alias, tool] = call::SplitName(call.tool);
  const auto found = backends_.find(alias);
  if (found == backends_.end() || found->second->stop_kind() != run::StopKind::kInProcess ||
      !WasMade(settled.outcome)) {
    return absl::OkStatus();
  }
  if (!call.withheld.empty()) {
    found->second = std::make_unique<backend::LostBackend>(
        "its state was lost in a restart, as sensitive values that made it are not kept");
  }
  backend::Backend& backend = *found->second;
  if (dynamic_cast<backend::LostBackend*>(&backend) != nullptr) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(const backend::Request request, RequestOf(call, tool, backend));
  return Compare(call, settled, backend.MakeAgain(request, settled.outcome.kind));
}

absl::Status StubCalls::Compare(const run::Decided& call, const run::Settled& settled,
                                call::Outcome again) const {
  const auto differs = [&](absl::string_view what) {
    return absl::DataLossError(absl::StrCat("stub `", call::SplitName(call.tool).first,
                                            "` does not ", what, " ", run_, "#", settled.number,
                                            " as it did"));
  };
  if (!settled.changes_withheld && again.changes != settled.outcome.changes) {
    return differs("change its tables in call");
  }
  if (!settled.withheld.empty() || settled.result_left_out) return absl::OkStatus();
  const int permission = grant_.PermissionIndex(call.decision.skill, call.decision.permission);
  const bool same =
      grant_.LimitResult(permission, again.kind, std::move(again.result)) == settled.outcome.result;
  return same ? absl::OkStatus() : differs("answer call");
}

// The request that was made for a recorded call.
absl::StatusOr<backend::Request> StubCalls::RequestOf(const run::Decided& call,
                                                      const std::string& tool,
                                                      const backend::Backend& backend) const {
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document arguments, json::Parse(call.arguments));
  if (call.decision.effect != call::Effect::kFinalize) {
    return backend::Request{call.number,    call::Kind::kTool,    tool, std::move(arguments),
                            call.arguments, call.decision.effect, ""};
  }
  const std::string identity = run::CallIdentity(call.tool, call.arguments_digest);
  run::Submission sent = run::MakeSubmission(run::SubmissionKey(run_, call.number, identity),
                                             backend.KeyArgument(tool), arguments, call.arguments);
  return backend::Request{call.number,
                          call::Kind::kTool,
                          tool,
                          std::move(sent.arguments),
                          std::move(sent.canonical),
                          call.decision.effect,
                          std::move(sent.key)};
}

}  // namespace tipstaff::host
