#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "mediator/cli/admin_client.h"
#include "mediator/cli/bindings.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/confine.h"
#include "mediator/cli/guest_beside.h"
#include "mediator/cli/run_command.h"
#include "mediator/cli/run_info.h"
#include "mediator/cli/settings.h"
#include "mediator/config/hidden_paths.h"
#include "mediator/confine/places.h"
#include "mediator/host/server.h"
#include "mediator/review/print.h"
#include "mediator/review/timeline.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;
namespace proto = admin::v1;

struct Options {
  Settings settings;
  std::vector<std::string> skills, bindings, canaries, command;
  std::string time, work, unconfined, network;
};

// A mediator in this process, for as long as this lives.
class EmbeddedServer {
 public:
  static absl::StatusOr<std::unique_ptr<EmbeddedServer>> Start(const config::Config& config) {
    TIPSTAFF_ASSIGN_OR_RETURN(
        auto server, host::Server::Create(config, {.gate_program = "", .handle_signals = false}));
    return std::unique_ptr<EmbeddedServer>(new EmbeddedServer(std::move(server)));
  }
  ~EmbeddedServer() {
    server_->Stop();
    thread_.join();
  }

 private:
  explicit EmbeddedServer(std::unique_ptr<host::Server> server)
      : server_(std::move(server)), thread_([this] { server_->Run(); }) {}
  std::unique_ptr<host::Server> server_;
  std::thread thread_;
};

// A folder of its own for the command, removed afterwards.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_(fs::temp_directory_path() / absl::StrCat("tipstaff-exec-", base::RandomText(10))) {
    fs::create_directory(path_);
    fs::permissions(path_, fs::perms::owner_all);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  const fs::path path_;
};

absl::StatusOr<proto::OpenRunReply> OpenRun(AdminClient& client, const Options& options) {
  proto::Request request;
  proto::OpenRunRequest& open = *request.mutable_open_run();
  for (const std::string& skill : options.skills) open.add_skills(skill);
  TIPSTAFF_ASSIGN_OR_RETURN(*open.mutable_bindings_json(), BindingsJson(options.bindings));
  if (!options.time.empty()) {
    TIPSTAFF_ASSIGN_OR_RETURN(const absl::Duration time, base::ParseDuration(options.time));
    open.set_time_limit_ms(absl::ToInt64Milliseconds(time));
  }
  for (const std::string& planted : options.canaries) open.add_canaries(planted);
  open.set_unconfined(options.unconfined);
  open.set_network(options.network);
  proto::Reply reply;
  TIPSTAFF_RETURN_IF_ERROR(client.Ask(request, reply));
  return reply.open_run();
}

// What no command may see, or write so that a later run is permitted more.
std::vector<std::string> OperatorsOwn(const config::Config& config) {
  std::vector<std::string> paths = config::HiddenPaths(config);
  if (!config.path.empty()) paths.push_back(config.path);
  if (config.firecracker) paths.push_back(config.firecracker->dir);
  paths.insert(paths.end(), config.policies.begin(), config.policies.end());
  paths.insert(paths.end(), config.stubs.begin(), config.stubs.end());
  for (const std::string& shipped : {config.shipped_policies, config.shipped_stubs}) {
    if (!shipped.empty()) paths.push_back(shipped);
  }
  for (const config::TestSystem& system : config.test_systems) paths.push_back(system.tools);
  for (const config::McpServer& server : config.mcp_servers) {
    paths.push_back(server.pins);
    paths.push_back(server.sign_off);
  }
  return paths;
}

// Why the command could not be run as asked; before a run is opened for it.
absl::Status CheckPlaces(const Options& options, const config::Config& config) {
  if (!options.unconfined.empty()) return absl::OkStatus();
  TIPSTAFF_RETURN_IF_ERROR(confine::CheckHidden(config::HiddenPaths(config)));
  return options.work.empty() ? absl::OkStatus()
                              : CheckWorkFolder(options.work, OperatorsOwn(config));
}

// The agent's program, confined or not.
absl::StatusOr<int> RunCommand(const Options& options, const proto::OpenRunReply& opened) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string guest, GuestBeside());
  if (!options.unconfined.empty()) {
    Command command{options.command, {}, /*inherits_descriptors=*/true};
    for (char** variable = environ; *variable != nullptr; ++variable) {
      // Of two of one name, programs do not agree on which counts.
      if (absl::StartsWith(*variable, "TIPSTAFF_SOCKET=") ||
          absl::StartsWith(*variable, "TIPSTAFF_TOKEN_FILE=")) {
        continue;
      }
      command.environment.emplace_back(*variable);
    }
    command.environment.push_back(absl::StrCat("TIPSTAFF_SOCKET=", opened.socket_path()));
    command.environment.push_back(absl::StrCat("TIPSTAFF_TOKEN_FILE=", opened.token_path()));
    return RunAndWait(command);
  }
  std::unique_ptr<ScratchFolder> scratch;
  std::string work = options.work;
  if (work.empty()) {
    scratch = std::make_unique<ScratchFolder>();
    work = scratch->path();
  }
  TIPSTAFF_ASSIGN_OR_RETURN(
      const Command confined,
      Confined({opened.socket_path(), opened.token_path(), guest, work, !options.network.empty()},
               options.command));
  return RunAndWait(confined);
}

