// An upstream that is an MCP server: `stdio` or `http`, and what stands beside it.
#pragma once

#include <optional>

#include "mediator/config/config.h"
#include "mediator/config/reader.h"

namespace tipstaff::config::internal {

// `upstream` has `stdio` or `http`, and its name is good. What is wrong is reported.
McpServer LoadMcpServer(absl::string_view name, json::Value upstream,
                        absl::Span<const Person> people, Reader& reader);

}  // namespace tipstaff::config::internal
