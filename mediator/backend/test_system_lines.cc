#include "mediator/backend/test_system_lines.h"

#include "absl/strings/str_cat.h"
#include "mediator/backend/limits.h"
#include "mediator/base/status.h"
#include "mediator/base/utf8.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::backend {
namespace {

std::optional<call::OutcomeKind> OutcomeOf(absl::string_view word) {
  const std::optional<call::OutcomeKind> kind = call::ParseOutcomeKind(word);
  switch (kind.value_or(call::OutcomeKind::kUnknown)) {
    case call::OutcomeKind::kOk:
    case call::OutcomeKind::kToolError:
    case call::OutcomeKind::kRefused:
    case call::OutcomeKind::kFailed:
      return kind;
    default:  // not for a system to say
      return std::nullopt;
  }
}

std::optional<run::TookPlace> TookPlaceOf(absl::string_view word) {
  if (word == "done") return run::TookPlace::kDone;
  if (word == "not_yet") return run::TookPlace::kNotYet;
  if (word == "unknown") return run::TookPlace::kUnknown;
  return std::nullopt;
}

absl::Status NoAnswer(absl::string_view why) { return absl::InvalidArgumentError(why); }

absl::Status ReadOutcome(json::Value root, SystemAnswer& answer) {
  answer.outcome = OutcomeOf(root.StringOr("outcome", ""));
  if (!answer.outcome)
    return NoAnswer("an `outcome` that is not ok, tool_error, refused or failed");
  answer.result = root.Find("result");
  const bool has_result = *answer.outcome == call::OutcomeKind::kOk;
  if (has_result && !answer.result.exists()) return NoAnswer("`ok` without a `result`");
  answer.message = std::string(base::CutUtf8(root.StringOr("message", ""), kMaxSystemNoteBytes));
  return absl::OkStatus();
}

}  // namespace

std::string CallLine(uint64_t id, absl::string_view run, const Request& request) {
  std::string line =
      absl::StrCat(R"({"type":"call","id":)", id, R"(,"run":)", json::Quote(run), R"(,"call":)",
                   request.number, R"(,"tool":)", json::Quote(request.tool));
  if (!request.submission_key.empty()) {
    absl::StrAppend(&line, R"(,"key":)", json::Quote(request.submission_key));
  }
  if (!request.token.empty()) absl::StrAppend(&line, R"(,"token":)", json::Quote(request.token));
  absl::StrAppend(&line, R"(,"arguments":)", request.canonical, "}");
  return line;
}

std::string CancelLine(uint64_t id) { return absl::StrCat(R"({"type":"cancel","id":)", id, "}"); }

std::string QueryLine(uint64_t id, absl::string_view run, uint64_t number) {
  return absl::StrCat(R"({"type":"query","id":)", id, R"(,"run":)", json::Quote(run), R"(,"call":)",
                      number, "}");
}

absl::StatusOr<SystemAnswer> ParseAnswer(absl::string_view line) {
  SystemAnswer answer;
  TIPSTAFF_ASSIGN_OR_RETURN(answer.line, json::Parse(line));
  const json::Value root = answer.line.root(), id = root.Find("id");
  if (!root.is_object()) return NoAnswer("no JSON object");
  if (id.kind() != json::Kind::kInteger || id.integer() < 1) return NoAnswer("an `id` is missing");
  answer.id = static_cast<uint64_t>(id.integer());
  const bool of_call = root.Find("outcome").exists(), of_query = root.Find("took_place").exists();
  if (of_call == of_query) return NoAnswer("neither an `outcome` nor a `took_place`, or both");
  if (of_call) {
    TIPSTAFF_RETURN_IF_ERROR(ReadOutcome(root, answer));
    return answer;
  }
  answer.took_place = TookPlaceOf(root.StringOr("took_place", ""));
  if (!answer.took_place) return NoAnswer("a `took_place` that is not done, not_yet or unknown");
  return answer;
}

}  // namespace tipstaff::backend
