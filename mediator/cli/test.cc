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
#include "mediator/base/file.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/junit.h"
#include "mediator/cli/settings.h"
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

ExitCode Test(const Options& options) {
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  const absl::StatusOr<std::vector<UserFile>> files = FindUserFiles(*config, options.files);
  if (!files.ok()) return Fail(files.status());
  const absl::StatusOr<std::vector<TestedFile>> tested =
      RunTests(*config, *files, base::SystemClock());
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
  if (tests == 0) return Fail(absl::NotFoundError("there are no tests in these files"));
  const size_t idle = CountIdle(*tested, options.demand());
  if (idle > 0) {
    std::fprintf(stderr, "tipstaff: the tests do not exercise %zu of the %s\n", idle,
                 options.demand() == Demand::kRules ? "permissions and deny rules"
                                                    : "permissions, deny rules and constraints");
  }
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
      ->add_flag("--require-coverage{all}", options->coverage,
                 "exit with 1 also when no test exercises some permission, deny rule or "
                 "constraint; =rules leaves the constraints out")
      ->check(CLI::IsMember({"all", "rules"}));
  command->footer(
      "A permission is exercised by a test that it allows, a deny rule by one that it denies, a "
      "constraint by one that fails at it.\n\nExamples:\n"
      "  tipstaff test policies/report-triage\n"
      "  tipstaff test --require-coverage=rules --junit results.xml");
  command->callback([options, &exit_code] { exit_code = Test(*options); });
}

}  // namespace tipstaff::cli
