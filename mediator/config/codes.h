// The codes of what is wrong with a configuration.
#pragma once

#include "mediator/source/explanation.h"

namespace tipstaff::config {

inline constexpr char kUnknownKey[] = "C001";
inline constexpr char kWrongType[] = "C002";
inline constexpr char kMissingKey[] = "C003";
inline constexpr char kBadValue[] = "C004";
inline constexpr char kPathTooLong[] = "C005";
inline constexpr char kTwice[] = "C006";

// One entry per code above, in that order.
source::ExplanationTable ConfigExplanations();

}  // namespace tipstaff::config
