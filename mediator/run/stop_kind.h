// How a write that is in flight at a backend can be stopped.
#pragma once

namespace tipstaff::run {

enum class StopKind {
  kInProcess,  // nothing outside the process is touched before the outcome is committed
  kKillable,  // a process of the run's own without network: killed, and gone before sealing goes on
  kQueryable,  // a pinned tool tells whether an operation took place
  kNone,       // nobody can promise what it will still do
};

}  // namespace tipstaff::run
