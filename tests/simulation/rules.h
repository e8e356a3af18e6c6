// The rules that can be left out, by the names that tests/model and docs/finalization.md have.
#pragma once

#include "mediator/run/omission.h"

namespace tipstaff::simulation {

struct NamedRule {
  const char* name;
  run::Rule rule;
  const char* breaks;  // what a schedule finds first
};

inline constexpr NamedRule kRules[] = {
    {"check-in-transaction", run::Rule::kCheckInTransaction, "promise 2"},
    {"commit-before-send", run::Rule::kCommitBeforeSend, "promise 1"},
    {"wait-for-writes", run::Rule::kWaitForWrites, "promise 2"},
    {"stop-before-giving-up", run::Rule::kStopBeforeGivingUp, "promise 2"},
    {"unknown-on-recovery", run::Rule::kUnknownOnRecovery, "promise 2"},
};

}  // namespace tipstaff::simulation
