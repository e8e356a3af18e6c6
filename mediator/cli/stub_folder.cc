#include "mediator/cli/stub_folder.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/cli/bindings.h"
#include "mediator/config/folders.h"
#include "mediator/json/parse.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kFile[] = "stub.yaml";

std::string Show(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, 120), "`");
}

std::string ParentOf(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

absl::StatusOr<std::string> FindStubFolder(const Settings& settings, const std::string& text) {
  std::error_code ignored;
  const fs::path path(text);
  if (text.empty()) return absl::InvalidArgumentError("a stub is a folder or a name, not \"\"");
  if (fs::exists(path / kFile, ignored)) return text;
  if (path.filename() == kFile && fs::is_regular_file(path, ignored)) return ParentOf(text);
  const bool is_folder = fs::is_directory(path, ignored);
  if (absl::StrContains(text, '/') || text == "." || text == "..") {
    return absl::NotFoundError(is_folder
                                   ? absl::StrCat("there is no stub.yaml in ", Show(text),
                                                  ": `tipstaff stub new NAME` begins a stub")
                                   : absl::StrCat("there is no folder ", Show(text),
                                                  ": give a stub's folder, or its name alone"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const config::Config config, LoadConfig(settings));
  const absl::StatusOr<std::string> found = config::FindStub(config, text);
  if (found.ok()) return ParentOf(*found);
  if (is_folder && absl::IsNotFound(found.status())) {
    return absl::NotFoundError(absl::StrCat("there is no stub.yaml in the folder ", Show(text),
                                            ", and ", found.status().message()));
  }
  return found.status();
}

LoadedFolder LoadStubFolder(const std::string& folder) {
  LoadedFolder loaded;
  absl::StatusOr<engine::StubFiles> files = engine::ReadStubFiles(folder);
  if (!files.ok()) {
    // Files that cannot be read are input, too.
    loaded.problem = absl::InvalidArgumentError(files.status().message());
    return loaded;
  }
  source::Diagnostics diagnostics;
  loaded.stub = engine::Stub::Load(*std::move(files), diagnostics);
  loaded.diagnostics = source::RenderText(diagnostics);
  if (loaded.stub == nullptr) {
    loaded.problem = absl::InvalidArgumentError(
        absl::StrCat("the stub in ", Show(folder), " does not check; see above"));
  }
  return loaded;
}

void AddStubOptions(CLI::App& command, StubOptions& options) {
  options.seed = engine::kTestSeed;
  AddConfigOption(command, options.settings);
  command
      .add_option("stub", options.stub,
                  "a stub's folder, or the name of one in the configuration's stub folders")
      ->required()
      ->type_name("STUB");
  command
      .add_option("--seed", options.seed,
                  "fixes clock, ids, chance and faults (default: that of tests, `test`)")
      ->type_name("TEXT");
  command.add_option("--bind", options.bindings, kBindHelp)->type_name("NAME=VALUE");
}

absl::StatusOr<OpenedStub> OpenStub(const StubOptions& options) {
  OpenedStub opened;
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string bindings, BindingsJson(options.bindings));
  TIPSTAFF_ASSIGN_OR_RETURN(opened.bindings, json::Parse(bindings));
  TIPSTAFF_ASSIGN_OR_RETURN(opened.folder, FindStubFolder(options.settings, options.stub));
  LoadedFolder loaded = LoadStubFolder(opened.folder);
  std::fputs(loaded.diagnostics.c_str(), stderr);
  if (!loaded.problem.ok()) return loaded.problem;
  opened.stub = std::move(loaded.stub);
  return opened;
}

}  // namespace tipstaff::cli
