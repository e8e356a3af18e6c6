// Random names, from the kernel's generator.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::base {

// `length` characters of a-z and 2-7 (five bits each).
std::string RandomText(size_t length);
// `length` random bytes. Ends the process when the kernel gives none.
std::string RandomBytes(size_t length);

// "run_" and 12 characters (60 bits).
std::string NewRunId();
bool IsRunId(absl::string_view text);

}  // namespace tipstaff::base
