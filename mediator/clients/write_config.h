// Adding an entry to a client's configuration file.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/clients/merge.h"
#include "mediator/json/document.h"

namespace tipstaff::clients {

struct Written {
  std::string path;    // of the file itself, where `path` was a link to it
  std::string backup;  // the file as it was; "" when there was none, or nothing changed
  Change change = Change::kNone;
};

// Merges into the file at `path`, which is made, with its folders, where it is not there. A new
// file is written beside it and renamed, with the mode of the old one, which stays as
// `<path>.bak`, `.bak2`, ... Errors as Merge(), the path in front; those of the file system;
// Aborted when somebody else changed the file meanwhile.
absl::StatusOr<Written> WriteConfig(const std::string& path, absl::string_view servers_key,
                                    absl::string_view name, json::Value entry, bool replaces);

}  // namespace tipstaff::clients
