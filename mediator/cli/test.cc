#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/junit.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/stub_folder.h"
#include "mediator/cli/tested_file.h"

namespace tipstaff::cli {
namespace {

bool IsStandardOutput(const std::string& path) {
  struct stat out, file;
  return ::fstat(STDOUT_FILENO, &out) == 0 && ::stat(path.c_str(), &file) == 0 &&
         out.st_dev == file.st_dev && out.st_ino == file.st_ino;
}

// A file is replaced as a whole; anything else (a pipe, a device) is written into, and what
// standard output leads to goes on.
absl::Status WriteTo(const std::string& path, absl::string_view content) {
  if (IsStandardOutput(path)) {
    std::fwrite(content.data(), 1, content.size(), stdout);
    return absl::OkStatus();
  }
  std::error_code error;
  const auto kind = std::filesystem::symlink_status(path, error).type();
  if (kind == std::filesystem::file_type::not_found ||
      kind == std::filesystem::file_type::regular) {
    return base::WriteFile(path, content);
  }
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (out) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write `", path, "`"));
}

struct Options {
  Settings settings;
  std::vector<std::string> files;
  std::string junit;
  std::string coverage;  // "", "rules" or "all"
  bool stubs = false;    // `stub test`: stubs alone, also by their names
  std::string only;      // of stubs' tests: those with this in their name

  Demand demand() const {
    if (coverage.empty()) return Demand::kNothing;
    return coverage == "rules" ? Demand::kRules : Demand::kAll;
  }
};

// Says that a file does not check; OK when all do.
absl::Status FirstError(const std::vector<TestedFile>& tested) {
  absl::Status first;
  for (const TestedFile& file : tested) {
    if (file.error.empty()) continue;
    std::fputs(file.error.c_str(), stderr);
    if (!first.ok()) continue;
    first = absl::InvalidArgumentError(
        absl::StrCat("`", file.file.path, "` does not check, so its tests cannot run"));
  }
  return first;
}

// The files to test. A stub is a folder, its stub.yaml, a name, or a folder of stubs.
absl::StatusOr<std::vector<UserFile>> FindFiles(const config::Config& config,
                                                const Options& options) {
  if (!options.stubs) return FindUserFiles(config, options.files);
  std::vector<UserFile> stubs;
  const auto add = [&stubs](std::vector<UserFile> files) {
    for (UserFile& file : files) {
      if (file.kind == UserFile::Kind::kStub) stubs.push_back(std::move(file));
    }
  };
  for (const std::string& named : options.files) {
    const absl::StatusOr<std::string> folder = FindStubFolder(options.settings, named);
    if (folder.ok()) {
      const std::string path = (std::filesystem::path(*folder) / "stub.yaml").string();
      stubs.push_back({UserFile::Kind::kStub, path});
      continue;
    }
    std::error_code ignored;
    if (!std::filesystem::is_directory(named, ignored)) return folder.status();
    TIPSTAFF_ASSIGN_OR_RETURN(std::vector<UserFile> files, FindUserFiles(config, {named}));
    add(std::move(files));
  }
  if (options.files.empty()) {
    TIPSTAFF_ASSIGN_OR_RETURN(std::vector<UserFile> files, FindUserFiles(config, {}));
    add(std::move(files));
  }
  if (!stubs.empty()) return stubs;
  return absl::NotFoundError(
      "there are no stubs: name a folder, or list folders under `stubs` in the configuration");
}

// What coverage was asked for is not there.
void SayIdle(size_t idle, const Options& options) {
  const char* what = options.stubs                        ? "tools, errors and faults"
                     : options.demand() == Demand::kRules ? "permissions and deny rules"
                                                          : "permissions, deny rules and "
                                                            "constraints, tools, errors and faults";
  std::fprintf(stderr, "tipstaff: the tests do not exercise %zu of the %s\n", idle, what);
}

ExitCode Test(const Options& options) {
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  const absl::StatusOr<std::vector<UserFile>> files = FindFiles(*config, options);
  if (!files.ok()) return Fail(files.status());
  const absl::StatusOr<std::vector<TestedFile>> tested =
      RunTests(*config, *files, options.only, base::SystemClock());
  if (!tested.ok()) return Fail(tested.status());
  if (!options.junit.empty()) {
    const absl::Status written = WriteTo(options.junit, RenderJunit(*tested));
    if (!written.ok()) return Fail(written);
  }
  if (const absl::Status error = FirstError(*tested); !error.ok()) return Fail(error);
  size_t tests = 0, failed = 0;
  for (const TestedFile& file : *tested) {
    tests += file.tests.size();
    failed += std::count_if(file.tests.begin(), file.tests.end(),
                            [](const Tested& test) { return !test.passed(); });
  }
  if (options.settings.json()) {
    std::printf("%s\n", RenderResultsAsJson(*tested).c_str());
  } else {
    std::printf("%s", RenderResults(*tested).c_str());
  }
  if (tests == 0) {
    return Fail(absl::NotFoundError(
        options.only.empty()
            ? "there are no tests in these files"
            : absl::StrCat("no test has `", base::EscapeAndCut(options.only, 60),
                           "` in its name: without --only all are run, with their names")));
  }
  const size_t idle = CountIdle(*tested, options.demand());
  if (idle > 0) SayIdle(idle, options);
  return failed > 0 || idle > 0 ? kFindings : kOk;
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
  command->add_option("--junit", options->junit, "write the results as JUnit XML too, for CI")
      ->type_name("FILE");
  command
      ->add_flag(
          "--require-coverage{all}", options->coverage,
          "exit with 1 also when no test exercises some permission, deny rule or "
          "constraint, or some tool, error or fault of a stub; =rules leaves the constraints "
          "and stubs out")
      ->check(CLI::IsMember({"all", "rules"}));
  command->footer(
      "A permission is exercised by a test that it allows, a deny rule by one that it denies, a "
      "constraint by one that fails at it.\n\nExamples:\n"
      "  tipstaff test policies/report-triage\n"
      "  tipstaff test --require-coverage=rules --junit results.xml");
  command->callback([options, &exit_code] { exit_code = Test(*options); });
}

void AddStubTest(CLI::App& stub, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->stubs = true;
  CLI::App* command = stub.add_subcommand(
      "test", "run stubs' tests, and say what they do not reach; exits with 1 when one fails");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command
      ->add_option("stubs", options->files,
                   "folders, or names in the configuration's stub folders (default: all of those)")
      ->type_name("[STUB]...");
  CLI::Option* only =
      command->add_option("--only", options->only, "the tests that have this text in their name");
  only->type_name("TEXT")->check([](const std::string& text) {
    return text.empty() ? std::string("is empty") : std::string();
  });
  command->add_option("--junit", options->junit, "write the results as JUnit XML too, for CI")
      ->type_name("FILE");
  command
      ->add_flag("--require-coverage{all}", options->coverage,
                 "exit with 1 also when no test reaches some tool, error or fault")
      ->check(CLI::IsMember({"all"}))
      ->excludes(only);
  command->footer(
      "A tool is reached by a call of a test that passes, an error (of rows, or of ctx.fail in a\n"
      "script) by one that it answers, a fault by one that it applies to. The form of tests is in\n"
      "docs/stubs.md.\n\nExamples:\n"
      "  tipstaff stub test stubs/orders --require-coverage\n"
      "  tipstaff stub test mailbox --only 'is captured' --junit results.xml");
  command->callback([options, &exit_code] { exit_code = Test(*options); });
}

}  // namespace tipstaff::cli
