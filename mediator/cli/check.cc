#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/user_files.h"
#include "mediator/config/codes.h"
#include "mediator/host/granting.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/skill.h"
#include "mediator/source/codes.h"
#include "mediator/source/read.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/stub.h"
#include "stubs/engine/tool_file.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::vector<std::string> files;
  std::string explain;
  bool strict = false;
};

std::string Counted(size_t number, absl::string_view noun) {
  return absl::StrCat(number, " ", noun, number == 1 ? "" : "s");
}

ExitCode Explain(const std::string& code) {
  const source::ExplanationTable tables[] = {
      source::YamlExplanations(), config::ConfigExplanations(), policy::PolicyExplanations(),
      engine::StubExplanations()};
  const source::Explanation* found = source::FindExplanation(code, tables);
  if (found == nullptr) {
    return Fail(absl::InvalidArgumentError(
        absl::StrCat("there is no code `", code, "`; codes look like P012, S003, Y009 or C001")));
  }
  std::printf("%s", source::RenderExplanation(*found).c_str());
  return kOk;
}

// What is wrong with a configuration and the files of tools that it names.
void CheckConfig(const std::string& path, source::Diagnostics& found) {
  const std::optional<config::Config> config = config::Load(path, found);
  if (!config) return;
  for (const config::TestSystem& system : config->test_systems) {
    const std::shared_ptr<const source::File> tools = source::ReadSource(system.tools, found);
    if (tools != nullptr) engine::LoadToolFile(tools, found);
  }
}

// What is wrong with one file, added to `found`.
absl::Status CheckFile(const UserFile& file, const policy::Catalog& catalog,
                       source::Diagnostics& found) {
  if (file.kind == UserFile::Kind::kConfig) {
    CheckConfig(file.path, found);
    return absl::OkStatus();
  }
  if (file.kind == UserFile::Kind::kStub) {
    absl::StatusOr<engine::StubFiles> files = engine::ReadStubFiles(file.folder());
    if (!files.ok()) return files.status();
    engine::Stub::Load(*std::move(files), found);
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> text = base::ReadFile(file.path);
  if (!text.ok()) return text.status();
  policy::LoadSkill(std::make_shared<source::File>(source::File{file.path, *std::move(text)}),
                    catalog, found);
  return absl::OkStatus();
}

ExitCode Check(const Options& options) {
  if (!options.explain.empty()) return Explain(options.explain);
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  const absl::StatusOr<std::vector<UserFile>> files = FindUserFiles(*config, options.files);
  if (!files.ok()) return Fail(files.status());
  const backend::Catalog catalog = host::DiskCatalog(*config);
  source::Diagnostics found;
  for (const UserFile& file : *files) {
    if (const absl::Status checked = CheckFile(file, catalog, found); !checked.ok()) {
      return Fail(checked);
    }
  }
  const size_t errors =
      std::count_if(found.begin(), found.end(), [](const source::Diagnostic& diagnostic) {
        return diagnostic.severity == source::Severity::kError;
      });
  if (options.settings.json()) {
    std::printf("%s\n", source::RenderJson(found).c_str());
  } else {
    std::printf("%s", source::RenderText(found, ::isatty(STDOUT_FILENO) != 0).c_str());
    std::printf("%s, %s, %s\n", Counted(files->size(), "file").c_str(),
                Counted(errors, "error").c_str(),
                Counted(found.size() - errors, "warning").c_str());
  }
  return errors > 0 || (options.strict && !found.empty()) ? kFindings : kOk;
}

}  // namespace

void AddCheck(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "check", "check skills, stubs and the configuration; exits with 1 when one has an error");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command
      ->add_option("files", options->files,
                   "files or folders (default: all that the configuration leads to)")
      ->type_name("[FILE]...");
  command->add_option("--explain", options->explain, "say what a diagnostic's code means")
      ->type_name("CODE");
  command->add_flag("--strict", options->strict, "exit with 1 also for warnings");
  command->footer(
      "What is printed, also as JSON, is described in docs/policy-language.md.\n\n"
      "Examples:\n  tipstaff check policies\n  tipstaff check --strict\n"
      "  tipstaff check --explain P012");
  command->callback([options, &exit_code] { exit_code = Check(*options); });
}

}  // namespace tipstaff::cli
