// Asking a server whether a write took place: `stop: queryable` with `query: {tool, argument}`.
//
// The tool is called with the write's key, and answers with `took_place`, one of done, not_yet and
// unknown, in its structuredContent or as the JSON object that its text is.
#pragma once

#include <string>

#include "mediator/run/stop_kind.h"
#include "mediator/upstream/link.h"
#include "mediator/upstream/pins.h"

namespace tipstaff::upstream {

mcp::ClientRequest QueryRequest(const PinnedItem& tool, const std::string& argument,
                                const std::string& key);
// kUnknown for anything but a plain answer.
run::TookPlace TookPlaceOf(const Link::End& end);

}  // namespace tipstaff::upstream
