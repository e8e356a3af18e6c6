// From a schema to Code.
#pragma once

#include <memory>
#include <vector>

#include "mediator/schema/code.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema::internal {

// What is compiled: a schema; a mapping from arguments to schemas; the schema of the one argument.
enum class Root { kSchema, kArguments, kOneArgument };

// Null when a problem that is not a warning was added. `argument`: the name of the one.
std::shared_ptr<const Code> CompileCode(json::Value schema, Root root,
                                        const CompileOptions& options,
                                        std::vector<Problem>& problems,
                                        absl::string_view argument = {});

}  // namespace tipstaff::schema::internal