// On standard error: standard output is the command's.
absl::Status PrintSummary(const config::Config& config, const proto::RunInfo& info) {
  TIPSTAFF_ASSIGN_OR_RETURN(const auto reader, ledger::Reader::Open(config.ledger));
  review::Timeline timeline(*reader, info.run(), ledger::Reader::Payload::kLeave);
  std::fprintf(stderr, "\n%s\n", review::TableHeading().c_str());
  for (;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<review::Row> rows, timeline.Next());
    if (rows.empty()) break;
    for (const review::Row& row : rows) {
      std::fprintf(stderr, "%s\n", review::TableLine(row).c_str());
    }
  }
  std::fprintf(stderr, "\n%s: %llu decisions, %s; result %s; closed\nledger %s\n",
               info.run().c_str(), static_cast<unsigned long long>(info.decisions()),
               Verdicts(info).c_str(), info.result().c_str(), config.ledger.c_str());
  return absl::OkStatus();
}

absl::StatusOr<int> ExecIn(AdminClient& client, const Options& options,
                           const config::Config& config) {
  const SignalsToCommand relaying;  // from here on the run is closed whatever comes
  TIPSTAFF_ASSIGN_OR_RETURN(const proto::OpenRunReply opened, OpenRun(client, options));
  const absl::StatusOr<int> status = RunCommand(options, opened);
  proto::Request request;
  request.mutable_close_run()->set_run(opened.run());
  request.mutable_close_run()->set_reason(status.ok()
                                              ? absl::StrCat("the command exited with ", *status)
                                              : "the command did not start");
  proto::Reply reply;
  const absl::Status closed = client.Ask(request, reply);
  if (!status.ok()) return status;
  // The run may have expired meanwhile; that is no failure of the command.
  if (closed.ok()) {
    TIPSTAFF_RETURN_IF_ERROR(PrintSummary(config, reply.close_run()));
  } else {
    std::fprintf(stderr, "tipstaff: %s: %s\n", opened.run().c_str(),
                 std::string(closed.message()).c_str());
  }
  return status;
}

int Exec(const Options& options) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("tipstaff"));
  spdlog::set_level(spdlog::level::warn);
  if (options.command.empty()) {
    return Fail(absl::InvalidArgumentError(
        "there is no command to run; it comes last, after `--`, as in: tipstaff exec --skill "
        "report-triage -- my-agent"));
  }
  if (!options.unconfined.empty() && (!options.work.empty() || !options.network.empty())) {
    return Fail(absl::InvalidArgumentError(
        "--unconfined already gives the command this machine's files and network; leave out --work "
        "and --network"));
  }
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  if (const absl::Status status = CheckPlaces(options, *config); !status.ok()) return Fail(status);
  std::unique_ptr<EmbeddedServer> embedded;
  absl::StatusOr<AdminClient> client = AdminClient::Connect(*config);
  if (!client.ok()) {
    auto started = EmbeddedServer::Start(*config);
    if (!started.ok()) return Fail(started.status());
    embedded = *std::move(started);
    client = AdminClient::Connect(*config);
    if (!client.ok()) return Fail(client.status());
  }
  const absl::StatusOr<int> status = ExecIn(*client, options, *config);
  return status.ok() ? *status : Fail(status.status());
}

}  // namespace

void AddExec(CLI::App& program, const std::vector<std::string>& to_run, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->command = to_run;
  CLI::App* command = program.add_subcommand(
      "exec", "open a run, run a command in it, close it; exits with the command's status");
  AddConfigOption(*command, options->settings);
  command->add_option("--skill", options->skills, "a skill to grant; may be given several times")
      ->required()
      ->type_name("NAME");
  command->add_option("--bind", options->bindings, kBindHelp)->type_name("NAME=TEXT");
  command->add_option("--canary", options->canaries, kCanaryHelp)->type_name("TEXT");
  command->add_option("--time", options->time, "how long the run may last (default 1h)")
      ->type_name("DURATION");
  command
      ->add_option("--work", options->work,
                   "a folder that the command may read and write, seen as /work (default: an "
                   "empty one, removed afterwards)")
      ->type_name("DIR");
  command
      ->add_option("--network", options->network,
                   "let the command use the network, and say why; the reason is recorded")
      ->type_name("WHY");
  command
      ->add_option("--unconfined", options->unconfined,
                   "do not confine the command at all, and say why; the reason is recorded")
      ->type_name("WHY");
  command->footer(
      "The command comes last, after `--`. It runs under bubblewrap and sees /usr, its working "
      "folder and, for\n"
      "tipstaff-guest (which is on its PATH), the run's socket and token. It has no network.\n"
      "A mediator that already serves this configuration is used; else one is embedded.\n\n"
      "Example:\n  tipstaff exec --skill report-triage --bind report_id=rep_demo0001 --bind "
      "tenant=acme -- my-agent");
  command->callback([options, &exit_code] { exit_code = Exec(*options); });
}

}  // namespace tipstaff::cli
