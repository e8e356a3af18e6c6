// A row goes from one state to another, where that is allowed.
#pragma once

#include "stubs/engine/action.h"

namespace tipstaff::engine {

ActionResult RunTransition(const Transition& transition, CallScope& scope);

}  // namespace tipstaff::engine
