// How wide a terminal draws text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tipstaff::source {

// Terminal columns: 2 for East Asian wide characters and emoji, 0 for combining marks, else 1.
// An approximation of Unicode's tables that keeps a caret in its place.
int ColumnsOf(uint32_t code_point);

}  // namespace tipstaff::source
