#include "mediator/cli/settings.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kConfigName[] = "tipstaff.yaml";

std::string EnvironmentOr(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::string StateFolder() {
  const std::string home = EnvironmentOr("HOME", "/root");
  return absl::StrCat(EnvironmentOr("XDG_STATE_HOME", absl::StrCat(home, "/.local/state")),
                      "/tipstaff");
}

std::string ShareFolder() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path().parent_path() / "share" / "tipstaff").string();
}

}  // namespace

ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kOk;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kOutOfRange:
      return kInvalidInput;
    case absl::StatusCode::kDataLoss:
      return kIntegrity;
    default:
      return kCouldNotRun;
  }
}

void AddConfigOption(CLI::App& command, Settings& settings) {
  command
      .add_option("--config", settings.config,
                  "the configuration file (default: $TIPSTAFF_CONFIG, then ./tipstaff.yaml, then "
                  "built-in defaults with state below ~/.local/state/tipstaff)")
      ->type_name("FILE");
}

void AddFormatOption(CLI::App& command, Settings& settings) {
  command.add_option("--format", settings.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("");
}

absl::StatusOr<config::Config> LoadConfig(const Settings& settings) {
  std::string path = settings.config;
  if (path.empty()) path = EnvironmentOr("TIPSTAFF_CONFIG", "");
  if (path.empty() && fs::exists(kConfigName)) path = kConfigName;
  if (path.empty()) {
    const std::string state = StateFolder();
    std::error_code error;
    fs::create_directories(state, error);
    if (error) {
      return base::ErrnoToStatus(error.value(), absl::StrCat("cannot make `", state, "`"));
    }
    return config::Defaults(state, ShareFolder());
  }
  source::Diagnostics diagnostics;
  std::optional<config::Config> config = config::Load(path, diagnostics);
  if (!diagnostics.empty()) std::fputs(source::RenderText(diagnostics).c_str(), stderr);
  if (!config) {
    return absl::InvalidArgumentError(absl::StrCat("`", path, "` does not check; see above"));
  }
  return *std::move(config);
}

ExitCode Fail(const absl::Status& status) {
  std::fprintf(stderr, "tipstaff: %s\n", std::string(status.message()).c_str());
  return ExitCodeOf(status);
}

}  // namespace tipstaff::cli
