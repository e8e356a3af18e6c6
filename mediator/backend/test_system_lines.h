// What the mediator and a test system say to each other: a JSON object a line. docs/test-systems.md
// is the page about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/backend/backend.h"
#include "mediator/call/outcome.h"
#include "mediator/json/document.h"

namespace tipstaff::backend {

// Each without the end of the line. `id` is the line's own: an answer repeats it.
std::string CallLine(uint64_t id, absl::string_view run, const Request& request);
std::string CancelLine(uint64_t id);
std::string QueryLine(uint64_t id, absl::string_view run, uint64_t number);

// What a system says of a call or a query.
struct SystemAnswer {
  uint64_t id = 0;
  // Of a call: kOk with `result`, or kToolError, kRefused or kFailed with `message`.
  std::optional<call::OutcomeKind> outcome;
  json::Document line;  // of which `result` is a part
  json::Value result;
  std::string message;                       // cut, as it came otherwise
  std::optional<run::TookPlace> took_place;  // of a query
};
// InvalidArgument for what is no answer, with what is wrong with it.
absl::StatusOr<SystemAnswer> ParseAnswer(absl::string_view line);

}  // namespace tipstaff::backend
