#include "mediator/backend/backend.h"

#include <utility>

namespace tipstaff::backend {

std::optional<call::Reason> Backend::Refuses(call::Kind, absl::string_view) const {
  return std::nullopt;
}

std::string Backend::KeyArgument(absl::string_view) const { return ""; }
std::string Backend::Audience(absl::string_view) const { return ""; }

call::Outcome Backend::MakeAgain(const Request&, call::OutcomeKind) {
  return call::Failure(call::OutcomeKind::kFailed, "only a stub makes calls again");
}

void Backend::Query(uint64_t, Answered answered) { std::move(answered)(run::TookPlace::kUnknown); }

}  // namespace tipstaff::backend
