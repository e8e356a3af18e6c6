#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/new_stub.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/shell_word.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

// Where `tipstaff init` writes it, as seen from a stub in the same folder.
constexpr char kSchema[] = "../../schemas/json/stub.schema.json";

struct Options {
  std::string name, into = "stubs";
};

ExitCode StubNew(const Options& options) {
  const std::string folder = (fs::path(options.into) / options.name).string();
  std::error_code ignored;
  const bool has_schema =
      fs::exists(fs::path(options.into) / ".." / "schemas" / "json" / "stub.schema.json", ignored);
  const absl::StatusOr<std::vector<NewFile>> files =
      MakeStub(options.name, ShellWord(folder), has_schema ? kSchema : "");
  if (!files.ok()) return Fail(files.status());
  if (fs::exists(fs::symlink_status(folder, ignored))) {
    return Fail(absl::InvalidArgumentError(absl::StrCat(
        "`", base::Escape(folder),
        "` is already there, and nothing was written: choose another name or --into")));
  }
  const absl::StatusOr<std::vector<std::string>> written = WriteFiles(folder, *files);
  if (!written.ok()) return Fail(written.status());
  for (const std::string& path : *written) std::printf("wrote %s\n", base::Escape(path).c_str());
  const std::string word = ShellWord(folder);
  std::printf(
      "\nnext:\n\n  tipstaff stub test %s\n"
      "  tipstaff stub call %s add_note '{\"item_id\":\"item_0001\",\"text\":\"seen\"}'\n"
      "  tipstaff stub dev %s\n\n"
      "at the prompt of the last: `close_item item_id=item_0002 reason=done`; then save a change "
      "of\n"
      "close_item.lua and see what differs. stub.yaml says what else there is\n",
      word.c_str(), word.c_str(), word.c_str());
  return kOk;
}

}  // namespace

void AddStubNew(CLI::App& stub, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = stub.add_subcommand(
      "new", "begin a stub: a folder with one of everything, that passes its own tests");
  command->add_option("name", options->name, "of the stub and its folder")
      ->required()
      ->type_name("NAME");
  command->add_option("--into", options->into, "where its folder goes (default: stubs)")
      ->type_name("FOLDER");
  command->footer(
      "No file is overwritten.\n\nExamples:\n  tipstaff stub new orders\n"
      "  tipstaff stub new orders --into test-systems");
  command->callback([options, &exit_code] { exit_code = StubNew(*options); });
}

}  // namespace tipstaff::cli
