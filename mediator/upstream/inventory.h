// Asks a server for all that it lists.
#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "mediator/upstream/link.h"
#include "mediator/upstream/pins.h"

namespace tipstaff::upstream {

// Connects where that is needed. A kind that the server does not have is empty. `done` is called
// once, at a later turn of the loop, unless `link` is destroyed before: Unavailable when one of the
// lists could not be had, with why.
void FetchInventory(Link& link, std::function<void(absl::StatusOr<Inventory>)> done);

}  // namespace tipstaff::upstream
