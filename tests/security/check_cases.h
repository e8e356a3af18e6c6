// Calls that a hostile guest makes, with what has to come of them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tipstaff::security {

struct Case {
  int number = 0;    // in the threat model
  std::string name;  // letters and digits
  std::string why;   // what would go wrong
  std::string tool, arguments;
  std::string reason;
};

// For what GoogleTest prints.
inline void PrintTo(const Case& one, std::ostream* out) { *out << one.why; }

// In a run of the skill `guarded` with report rep_demo0001 and the canary kPlanted.
std::vector<Case> CheckCases();

constexpr char kPlanted[] = "TIPSTAFF-canary-7f3a91";

}  // namespace tipstaff::security
