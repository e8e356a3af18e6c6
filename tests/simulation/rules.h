// The rules that can be left out (base::LeaveOut), by the names that tests/model has for them.
#pragma once

namespace tipstaff::simulation {

struct Rule {
  const char* name;
  const char* breaks;  // what a schedule finds first
};

inline constexpr Rule kRules[] = {
    {"check-in-transaction", "promise 2"}, {"commit-before-send", "promise 1"},
    {"wait-for-writes", "promise 2"},      {"stop-before-giving-up", "promise 2"},
    {"unknown-on-recovery", "promise 2"},
};

}  // namespace tipstaff::simulation
