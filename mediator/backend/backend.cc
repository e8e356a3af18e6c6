#include "mediator/backend/backend.h"

#include <utility>

namespace tipstaff::backend {

std::string Backend::KeyArgument(absl::string_view) const { return ""; }

void Backend::Query(uint64_t, Answered answered) { std::move(answered)(run::TookPlace::kUnknown); }

}  // namespace tipstaff::backend
