// A client's configuration, as it is.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::clients {

struct ConfigFile {
  json::Document document;
  bool has_comments = false;  // or commas before closing brackets
};

// InvalidArgument with line and column for what is not JSON even without its comments; a byte order
// mark and an empty text are no JSON either.
absl::StatusOr<ConfigFile> ParseConfig(absl::string_view text);

}  // namespace tipstaff::clients
