// Adding an entry to the text of a configuration, with the rest kept byte for byte.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::clients {

enum class Change { kNone, kAdded, kReplaced };

struct Merged {
  std::string text;
  Change change = Change::kNone;
};

// `text` with `entry` as the member `name` of its member `servers_key`, laid out as the text around
// it is. An empty text is a new one.
// - InvalidArgument: it is not JSON (line and column), or another shape than the client reads;
// - FailedPrecondition: it has comments, which would not survive for sure;
// - AlreadyExists: another entry has that name, and `replaces` is not set.
absl::StatusOr<Merged> Merge(absl::string_view text, absl::string_view servers_key,
                             absl::string_view name, json::Value entry, bool replaces);

}  // namespace tipstaff::clients
