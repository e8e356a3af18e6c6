// The server on standard input and output.
#pragma once

#include <memory>

#include "tests/harness/mcp_server/options.h"

namespace tipstaff::mcp_server {

// Until the end of input; the exit status.
int ServeStdio(const Options& options);

}  // namespace tipstaff::mcp_server
