// The programs that are installed together with this one.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::cli {

// The absolute path of the program `name` in this program's folder, whether it is there or not.
std::string Beside(absl::string_view name);

// That of tipstaff-guest. NotFound when it is not there.
absl::StatusOr<std::string> GuestBeside();

}  // namespace tipstaff::cli
