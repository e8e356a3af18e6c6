// One item of what a server lists, made into what skills can name. Included by sources only.
#pragma once

#include "mediator/upstream/pins.h"

namespace tipstaff::upstream {

// From an MCP Tool, Resource, ResourceTemplate or Prompt as JSON. A tool is a write. What makes it
// impossible to use (a schema that is not of an object, or has `oneOf` at the top) is in
// `quarantine`; InvalidArgument for what has no name at all.
absl::StatusOr<PinnedItem> MakeItem(PinnedItem::Kind kind, absl::string_view json);

// Asking for values of an argument of the prompt or template `item`: {"argument", "value",
// "context"}. Nothing for another item, and for one that has no arguments.
std::optional<call::Tool> CompletionOf(const PinnedItem& item);

// `name` with a digest of `of`, within what can name a tool.
std::string NameWithDigest(absl::string_view name, absl::string_view of);

}  // namespace tipstaff::upstream
