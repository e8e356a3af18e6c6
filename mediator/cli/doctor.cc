// `tipstaff doctor`: what is wrong on this machine, and the fix.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/cli/client_places.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/connect_server.h"
#include "mediator/cli/doctor_print.h"
#include "mediator/cli/guest_beside.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/settings.h"
#include "mediator/clients/client.h"
#include "mediator/clients/entry.h"
#include "mediator/doctor/examine.h"
#include "mediator/doctor/host_machine.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string client, file;
  std::string name = "tipstaff";
  std::string run, socket, token_file;
};

absl::Status AddClient(const Options& options, doctor::Subject& subject) {
  if (options.client.empty()) {
    return options.file.empty() ? absl::OkStatus()
                                : absl::InvalidArgumentError("--file goes with --client");
  }
  subject.client = clients::FindClient(options.client);
  if (subject.client == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("no client `",
                                                   base::EscapeAndCut(options.client, 60),
                                                   "` is known; one of: ", clients::ClientNames()));
  }
  if (subject.client->servers_key.empty() && !options.file.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(subject.client->title, " has no configuration file: leave out --file"));
  }
  subject.client_file =
      options.file.empty() ? clients::ConfigPath(*subject.client, ClientPlaces()) : options.file;
  return clients::CheckServerName(options.name);
}

std::string Absolute(const std::string& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).lexically_normal().string();
}

absl::Status AddRun(const Options& options, doctor::Subject& subject) {
  if (options.run.empty()) {
    subject.socket = Absolute(options.socket);
    subject.token_file = Absolute(options.token_file);
    return absl::OkStatus();
  }
  if (!options.socket.empty() || !options.token_file.empty()) {
    return absl::InvalidArgumentError("--run excludes --socket and --token-file");
  }
  if (!subject.config) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(const RunPlaces places, PlacesOf(*subject.config, options.run));
  subject.socket = places.socket;
  subject.token_file = places.token_file;
  return absl::OkStatus();
}

ExitCode Doctor(const Options& options) {
  doctor::Subject subject;
  absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (config.ok()) {
    subject.config = *std::move(config);
  } else {
    subject.config_problem = std::string(config.status().message());
  }
  subject.guest = Beside("tipstaff-guest");
  subject.gate = Beside("tipstaff-gate");
  subject.server_name = options.name;
  if (const absl::Status status = AddClient(options, subject); !status.ok()) return Fail(status);
  if (const absl::Status status = AddRun(options, subject); !status.ok()) return Fail(status);
  doctor::HostMachine machine;
  const std::vector<doctor::Finding> findings = doctor::Examine(subject, machine);
  if (options.settings.json()) {
    PrintJson(FindingsJson(findings));
  } else {
    std::fputs(FindingsText(findings).c_str(), stdout);
  }
  return doctor::HasProblem(findings) ? kFindings : kOk;
}

std::string Footer() {
  std::string text =
      "It changes nothing, and connects to Unix sockets and this machine's loopback only, never "
      "to\n"
      "vsock. Exits with 1 when there is a problem.\n\nChecks:\n";
  for (const doctor::Check& check : doctor::AllChecks()) {
    absl::StrAppend(&text, "  ", check.name, std::string(16 - check.name.size(), ' '), check.about,
                    "\n");
  }
  return absl::StrCat(text,
                      "\nExamples:\n  tipstaff doctor\n"
                      "  tipstaff doctor --client claude-code\n"
                      "  tipstaff doctor --run RUN --format json");
}

}  // namespace

void AddDoctor(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("doctor", "what is wrong on this machine, and the fix");
  command->add_option("--client", options->client, clients::ClientNames())->type_name("CLIENT");
  command->add_option("--file", options->file, "another file than the client's own")
      ->type_name("FILE");
  command->add_option("--name", options->name, "Tipstaff's name in the client (default: tipstaff)")
      ->type_name("NAME");
  command->add_option("--run", options->run, "an open run of this machine")->type_name("RUN");
  command->add_option("--socket", options->socket, "a run's socket")->type_name("PATH");
  command->add_option("--token-file", options->token_file, "a run's token file")->type_name("PATH");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command->footer(Footer());
  command->callback([options, &exit_code] { exit_code = Doctor(*options); });
}

}  // namespace tipstaff::cli
