#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "mediator/cli/commands.h"
#include "mediator/cli/settings.h"
#include "mediator/host/server.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string log_level = "info";
};

// Each run takes a listener and, once its guest comes, two descriptors for its gate: a thousand
// runs need more than the 1024 that a login shell allows. Gates set limits of their own.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

ExitCode Serve(const Options& options) {
  RaiseDescriptorLimit();
  spdlog::set_default_logger(spdlog::stderr_logger_mt("tipstaff"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  spdlog::set_level(spdlog::level::from_str(options.log_level));
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  absl::StatusOr<std::unique_ptr<host::Server>> server = host::Server::Create(*config, {});
  if (!server.ok()) return Fail(server.status());
  spdlog::info("ready: admin socket {}, ledger {}", config->admin_socket, config->ledger);
  (*server)->Run();
  spdlog::info("ends; open runs go on when the mediator is started again");
  return kOk;
}

}  // namespace

void AddServe(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("serve", "run the mediator until it is interrupted");
  AddConfigOption(*command, options->settings);
  command->add_option("--log-level", options->log_level, "debug, info, warn or error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->type_name("");
  command->footer("Example:\n  tipstaff serve --config tipstaff.yaml");
  command->callback([options, &exit_code] { exit_code = Serve(*options); });
}

}  // namespace tipstaff::cli
