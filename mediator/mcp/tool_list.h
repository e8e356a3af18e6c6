// The tools of tools/list, in pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "mediator/mcp/page.h"
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
  // A JSON object: what else an upstream's tool has (`annotations`, `icons`, `_meta`...), listed as
  // it came. "": none, and `annotations` say `read_only`.
  std::string more;
};

// The page of the list that `cursor` names. Left out are tools whose input schema is not JSON or
// whose "type" is not "object". For a legacy client an output schema that is not of type "object"
// is left away.
absl::StatusOr<Page> PageOfTools(absl::Span<const Tool> tools,
                                 const std::optional<std::string>& cursor, Generation generation,
                                 const PageLimits& limits = {});

}  // namespace tipstaff::mcp
