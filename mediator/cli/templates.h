// Files that `tipstaff init` writes, built into the program: it has to work where nothing but the
// program is there, and what it writes has to be of the program's own version.
#pragma once

#include "absl/types/span.h"

namespace tipstaff::cli {

struct Template {
  const char* path;  // in the source tree
  const char* text;
};

// The templates of mediator/cli/templates, the stub reports, the JSON Schemas for editors.
absl::Span<const Template> Templates();

}  // namespace tipstaff::cli
