// The MCP servers of the matrix: how each is started, and what a run may do with it.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/packages.h"
#include "tests/harness/approved_server.h"

namespace tipstaff::conformance {

struct Asked {
  std::string tool, arguments;
};

struct Upstream {
  std::string name;
  harness::ApprovedServer server;
  std::string permissions;  // of a skill, YAML
  Asked call;
  std::string answer;  // a part of the result's text
  Asked refused;
  Asked cancel;
  int cancel_after_ms = 0;  // 0: at once, of a call that does not last
};

// `folder`: what server-filesystem may read.
Upstream MakeUpstream(const std::string& name, const Packages& packages, const std::string& folder);

// The skill `harmless`, with names without a prefix. It permits server.reads, with some arguments.
std::string SkillOf(const Upstream& upstream);

}  // namespace tipstaff::conformance
