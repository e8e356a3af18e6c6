// `tipstaff connect`: what an MCP client has to be told, printed or written where it reads it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/cli/client_places.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/connect_server.h"
#include "mediator/cli/guest_beside.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/shell_word.h"
#include "mediator/clients/client.h"
#include "mediator/clients/entry.h"
#include "mediator/clients/snippet.h"
#include "mediator/clients/write_config.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string client, file;
  std::string name = "tipstaff";
  ConnectWay way;
  bool print = false, write = false, replaces = false;
};

absl::StatusOr<clients::Server> FindServer(const Options& options) {
  TIPSTAFF_RETURN_IF_ERROR(CheckWay(options.way));
  RunPlaces places;
  if (!options.way.run.empty()) {
    TIPSTAFF_ASSIGN_OR_RETURN(const config::Config config, LoadConfig(options.settings));
    TIPSTAFF_ASSIGN_OR_RETURN(places, PlacesOf(config, options.way.run));
  }
  std::string guest;
  if (options.way.http.empty() && options.way.guest.empty()) {
    const absl::StatusOr<std::string> beside = GuestBeside();
    if (!beside.ok()) {
      return absl::NotFoundError(absl::StrCat(beside.status().message(), "; name it with --guest"));
    }
    guest = *beside;
  }
  return ServerOf(options.way, places, guest);
}

std::string FileOf(const Options& options, const clients::Client& client) {
  return options.file.empty() ? clients::ConfigPath(client, ClientPlaces()) : options.file;
}

// On standard error, so that standard output is the configuration alone.
void PrintNext(const Options& options, const clients::Client& client, const std::string& file) {
  if (client.kind == clients::Kind::kInspect) {
    std::fprintf(stderr, "\nnext: npx @modelcontextprotocol/inspector --config %s --server %s\n",
                 ShellWord(file).c_str(), options.name.c_str());
  } else {
    std::fprintf(stderr, "\nnext: %s\n", std::string(client.after).c_str());
  }
  if (!options.way.token_variable.empty()) {
    std::fprintf(stderr, "the token goes into %s of the environment that %s is started in\n",
                 options.way.token_variable.c_str(), std::string(client.title).c_str());
  }
}

absl::Status Print(const Options& options, const clients::Client& client,
                   const clients::Server& server) {
  if (client.servers_key.empty()) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::string text,
                              clients::Snippet(client, options.name, server));
    std::fputs(text.c_str(), stdout);
    return absl::OkStatus();
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document entry, clients::Entry(client, server));
  TIPSTAFF_ASSIGN_OR_RETURN(
      const clients::Merged merged,
      clients::Merge("", client.servers_key, options.name, entry.root(), /*replaces=*/false));
  std::fputs(merged.text.c_str(), stdout);
  const std::string file = FileOf(options, client);
  std::fprintf(stderr, "\nfor `%s`, which --write adds it to\n", base::Escape(file).c_str());
  PrintNext(options, client, file);
  return absl::OkStatus();
}

void PrintWritten(const Options& options, const clients::Written& written, json::Value entry) {
  const std::string path = base::Escape(written.path);
  if (written.change == clients::Change::kNone) {
    std::printf("`%s` has it already; nothing was changed\n", path.c_str());
    return;
  }
  const bool replaced = written.change == clients::Change::kReplaced;
  std::printf("%s `%s` in %s\n  %s\n", replaced ? "replaced" : "added", options.name.c_str(),
              path.c_str(), base::EscapeInJson(json::Dump(entry)).c_str());
  if (!written.backup.empty()) {
    std::printf("as it was: %s\n", base::Escape(written.backup).c_str());
  }
}

absl::Status Write(const Options& options, const clients::Client& client,
                   const clients::Server& server) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document entry, clients::Entry(client, server));
  const std::string file = FileOf(options, client);
  const absl::StatusOr<clients::Written> written =
      clients::WriteConfig(file, client.servers_key, options.name, entry.root(), options.replaces);
  if (absl::IsFailedPrecondition(written.status())) {
    std::fprintf(stderr, "what is to stand below \"%s\":\n\n  %s: %s\n\n",
                 std::string(client.servers_key).c_str(), json::Quote(options.name).c_str(),
                 json::Dump(entry.root()).c_str());
  }
  if (!written.ok()) return written.status();
  PrintWritten(options, *written, entry.root());
  std::fflush(stdout);
  PrintNext(options, client, written->path);
  return absl::OkStatus();
}

