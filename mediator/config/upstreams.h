// The `upstreams` of tipstaff.yaml.
#pragma once

#include "mediator/config/config.h"
#include "mediator/config/reader.h"

namespace tipstaff::config::internal {

// Adds those that are right to `config`, whose people are there; the others are reported.
void LoadUpstreams(json::Value upstreams, Reader& reader, Config& config);

// Of `command` in `system`: the program and its arguments. Unlike other lists it may have the same
// text twice.
std::vector<std::string> LoadCommand(json::Value system, Reader& reader);
// One of kStops; "" when it is absent or wrong.
std::string LoadStop(json::Value system, Reader& reader);
// Of kMinTimeout to kMaxTimeout.
absl::Duration LoadTime(json::Value system, absl::string_view key, absl::Duration otherwise,
                        Reader& reader);

}  // namespace tipstaff::config::internal
