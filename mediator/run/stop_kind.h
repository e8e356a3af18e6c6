// How a write that is in flight at a backend can be stopped, and what a backend can say about it.
#pragma once

namespace tipstaff::run {

enum class StopKind {
  kInProcess,  // nothing outside the process is touched before the outcome is committed
  kKillable,  // a process of the run's own without network: killed, and gone before sealing goes on
  kQueryable,  // a pinned tool tells whether an operation took place
  kNone,       // nobody can promise what it will still do
};

// What a kQueryable backend answers when it is asked about a write.
enum class TookPlace {
  kDone,     // it took place, and nothing more of it will
  kNotYet,   // not so far; it still may
  kUnknown,  // could not be found out
};

}  // namespace tipstaff::run
