#include "mediator/run/stop_kind.h"

namespace tipstaff::run {

absl::string_view StopKindName(StopKind kind) {
  switch (kind) {
    case StopKind::kInProcess:
      return "in_process";
    case StopKind::kKillable:
      return "killable";
    case StopKind::kQueryable:
      return "queryable";
    case StopKind::kNone:
      return "none";
  }
  return "none";
}

std::optional<StopKind> ParseStopKind(absl::string_view name) {
  for (const StopKind kind :
       {StopKind::kInProcess, StopKind::kKillable, StopKind::kQueryable, StopKind::kNone}) {
    if (name == StopKindName(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace tipstaff::run
