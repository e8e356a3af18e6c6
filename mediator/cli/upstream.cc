// `tipstaff upstream`: MCP servers as test systems: what is pinned of them, and who signs.
#include <CLI/CLI.hpp>

#include "mediator/cli/commands.h"

namespace tipstaff::cli {

void AddUpstream(CLI::App& program, int& exit_code) {
  CLI::App* upstream = program.add_subcommand("upstream", "pin, compare and approve MCP servers");
  upstream->require_subcommand(1);
  upstream->footer(
      "A server takes calls once it is pinned and its owner has signed for it.\n\n"
      "Examples:\n  tipstaff upstream list\n  tipstaff upstream pin tickets\n"
      "  tipstaff upstream approve tickets --as dana --sign-with ~/my-keys --until 2027-06-30");
  AddUpstreamList(*upstream, exit_code);
  AddUpstreamPin(*upstream, exit_code);
  AddUpstreamDiff(*upstream, exit_code);
  AddUpstreamApprove(*upstream, exit_code);
}

}  // namespace tipstaff::cli
