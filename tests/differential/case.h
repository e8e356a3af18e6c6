// One question that the two are asked: a run so far, and a call.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/tree.h"
#include "tests/reference/decide.h"

namespace tipstaff::differential {

struct Case {
  std::vector<Tree> skills;
  Tree bindings = Tree::Object();
  std::vector<std::string> canaries;
  std::vector<reference::EarlierCall> earlier;  // by time
  std::string tool;
  Tree arguments = Tree::Object();
  uint64_t at = 0;  // milliseconds since the run was opened

  // For people, and to be copied into a test.
  std::string Show() const;
};

}  // namespace tipstaff::differential
