#include "mediator/backend/stub_backend.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "mediator/backend/structured_result.h"
#include "mediator/base/utf8.h"
#include "mediator/json/write.h"
#include "stubs/engine/changes.h"

namespace tipstaff::backend {
namespace {

constexpr size_t kMaxNoteBytes = 4096;

// What the stub's author should know: the script's failure, what came nearest, what it logged.
std::string NoteOf(const engine::Reply& reply) {
  std::vector<std::string> lines;
  if (reply.kind == call::OutcomeKind::kStubError) lines.push_back(reply.message);
  if (!reply.note.empty()) lines.push_back(reply.note);
  lines.insert(lines.end(), reply.log.begin(), reply.log.end());
  return std::string(base::CutUtf8(absl::StrJoin(lines, "\n"), kMaxNoteBytes));
}

}  // namespace

call::Outcome ToOutcome(const engine::Reply& reply) {
  call::Outcome outcome;
  outcome.kind = reply.kind;
  outcome.changes = engine::ChangesForRecord(reply.changes);
  outcome.reply_delay = reply.delay;
  outcome.progress_reports = reply.progress_reports;
  outcome.note = NoteOf(reply);
  outcome.timed_out = reply.kind == call::OutcomeKind::kUnknown;
  if (reply.is_content) {
    outcome.result = json::Dump(reply.value.root());
    return outcome;
  }
  switch (reply.kind) {
    case call::OutcomeKind::kOk:
      outcome.result = StructuredResult(reply.value.root());
      break;
    case call::OutcomeKind::kStubError:
      // The message is for the stub's author; the agent learns only that the tool failed.
      outcome.result = call::ErrorResult("the tool failed");
      break;
    default:
      outcome.result = call::ErrorResult(absl::StrCat(reply.error, ": ", reply.message));
  }
  return outcome;
}

const call::Tool* StubBackend::Find(absl::string_view tool) const {
  for (const call::Tool& one : stub_->tools()) {
    if (one.name == tool) return &one;
  }
  return nullptr;
}

std::string StubBackend::KeyArgument(absl::string_view tool) const {
  const call::Tool* declared = Find(tool);
  return declared == nullptr ? "" : declared->idempotency_key;
}

std::string StubBackend::Audience(absl::string_view tool) const {
  const call::Tool* declared = Find(tool);
  return declared == nullptr ? "" : declared->audience;
}

absl::Status StubBackend::LetIn(const Request& request) const {
  const std::string audience = Audience(request.tool);
  if (audience.empty()) return absl::OkStatus();
  if (!check_) return absl::UnauthenticatedError("submission token refused: nothing can check it");
  return check_->Check(request, audience);
}

void StubBackend::Call(const Request& request, Done done) {
  if (const absl::Status status = LetIn(request); !status.ok()) {
    call::Outcome outcome =
        call::Failure(call::OutcomeKind::kRefused,
                      "invalid_token: the receiver did not take the mediator's token");
    outcome.note = std::string(status.message());
    outcome.turned_away = true;
    return std::move(done)(std::move(outcome));
  }
  const absl::Time start = absl::Now();
  call::Outcome outcome = ToOutcome(state_->Call(request.number, request.tool, request.arguments));
  outcome.duration = absl::Now() - start;
  std::move(done)(std::move(outcome));
}

call::Outcome StubBackend::MakeAgain(const Request& request, call::OutcomeKind then) {
  return ToOutcome(state_->CallAgain(request.number, request.tool, request.arguments,
                                     then == call::OutcomeKind::kStubError));
}

}  // namespace tipstaff::backend
