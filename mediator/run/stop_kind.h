// How a write that is in flight at a backend can be stopped, and what a backend can say about it.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"

namespace tipstaff::run {

enum class StopKind {
  kInProcess,  // nothing outside the process is touched before the outcome is committed
  kKillable,  // a process of the run's own without network: killed, and gone before sealing goes on
  kQueryable,  // a pinned tool tells whether an operation took place
  kNone,       // nobody can promise what it will still do
};

absl::string_view StopKindName(StopKind kind);  // "in_process", "killable", ...
std::optional<StopKind> ParseStopKind(absl::string_view name);

// What a kQueryable backend answers when it is asked about a write.
enum class TookPlace {
  kDone,     // it took place, and nothing more of it will
  kNotYet,   // not so far; it still may
  kUnknown,  // could not be found out
};

}  // namespace tipstaff::run
