// Sizes and durations as skills write them.
#pragma once

#include <cstdint>

#include "mediator/json/document.h"

namespace tipstaff::reference {

// `2MiB`, `65536` or 65536.
uint64_t Bytes(json::Value size);
// `30m`, `1h30m`, `500ms`: in milliseconds.
uint64_t Milliseconds(json::Value duration);

}  // namespace tipstaff::reference
