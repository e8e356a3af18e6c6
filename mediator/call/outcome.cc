#include "mediator/call/outcome.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"

namespace tipstaff::call {
namespace {

constexpr const char* kNames[] = {"ok",     "tool_error", "refused", "stub_error",
                                  "failed", "cancelled",  "unknown"};

}  // namespace

absl::string_view OutcomeKindName(OutcomeKind kind) { return kNames[static_cast<int>(kind)]; }

std::optional<OutcomeKind> ParseOutcomeKind(absl::string_view name) {
  for (int i = 0; i <= static_cast<int>(OutcomeKind::kUnknown); ++i) {
    if (name == kNames[i]) return static_cast<OutcomeKind>(i);
  }
  return std::nullopt;
}

std::string ErrorResult(absl::string_view text) {
  return absl::StrCat(R"({"content":[{"type":"text","text":)", json::Quote(text),
                      R"(}],"isError":true})");
}

Outcome Failure(OutcomeKind kind, absl::string_view text) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.result = ErrorResult(text);
  return outcome;
}

}  // namespace tipstaff::call
