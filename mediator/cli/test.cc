#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/user_files.h"
#include "mediator/host/granting.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/policy/skill.h"
#include "mediator/policy/skill_tests.h"
#include "stubs/engine/stub_tests.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::vector<std::string> files;
};

struct Result {
  std::string file, name, message;
  bool passed = false;
};

absl::StatusOr<std::vector<Result>> TestSkill(const UserFile& file,
                                              const policy::Catalog& catalog) {
  absl::StatusOr<std::string> text = base::ReadFile(file.path);
  if (!text.ok()) return text.status();
  source::Diagnostics diagnostics;
  const auto skill =
      policy::LoadSkill(std::make_shared<source::File>(source::File{file.path, *std::move(text)}),
                        catalog, diagnostics);
  if (skill == nullptr) {
    std::fputs(source::RenderText(diagnostics).c_str(), stderr);
    return absl::InvalidArgumentError(
        absl::StrCat("`", file.path, "` does not check, so its tests cannot run"));
  }
  std::vector<Result> results;
  for (policy::TestResult& test : policy::RunTests(skill, catalog)) {
    results.push_back({absl::StrCat(test.file, ":", test.line), std::move(test.name),
                       std::move(test.message), test.passed});
  }
  return results;
}

absl::StatusOr<std::vector<Result>> TestStub(const UserFile& file) {
  absl::StatusOr<std::vector<engine::TestResult>> tests = engine::RunTests(file.folder());
  if (!tests.ok()) return tests.status();
  std::vector<Result> results;
  for (engine::TestResult& test : *tests) {
    results.push_back({file.folder(), std::move(test.name), std::move(test.message), test.passed});
  }
  return results;
}

void PrintJson(const std::vector<Result>& results) {
  json::Builder b;
  b.StartArray();
  for (const Result& result : results) {
    b.StartObject().Field("file", result.file).Field("name", result.name);
    b.Field("passed", result.passed);
    if (!result.passed) b.Field("message", result.message);
    b.EndObject();
  }
  b.EndArray();
  const absl::StatusOr<json::Document> document = std::move(b).Build();
  if (document.ok()) std::printf("%s\n", json::Dump(document->root()).c_str());
}

ExitCode Test(const Options& options) {
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  const absl::StatusOr<std::vector<UserFile>> files = FindUserFiles(*config, options.files);
  if (!files.ok()) return Fail(files.status());
  const backend::Catalog catalog = host::DiskCatalog(*config);
  std::vector<Result> results;
  for (const UserFile& file : *files) {
    if (file.kind == UserFile::Kind::kConfig) continue;
    absl::StatusOr<std::vector<Result>> more =
        file.kind == UserFile::Kind::kSkill ? TestSkill(file, catalog) : TestStub(file);
    if (!more.ok()) return Fail(more.status());
    results.insert(results.end(), more->begin(), more->end());
  }
  size_t failed = 0;
  for (const Result& result : results) failed += result.passed ? 0 : 1;
  if (options.settings.json()) {
    PrintJson(results);
  } else {
    for (const Result& result : results) {
      std::printf("%s  %s: %s\n", result.passed ? "ok  " : "FAIL", result.file.c_str(),
                  result.name.c_str());
      if (!result.passed) std::printf("%s\n", result.message.c_str());
    }
    std::printf("%zu passed, %zu failed\n", results.size() - failed, failed);
  }
  if (results.empty()) {
    return Fail(absl::NotFoundError("there are no tests in these files"));
  }
  return failed > 0 ? kFindings : kOk;
}

}  // namespace

void AddTest(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "test", "run the tests that skills and stubs carry; exits with 1 when one fails");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command
      ->add_option("files", options->files,
                   "files or folders (default: all that the configuration leads to)")
      ->type_name("[FILE]...");
  command->footer("Example:\n  tipstaff test policies/report-triage");
  command->callback([options, &exit_code] { exit_code = Test(*options); });
}

}  // namespace tipstaff::cli
