// What stands in a program for Tipstaff, for the clients that are libraries.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/clients/entry.h"

namespace tipstaff::clients {

// Python, complete but for what the agent is to do. InvalidArgument for a client that has a
// configuration file.
absl::StatusOr<std::string> Snippet(const Client& client, const std::string& name,
                                    const Server& server);

}  // namespace tipstaff::clients
