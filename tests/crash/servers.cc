#include "tests/crash/servers.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/json/write.h"
#include "tests/harness/owner.h"

namespace tipstaff::crash {
namespace {

constexpr char kUnconfined[] = ", unconfined: \"it keeps an account where the test looks\"";

std::string Line(const harness::MediatorOptions& options, const std::string& name,
                 const std::string& accounts, const std::string& more, const std::string& rest) {
  return absl::StrCat("  ", name, ": {stdio: {command: [",
                      json::Quote(options.bin + "/tipstaff-test-mcp-server"), ", --accounts, ",
                      json::Quote(accounts), "], read: [", json::Quote(options.bin), "]", more,
                      "}, owner: dana, ", rest, "}\n");
}

}  // namespace

absl::Status MakeAllUsable(const harness::Mediator& mediator) {
  for (const char* server : {"killable", "queryable", "unstoppable"}) {
    TIPSTAFF_RETURN_IF_ERROR(harness::MakeUsable(
        mediator, server,
        {{"look", "read"}, {"post", "write", "key"}, {"find_operation", "read"}}));
  }
  return absl::OkStatus();
}

void AddServers(const std::string& timeout, harness::MediatorOptions& options) {
  const std::string accounts = options.folder + "/accounts";
  const std::string time = absl::StrCat("timeout: ", timeout);
  options.policies = options.source + "/tests/e2e/outside/policies";
  options.upstreams = absl::StrCat(
      Line(options, "killable", "/run/tipstaff/scratch", "",
           absl::StrCat("stop: killable, ", time)),
      Line(options, "queryable", accounts, kUnconfined,
           absl::StrCat("stop: queryable, query: {tool: find_operation, argument: key}, ", time)),
      Line(options, "unstoppable", accounts, kUnconfined, absl::StrCat("stop: none, ", time)),
      "  receiver: {test_system: {command: [", json::Quote(options.bin + "/tipstaff-test-system"),
      ", --accounts, accounts], tools: ",
      json::Quote(options.source + "/tests/e2e/outside/board.yaml"),
      ", stop: none, timeout: ", timeout, "}}\n");
}

}  // namespace tipstaff::crash
