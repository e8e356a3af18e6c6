// What a tool takes in place of arguments that are not given: the `default`s of its input schema.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"

namespace tipstaff::schema {

// False where WithDefaults() never adds anything. Looks for the word anywhere, also where it says
// something else.
bool MayHaveDefaults(json::Value schema);

// `arguments` and the defaults of the properties that are not given: of the arguments themselves,
// and of objects within them that are given. A `$ref` to a part of the same schema is followed.
// Nothing when there is nothing to add; an error when it does not fit into a document.
absl::StatusOr<std::optional<json::Document>> WithDefaults(json::Value arguments,
                                                           json::Value schema);

}  // namespace tipstaff::schema
