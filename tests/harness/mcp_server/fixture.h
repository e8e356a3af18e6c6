// What the server has: tools, resources and prompts, as the official conformance suite
// (@modelcontextprotocol/conformance 0.2.0-alpha.12, server scenarios) names them, and some of the
// project's own. Pure functions; all texts are JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "tests/harness/mcp_server/options.h"

namespace tipstaff::mcp_server {

// What may be different between two lists.
struct Revision {
  bool changed = false;       // `echo` has another description
  bool another_tool = false;  // there is one more
  bool another_prompt = false;
};

std::vector<std::string> Tools(const Options& options, const Revision& revision);
std::vector<std::string> Resources();
std::vector<std::string> ResourceTemplates();
std::vector<std::string> Prompts(const Revision& revision);

// The result of a tool that always gives the same; nothing for others.
std::optional<std::string> FixedResult(absl::string_view tool);
// The `contents` of a resource; nothing for one that is not there.
std::optional<std::string> Contents(absl::string_view uri);
// The `messages` of a prompt; nothing for one that is not there.
std::optional<std::string> Messages(absl::string_view prompt, json::Value arguments);
// The values that complete `prefix`.
std::string Completion(absl::string_view prefix);

// A result of one text.
std::string TextResult(absl::string_view text);

}  // namespace tipstaff::mcp_server
