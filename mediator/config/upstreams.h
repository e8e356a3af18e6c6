// The `upstreams` of tipstaff.yaml.
#pragma once

#include <vector>

#include "mediator/config/config.h"
#include "mediator/config/reader.h"

namespace tipstaff::config::internal {

// Those that are right; the others are reported. Missing: none.
std::vector<TestSystem> LoadUpstreams(json::Value upstreams, Reader& reader);

}  // namespace tipstaff::config::internal
