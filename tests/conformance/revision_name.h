// Names of tests that have a revision as their parameter.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_replace.h"

namespace tipstaff::conformance {

// "2026_07_28"
inline std::string RevisionName(const ::testing::TestParamInfo<const char*>& info) {
  return absl::StrReplaceAll(info.param, {{"-", "_"}});
}

}  // namespace tipstaff::conformance
