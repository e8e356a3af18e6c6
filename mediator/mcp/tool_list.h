// The tools of tools/list, in pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

// A tool as it is published to agents. Schemas are JSON text.
struct Tool {
  std::string name;
  std::string title;        // "": none
  std::string description;  // "": none
  std::string input_schema;
  std::string output_schema;  // "": none
  bool read_only = false;
};

struct PageLimits {
  size_t tools = 100;
  size_t bytes = 1 << 20;  // of JSON; a page has at least one tool
};

struct ToolPage {
  std::string tools;        // a JSON array
  std::string next_cursor;  // "": the last page
  // Tools left out because a client would reject the whole list for them, with the reason: an
  // input schema that is not JSON, or whose "type" is not "object".
  std::vector<std::string> left_out;
};

// The page that `cursor` names: nothing or "" is the first. A cursor names the tool it follows, so
// it stays good while the list is the same or grows. InvalidArgument for one that is not ours.
// For a legacy client an output schema that is not of type "object" is left away.
absl::StatusOr<ToolPage> PageOfTools(absl::Span<const Tool> tools,
                                     const std::optional<std::string>& cursor,
                                     Generation generation, const PageLimits& limits = {});

}  // namespace tipstaff::mcp
