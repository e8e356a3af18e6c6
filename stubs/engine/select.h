// Rows of one table: filtered, sorted, cut into pages or at a limit, and with the columns asked
// for.
#pragma once

#include "stubs/engine/action.h"

namespace tipstaff::engine {

ActionResult RunSelect(const Select& select, CallScope& scope);

}  // namespace tipstaff::engine
