// What the pairs of a run of this test have covered.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mediator/call/reason.h"
#include "tests/reference/counters.h"

namespace tipstaff::differential {

struct Coverage {
  uint64_t pairs = 0;
  uint64_t runs = 0, refused_runs = 0;  // skills that were granted; that did not load
  uint64_t unclear = 0;                 // pairs for which the reference gave several reasons
  std::map<call::Reason, uint64_t> reasons;
  reference::Counters words;

  void Add(const Coverage& other);
  // A table, for people.
  std::string Show() const;
  // Reasons and keywords that have to come and did not, each with what is missing.
  std::vector<std::string> Missing() const;
};

}  // namespace tipstaff::differential
