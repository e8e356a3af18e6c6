// What a run's skills permit an agent to see, as the mediator lists it.
#pragma once

#include <string>
#include <vector>

#include "mediator/mcp/tool_list.h"

namespace tipstaff::mcp {

// In a fixed order. The JSON objects are those of the upstreams' lists, as pinned.
struct Catalog {
  std::vector<Tool> tools;
  std::vector<std::string> resources;           // a Resource each
  std::vector<std::string> resource_templates;  // a ResourceTemplate each
  std::vector<std::string> prompts;             // a Prompt each
  // Whether anything of the run has them.
  bool subscriptions = false;
  bool completions = false;
  bool logging = false;

  bool has_resources() const { return !resources.empty() || !resource_templates.empty(); }
  bool has_prompts() const { return !prompts.empty(); }
};

// The ServerCapabilities of a server with that catalog, as JSON. Nothing: the mediator did not say,
// and only tools are promised.
std::string CapabilitiesJson(const Catalog* catalog);

}  // namespace tipstaff::mcp
