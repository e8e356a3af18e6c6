#include "mediator/run/state.h"

namespace tipstaff::run {

absl::string_view ResultName(Result result) {
  static constexpr const char* kNames[] = {"none", "sealing", "submitting", "accepted",
                                           "held", "unknown", "refused"};
  return kNames[static_cast<int>(result)];
}

absl::string_view AccessName(Access access) {
  static constexpr const char* kNames[] = {"open", "read_only", "closed"};
  return kNames[static_cast<int>(access)];
}

}  // namespace tipstaff::run
