// Reading a file that a user wrote.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "mediator/source/diagnostic.h"

namespace tipstaff::source {

// How large a file that users write may be; ParseYaml holds to it too.
inline constexpr size_t kMaxFileBytes = 1 << 20;

// Null with a diagnostic (Y003, Y020) when there is no such file, it cannot be read, or it is too
// large.
std::shared_ptr<const File> ReadSource(const std::string& path, Diagnostics& diagnostics);

}  // namespace tipstaff::source
