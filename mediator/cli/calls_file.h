// Calls in a file, which are made before another one.
//
// YAML: a sequence of calls, or a mapping with `calls`:
//   - {tool: add_note, args: {item_id: item_0001, text: seen}}
// JSON lines (the name ends in .jsonl, or the first line is such an object by itself):
//   {"tool": "add_note", "args": {"item_id": "item_0001", "text": "seen"}}
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"

namespace tipstaff::cli {

struct FileCall {
  std::string tool;
  json::Document arguments;
};

// InvalidArgument says file, line and what is wrong, or why it cannot be read.
absl::StatusOr<std::vector<FileCall>> ReadCalls(const std::string& path);

}  // namespace tipstaff::cli