absl::Status Check(const Options& options, const clients::Client* client) {
  if (client == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("no client `",
                                                   base::EscapeAndCut(options.client, 60),
                                                   "` is known; one of: ", clients::ClientNames()));
  }
  if (options.print == options.write) {
    return absl::InvalidArgumentError(
        "say --print to see the configuration, or --write to have it added");
  }
  if (client->servers_key.empty() && (options.write || !options.file.empty())) {
    return absl::InvalidArgumentError(
        absl::StrCat(client->title, " is set up in a program: --print shows what goes there"));
  }
  if (options.replaces && !options.write) {
    return absl::InvalidArgumentError("--replace goes with --write");
  }
  return clients::CheckServerName(options.name);
}

ExitCode Connect(const Options& options) {
  const clients::Client* const client = clients::FindClient(options.client);
  if (const absl::Status status = Check(options, client); !status.ok()) return Fail(status);
  const absl::StatusOr<clients::Server> server = FindServer(options);
  if (!server.ok()) return Fail(server.status());
  const absl::Status done =
      options.print ? Print(options, *client, *server) : Write(options, *client, *server);
  if (absl::IsAlreadyExists(done) || absl::IsFailedPrecondition(done)) {
    Fail(done);
    return kInvalidInput;
  }
  return done.ok() ? kOk : Fail(done);
}

void AddWays(CLI::App& command, Options& options) {
  ConnectWay& way = options.way;
  command.add_option("--run", way.run, "an open run of this machine")->type_name("RUN");
  command
      .add_option("--socket", way.socket,
                  "the run's socket as the client sees it (default: /run/tipstaff/guest.sock)")
      ->type_name("PATH");
  command.add_option("--token-file", way.token_file, "the run's token file as the client sees it")
      ->type_name("PATH");
  command.add_option("--vsock", way.vsock, "for a client in a VM; its host is 2:PORT")
      ->type_name("CID:PORT");
  command
      .add_option("--http", way.http,
                  "a tipstaff-guest that serves HTTP: http://127.0.0.1:PORT/mcp")
      ->type_name("URL");
  command
      .add_option("--http-token-variable", way.token_variable,
                  "the variable of the client's environment with the token of --http-token-file")
      ->type_name("NAME");
  command
      .add_option("--guest", way.guest,
                  "tipstaff-guest as the client sees it (default: the one beside tipstaff)")
      ->type_name("PATH");
}

}  // namespace

void AddConnect(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("connect", "the configuration by which an MCP client finds Tipstaff");
  command->add_option("client", options->client, clients::ClientNames())
      ->required()
      ->type_name("CLIENT");
  AddWays(*command, *options);
  command->add_option("--name", options->name, "Tipstaff's name in the client (default: tipstaff)")
      ->type_name("NAME");
  command->add_flag("--print", options->print, "show it; for libraries, a program in Python");
  command->add_flag("--write", options->write,
                    "add it to the file that the client reads; the rest of it stays as it is");
  command->add_option("--file", options->file, "another file than the client's own")
      ->type_name("FILE");
  command->add_flag("--replace", options->replaces,
                    "with --write: also where another entry has the name");
  AddConfigOption(*command, options->settings);
  command->footer(
      "A token never stands in a configuration, only the path of its file. With --write the old\n"
      "file stays beside the new one. `tipstaff doctor` finds what is wrong afterwards.\n\n"
      "Examples:\n  tipstaff connect claude-code --run RUN --write\n"
      "  tipstaff connect cursor --socket /run/tipstaff/guest.sock --token-file "
      "/run/tipstaff/token \\\n    --guest /usr/local/bin/tipstaff-guest --print\n"
      "  tipstaff connect vscode --http http://127.0.0.1:8787/mcp --write");
  command->callback([options, &exit_code] { exit_code = Connect(*options); });
}

}  // namespace tipstaff::cli
