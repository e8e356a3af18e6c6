// One client's connection.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "tests/harness/mcp_server/endpoint.h"

namespace tipstaff::mcp_server {

// It lives until the client closes it. `endpoint` must outlive the event loop's last event.
void StartConnection(boost::asio::ip::tcp::socket socket, Endpoint& endpoint);

}  // namespace tipstaff::mcp_server
