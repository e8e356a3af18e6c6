// A permitted call as a request to its server.
#pragma once

#include <string>

#include "mediator/backend/backend.h"
#include "mediator/mcp/client_session.h"
#include "mediator/upstream/pins.h"

namespace tipstaff::upstream {

// `request` is for `item`. Its arguments go out as the bytes that were checked. A write whose tool
// takes a key gets WriteKey(): a finalize has one of its own among them.
mcp::ClientRequest CallRequestOf(const PinnedItem& item, const backend::Request& request,
                                 const std::string& run);

// By which a server knows one write of a run: "run_...#7".
std::string WriteKey(const std::string& run, uint64_t number);

}  // namespace tipstaff::upstream
