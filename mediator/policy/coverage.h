// Which parts of a skill its tests exercise.
#pragma once

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "mediator/policy/skill_tests.h"

namespace tipstaff::policy {

struct Covered {
  enum class Kind {
    kPermission,  // exercised when a test is allowed by it
    kDenyRule,    // when a test is denied by it
    kConstraint,  // when a denied test fails at it
  };
  Kind kind = Kind::kPermission;
  std::string id;        // of the permission or the rule
  std::string argument;  // of a constraint: "/to/*" for what holds for the items of `to`
  std::string keyword;   // of a constraint
  int line = 0;
  bool exercised = false;

  // "permission `submit`", "`maxBytes` of `/to/*` in permission `note`".
  std::string ToString() const;
};

// Every permission, deny rule and constraint of `skill` in the order of the file, as far as a call
// can fail at it. Only tests that passed count. A `type` beside other keywords is not counted by
// itself, nor is what an argument has without a keyword (that it is required, `text: line`).
std::vector<Covered> CoverageOf(const Skill& skill, absl::Span<const TestResult> results);

}  // namespace tipstaff::policy
