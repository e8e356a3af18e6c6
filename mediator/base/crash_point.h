// Named places at which tests kill the mediator, and rules that tests leave out of it. Both are
// compiled only where CMake's TIPSTAFF_CRASH_POINTS is on (presets dev, asan and tsan, never
// release); elsewhere nothing of them is left.
//
//   const base::CrashPoint kSent("call sent");   // at namespace scope: it is in the list by itself
//   ...
//   kSent.Pass();
//
// TIPSTAFF_CRASH_AT="call sent" in the environment ends the process by SIGKILL when it passes there
// ("call sent*3": the third time); TIPSTAFF_CRASH_POINTS=list makes `tipstaff` print all names.
// tests/crash goes round all of them.
#pragma once

#ifndef TIPSTAFF_CRASH_POINTS
#error "a library with crash points says tipstaff_crash_points(NAME) in its CMakeLists.txt"
#endif

#if TIPSTAFF_CRASH_POINTS
#include <atomic>
#include <string>
#endif

#include "absl/strings/string_view.h"

namespace tipstaff::base {

#if TIPSTAFF_CRASH_POINTS

// Lives as long as the process. Pass() is thread-safe.
class CrashPoint {
 public:
  explicit CrashPoint(std::string name);
  CrashPoint(const CrashPoint&) = delete;
  void Pass() const;
  const std::string& name() const { return name_; }

 private:
  const std::string name_;
  int crash_at_ = 0;  // the time that it does not pass; 0: it always does
  mutable std::atomic<int> passed_{0};
};

// Prints the names of all points where TIPSTAFF_CRASH_POINTS=list asks for it; whether it did.
bool ListCrashPoints();

// Whether a test leaves the rule out, to show that it would be noticed: the names are those of
// tests/model. TIPSTAFF_LEAVE_OUT in the environment names it, or LeaveOut().
bool IsLeftOut(absl::string_view rule);
// In place of what the environment says; "": none. While no other thread asks.
void LeaveOut(std::string rule);

#else

class CrashPoint {
 public:
  explicit constexpr CrashPoint(absl::string_view) {}
  void Pass() const {}
};
inline bool ListCrashPoints() { return false; }
constexpr bool IsLeftOut(absl::string_view) { return false; }

#endif

}  // namespace tipstaff::base
