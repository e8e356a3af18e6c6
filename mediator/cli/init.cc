#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "mediator/base/escape.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/shell_word.h"
#include "mediator/cli/working_folder.h"

namespace tipstaff::cli {
namespace {

struct Options {
  std::string folder = ".";
  std::string name = "first-skill";
  std::string stub = "reports";
};

ExitCode Init(const Options& options) {
  const absl::StatusOr<WorkingFolder> made = MakeWorkingFolder(options.name, options.stub);
  if (!made.ok()) return Fail(made.status());
  const absl::StatusOr<std::vector<std::string>> written = WriteFiles(options.folder, made->files);
  if (absl::IsAlreadyExists(written.status())) {
    Fail(written.status());
    return kInvalidInput;
  }
  if (!written.ok()) return Fail(written.status());
  for (const std::string& path : *written) std::printf("wrote %s\n", base::Escape(path).c_str());
  if (written->empty()) std::printf("all of it was there already\n");
  std::printf("\nnext (the last one while `serve` runs, in another terminal of the folder):\n\n");
  if (options.folder != ".") std::printf("  cd -- %s\n", ShellWord(options.folder).c_str());
  std::printf("  tipstaff check && tipstaff test\n  tipstaff serve\n");
  std::printf("  tipstaff run open --skill %s --bind %s\n", options.name.c_str(),
              made->binding.c_str());
  return kOk;
}

}  // namespace

void AddInit(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "init", "begin a folder: a configuration, a skill with comments and tests, a stub");
  command->add_option("folder", options->folder, "made when it is not there (default: this one)")
      ->type_name("[FOLDER]");
  command->add_option("--name", options->name, "of the skill (default: first-skill)")
      ->type_name("NAME");
  command
      ->add_option("--stub", options->stub,
                   "the system that the skill uses: `reports`, which is copied, or the name of a "
                   "small new stub (default: reports)")
      ->type_name("NAME");
  command->footer(
      "No file is overwritten. JSON Schemas for editors are written too.\n\nExamples:\n"
      "  tipstaff init triage\n  tipstaff init --name order-notes --stub orders shop");
  command->callback([options, &exit_code] { exit_code = Init(*options); });
}

}  // namespace tipstaff::cli
