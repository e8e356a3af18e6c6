// What the server is told to be, and how it misbehaves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::mcp_server {

enum class Generations { kLegacy, kModern, kBoth };

struct Options {
  Generations generations = Generations::kBoth;
  std::string http;  // "127.0.0.1:PORT"; "": stdio
  bool sse = false;  // over HTTP every answer is a stream of events

  // Processes.
  bool banner = false;
  bool exit_on_unknown = false;
  bool silent_probe = false;
  bool stderr_flood = false;
  std::string leave_child;  // the file that gets its process id
  size_t die_after = 0;     // 0: never; so are the numbers below
  std::string accounts;     // a folder (tests/harness/account.h); "": none is kept

  // Lists.
  size_t paged = 0;
  bool empty_cursor = false;
  bool endless_pages = false;
  bool cursor_loop = false;
  bool drift = false;
  bool list_changed = false;
  bool top_level_anyof = false;
  bool long_names = false;

  // Calls.
  std::string ask;  // the method that is asked of the client during a call
  bool double_answer = false;
  bool swap_answers = false;
  bool wrong_id_type = false;
  bool bad_structured = false;
  bool never_answer = false;
  bool error_null_id = false;
  bool huge_line = false;

  // HTTP.
  size_t session_gone_after = 0;
  bool redirect = false;
  std::string authorization;  // the file that says which one is let in; "": all are
};

// `arguments` without the program's name. InvalidArgument names the argument and the fix.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments);

// All flags, a line each.
std::string Usage();

}  // namespace tipstaff::mcp_server
