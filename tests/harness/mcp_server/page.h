// A page of a list, as the flags on lists have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/harness/mcp_server/options.h"

namespace tipstaff::mcp_server {

struct Page {
  std::vector<std::string> items;
  std::optional<std::string> next;  // a cursor
};

// InvalidArgument for a cursor that no page named.
absl::StatusOr<Page> PageOf(const std::vector<std::string>& items,
                            const std::optional<std::string>& cursor, const Options& options);

}  // namespace tipstaff::mcp_server
