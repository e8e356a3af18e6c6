#include "mediator/schema/asserted_format.h"

namespace tipstaff::schema::internal {

std::optional<uint32_t> FindAssertedFormat(absl::string_view) { return std::nullopt; }

// Nothing that was not found is asked for.
bool HasAssertedFormat(uint32_t, absl::string_view) { return false; }

}  // namespace tipstaff::schema::internal
