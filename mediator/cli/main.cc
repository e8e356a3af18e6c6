// tipstaff: the mediator and the commands around it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/base/crash_point.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/exit_code.h"

namespace {

// A word where a command should stand, or "": CLI11 says only that a command is required.
std::string UnknownCommand(const CLI::App& program) {
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  if (app->get_require_subcommand_min() == 0) return "";
  const std::vector<std::string> words = program.remaining(/*recurse=*/true);
  return words.empty() ? "" : words.front();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tipstaff::cli;
  std::signal(SIGPIPE, SIG_IGN);
  if (tipstaff::base::ListCrashPoints()) return kOk;
  CLI::App program(
      "tipstaff - the one door between an AI agent and everything it may act on\n\n"
      "Tipstaff decides each tool call against permission schemas, records the decision, routes\n"
      "what is permitted, and lets no write follow the submitted result.",
      "tipstaff");
  program.set_version_flag("--version", "tipstaff " TIPSTAFF_VERSION);
  program.require_subcommand(1);
  // What follows `--` is another program's: none of it is an option of this one.
  // Of `exec` alone.
  const bool runs = argc > 1 && absl::string_view(argv[1]) == "exec";
  char** const dashes = std::find_if(argv, argv + argc, [runs](const char* argument) {
    return runs && absl::string_view(argument) == "--";
  });
  const std::vector<std::string> to_run(std::min(dashes + 1, argv + argc), argv + argc);
  for (char** argument = argv + 1; argument < dashes; ++argument) {
    if (tipstaff::base::IsUtf8(*argument)) continue;
    std::fprintf(stderr,
                 "tipstaff: the argument `%s` is not UTF-8, in which everything is recorded\n",
                 tipstaff::base::Escape(*argument).c_str());
    return kInvalidInput;
  }
  int exit_code = kOk;
  AddServe(program, exit_code);
  AddExec(program, to_run, exit_code);
  AddRun(program, exit_code);
  AddCall(program, exit_code);
  AddApproval(program, exit_code);
  AddLog(program, exit_code);
  AddShow(program, exit_code);
  AddWhy(program, exit_code);
  AddVerify(program, exit_code);
  AddCheckpoint(program, exit_code);
  AddKeys(program, exit_code);
  AddCheck(program, exit_code);
  AddTest(program, exit_code);
  AddInit(program, exit_code);
  AddStub(program, exit_code);
  AddUpstream(program, exit_code);
  AddConnect(program, exit_code);
  AddDoctor(program, exit_code);
  // Last, as each command would inherit it.
  program.footer(
      "Exit codes: 0 ok, 1 findings, 2 invalid input, 3 integrity failure, 4 indeterminate,\n"
      "5 could not run.\n\n"
      "Example:\n  tipstaff exec --skill report-triage --bind report_id=rep_demo0001 --bind "
      "tenant=acme -- CMD");
  try {
    program.parse(static_cast<int>(dashes - argv), argv);
  } catch (const CLI::ParseError& error) {
    const std::string word = UnknownCommand(program);
    if (error.get_exit_code() != 0 && !word.empty()) {
      std::fprintf(stderr, "tipstaff: there is no command `%s`; --help lists them\n",
                   tipstaff::base::Escape(word).c_str());
      return kInvalidInput;
    }
    return program.exit(error) == 0 ? kOk : kInvalidInput;
  }
  return exit_code;
}
