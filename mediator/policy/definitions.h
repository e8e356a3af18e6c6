// The definitions that a schema which is published still needs.
#pragma once

#include "mediator/json/document.h"

namespace tipstaff::policy::internal {

// Whether all that the schema refers to is a whole one of its own `$defs` or `definitions`.
bool RefersToDefinitionsOnly(json::Value schema);

// `schema`, an object that does so, without the definitions that nothing refers to but other such
// ones: what they hold is nobody's business.
json::Document WithoutIdle(json::Value schema);

}  // namespace tipstaff::policy::internal
