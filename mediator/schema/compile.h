// From a schema to Code.
#pragma once

#include <memory>
#include <vector>

#include "mediator/schema/code.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema::internal {

enum class Root { kSchema, kArguments };

// Null when a problem that is not a warning was added.
std::shared_ptr<const Code> CompileCode(json::Value schema, Root root,
                                        const CompileOptions& options,
                                        std::vector<Problem>& problems);

}  // namespace tipstaff::schema::internal
