// Where the language meets the checkers of formats: `format` that constrains goes through here.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace tipstaff::schema::internal {

// A number for HasAssertedFormat(); nothing for a format that cannot be checked.
std::optional<uint32_t> FindAssertedFormat(absl::string_view name);
bool HasAssertedFormat(uint32_t format, absl::string_view text);

}  // namespace tipstaff::schema::internal
