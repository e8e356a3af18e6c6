// What the official suite starts as the client under test: a mediator whose upstream is the suite's
// server, and an agent that calls what the scenario asks for. The suite gives the server's URL as
// the last argument and the scenario's name in the environment.
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tests/harness/agent.h"
#include "tests/harness/mediator.h"

namespace tipstaff::conformance {
namespace {

struct ToolCall {
  std::string tool, arguments;
};

// What the suite wants called, where it does not say so itself.
std::vector<ToolCall> CallsOf(absl::string_view scenario) {
  if (scenario == "tools_call") return {{"add_numbers", R"({"a":5,"b":3})"}};
  return {};
}

}  // namespace
}  // namespace tipstaff::conformance
int main() { return 0; }
