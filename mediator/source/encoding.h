// What the bytes of a file must be before YAML is made of them.
#pragma once

#include "absl/strings/string_view.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::source {

// Adds a diagnostic for the first byte order mark, invalid UTF-8, control character, lone CR, other
// line end (NEL, LS, PS) or bidirectional control; false when there was one. yaml-cpp would guess
// another encoding from some of these and take U+0004 for the end of the file.
bool CheckEncoding(const std::shared_ptr<const File>& file, Diagnostics& diagnostics);

}  // namespace tipstaff::source
