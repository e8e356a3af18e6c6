// The server over Streamable HTTP on a loopback address.
#pragma once

#include "tests/harness/mcp_server/options.h"

namespace tipstaff::mcp_server {

// Prints "listening on http://127.0.0.1:PORT/mcp" and serves until it is killed, or its standard
// input ends; the exit status.
int ServeHttp(const Options& options);

}  // namespace tipstaff::mcp_server
