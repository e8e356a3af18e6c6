// `tipstaff stub`: what authors of stubs use.
#include <CLI/CLI.hpp>

#include "mediator/cli/commands.h"

namespace tipstaff::cli {

void AddStub(CLI::App& program, int& exit_code) {
  CLI::App* stub = program.add_subcommand("stub", "begin, try out, test and record stubs");
  stub->require_subcommand(1);
  stub->footer(
      "Examples:\n  tipstaff stub new orders\n  tipstaff stub dev stubs/orders\n"
      "  tipstaff stub test stubs/orders");
  AddStubNew(*stub, exit_code);
  AddStubDev(*stub, exit_code);
  AddStubCall(*stub, exit_code);
  AddStubTest(*stub, exit_code);
  AddStubRecord(*stub, exit_code);
  AddStubExport(*stub, exit_code);
}

}  // namespace tipstaff::cli
