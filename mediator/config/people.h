// The section `people:` of tipstaff.yaml: who may act, and how they are known.
#pragma once

#include <vector>

#include "mediator/config/config.h"
#include "mediator/config/reader.h"

namespace tipstaff::config::internal {

// In the order of the file; `people` may be missing.
std::vector<Person> LoadPeople(json::Value people, Reader& reader);

}  // namespace tipstaff::config::internal
