// Where this user's MCP clients keep their configurations.
#pragma once

#include "mediator/clients/client.h"

namespace tipstaff::cli {

// From the environment and the working folder. Without HOME, its places are below `/`.
clients::Places ClientPlaces();

}  // namespace tipstaff::cli
