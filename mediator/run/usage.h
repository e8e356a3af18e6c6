// What a run has used of its limits.
#pragma once

#include <deque>

#include "absl/time/time.h"
#include "mediator/policy/grant.h"

namespace tipstaff::run {

// Pure. A permission is its index in the grant; a negative one counts for the run alone.
class Usage {
 public:
  // `rate`: whether a limit is about a minute; else Use::last_minute stays 0.
  Usage(size_t permissions, bool rate) : rate_(rate) { facts_.by_permission.resize(permissions); }

  void Allowed(int permission, size_t argument_bytes, absl::Time at);
  // An allowed call's outcome.
  void Settled(int permission, bool ok, size_t result_bytes);
  // Lets go of what was allowed a minute before `now` or earlier.
  void Advance(absl::Time now);

  const policy::RunFacts& facts() const { return facts_; }

 private:
  struct Recent {
    absl::Time at;
    int permission;
  };
  template <typename Change>
  void Apply(int permission, Change change);

  const bool rate_;
  policy::RunFacts facts_;
  std::deque<Recent> recent_;  // within the last minute, by time
};

}  // namespace tipstaff::run
