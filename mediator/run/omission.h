// Rules of the finalization protocol that tests/simulation leaves out, to see that it would notice
// (docs/finalization.md). Only in a build of this library with TIPSTAFF_OMISSIONS can one be left
// out: in any other, and in every program that is installed, Omits() is constantly false.
#pragma once

namespace tipstaff::run {

enum class Rule {
  kCheckInTransaction,  // whether access is open is checked with the intent, not before
  kCommitBeforeSend,    // a call leaves the process only once its intent is durable
  kWaitForWrites,       // a result is submitted once no write is in flight
  kStopBeforeGivingUp,  // what can be stopped is stopped before a write is given up on
  kUnknownOnRecovery,   // an intent without an outcome is unknown after a crash
};

#ifdef TIPSTAFF_OMISSIONS
bool Omits(Rule rule);
// Of every run of the process, until the object is gone. One at a time.
class Omission {
 public:
  explicit Omission(Rule rule);
  ~Omission();
  Omission(const Omission&) = delete;
  Omission& operator=(const Omission&) = delete;
};
#else
constexpr bool Omits(Rule) { return false; }
#endif

}  // namespace tipstaff::run
