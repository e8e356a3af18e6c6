#include "mediator/upstream/answer.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/call/limits.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::upstream {
namespace {

constexpr json::ParseOptions kParse = {.max_depth = 2 * json::kMaxDepth};
constexpr size_t kShownBytes = 300;
constexpr char kHasSecret[] = "it answered with its credential";

call::Outcome ToolError(call::Kind kind, int code, absl::string_view text) {
  call::Outcome outcome;
  outcome.kind = call::OutcomeKind::kToolError;
  outcome.result =
      kind == call::Kind::kTool
          ? call::ErrorResult(text)
          : absl::StrCat(R"({"error":{"code":)", code, R"(,"message":)", json::Quote(text), "}}");
  return outcome;
}

// "" for one that is as it should be.
std::string WhyNoResult(call::Kind kind, json::Value result) {
  if (kind == call::Kind::kCompletion) {
    return result.Find("completion").Find("values").is_array()
               ? ""
               : "its result has no `completion` with `values`, a list";
  }
  const char* member = kind == call::Kind::kTool       ? "content"
                       : kind == call::Kind::kResource ? "contents"
                                                       : "messages";
  const json::Value list = result.Find(member);
  const bool may_lack = kind == call::Kind::kTool || kind == call::Kind::kSubscription;
  if (list.is_array() || (may_lack && !list.exists())) return "";
  return absl::StrCat("its result has no `", member, "`, a list");
}

// "" where it is as the pin says.
std::string WhyNotAsPinned(const PinnedItem& item, json::Value result) {
  if (!item.checks_output || result.BoolOr("isError", false)) return "";
  const json::Value structured = result.Find("structuredContent");
  if (!structured.exists()) return "its result lacks the `structuredContent` that it declares";
  const auto failure = item.checks_output->Check(structured);
  if (!failure) return "";
  return absl::StrCat("its result is not as its output schema says: at `",
                      base::EscapeAndCut(failure->pointer, 80), "` expected ", failure->expected);
}

call::Outcome OutcomeOfResult(const PinnedItem& item, call::Kind kind, const std::string& text,
                              const Secrets& secrets) {
  if (text.size() > call::kMaxResultBytes) {
    return ToolError(kind, -32603,
                     absl::StrCat("the call was made; its result has ", text.size(),
                                  " bytes, and at most ", call::kMaxResultBytes, " are passed on"));
  }
  const absl::StatusOr<json::Document> result = json::Parse(text, kParse);
  if (!result.ok()) {
    return Unknown(
        absl::StrCat("its result is not JSON as it is taken: ", result.status().message()));
  }
  if (secrets.AreIn(text) || secrets.AreIn(result->root())) return Unknown(kHasSecret);
  for (const auto& why :
       {WhyNoResult(kind, result->root()), WhyNotAsPinned(item, result->root())}) {
    if (!why.empty()) return Unknown(why);
  }
  call::Outcome outcome;
  const bool is_error = kind == call::Kind::kTool && result->root().BoolOr("isError", false);
  outcome.kind = is_error ? call::OutcomeKind::kToolError : call::OutcomeKind::kOk;
  outcome.result = text;
  return outcome;
}

}  // namespace

call::Outcome Unknown(std::string note) {
  call::Outcome outcome =
      call::Failure(call::OutcomeKind::kUnknown,
                    "the system gave no usable answer; whether the call took effect is not known");
  outcome.note = std::move(note);
  return outcome;
}

call::Outcome OutcomeOf(const PinnedItem& item, call::Kind kind, const Link::End& end,
                        const Secrets& secrets) {
  if (end.no_answer) {
    if (end.no_answer->sent) return Unknown(base::EscapeAndCut(end.no_answer->why, kShownBytes));
    call::Outcome outcome =
        call::Failure(call::OutcomeKind::kFailed, "the system could not be asked");
    outcome.note = base::EscapeAndCut(end.no_answer->why, kShownBytes);
    return outcome;
  }
  if (!end.error) return OutcomeOfResult(item, kind, end.result, secrets);
  if (secrets.AreIn(end.error->message)) return Unknown(kHasSecret);
  return ToolError(kind, end.error->code,
                   absl::StrCat("the system answered with error ", end.error->code, ": ",
                                base::EscapeAndCut(end.error->message, kShownBytes)));
}

}  // namespace tipstaff::upstream
