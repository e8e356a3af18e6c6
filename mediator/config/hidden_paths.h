// What no program that the mediator starts may see.
#pragma once

#include <string>
#include <vector>

#include "mediator/config/config.h"

namespace tipstaff::config {

// Ledger, keys, sockets, and the files that credentials are read from.
std::vector<std::string> HiddenPaths(const Config& config);

}  // namespace tipstaff::config
