// Makes a disagreement small enough to be read.
#pragma once

#include <functional>

#include "tests/differential/case.h"

namespace tipstaff::differential {

// Leaves out whatever can be left out: `still` has to hold of what stays, and holds of `one`.
Case Shrink(Case one, const std::function<bool(const Case&)>& still);

}  // namespace tipstaff::differential
