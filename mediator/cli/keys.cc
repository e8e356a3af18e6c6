#include "mediator/keys/keys.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "mediator/cli/commands.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/settings.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string kid, folder;
};

const char* UseOf(const keys::KnownKey& key) {
  if (key.signs) return "signs";
  return key.is_private ? "could sign" : "retired";
}

ExitCode List(const Options& options, const std::string& folder) {
  const absl::StatusOr<std::vector<keys::KnownKey>> keys = keys::ListKeys(folder);
  if (!keys.ok()) return Fail(keys.status());
  if (!options.settings.json()) {
    for (const keys::KnownKey& key : *keys) {
      std::printf("%s  %s\n", key.kid.c_str(), UseOf(key));
    }
    return kOk;
  }
  json::Builder b;
  b.StartArray();
  for (const keys::KnownKey& key : *keys) {
    b.StartObject().Field("kid", key.kid).Field("private", key.is_private);
    b.Field("signs", key.signs).EndObject();
  }
  b.EndArray();
  PrintJson(std::move(b));
  return kOk;
}

ExitCode New(const Options& options, const std::string& folder) {
  const absl::StatusOr<std::string> kid = keys::AddSigningKey(folder);
  if (!kid.ok()) return Fail(kid.status());
  std::printf(
      "%s signs from now on%s\n", kid->c_str(),
      options.folder.empty() ? "; a mediator that runs takes it up when it is started again" : "");
  return kOk;
}

ExitCode Retire(const Options& options, const std::string& folder) {
  if (const absl::Status retired = keys::RetireKey(folder, options.kid); !retired.ok()) {
    return Fail(retired);
  }
  std::printf("%s signs nothing any more; what it signed can still be verified\n",
              options.kid.c_str());
  return kOk;
}

ExitCode Jwks(const Options&, const std::string& folder) {
  const absl::StatusOr<std::vector<keys::KnownKey>> keys = keys::ListKeys(folder);
  if (!keys.ok()) return Fail(keys.status());
  std::printf("%s\n", keys::JwksOf(*keys).c_str());
  return kOk;
}

}  // namespace

void AddKeys(CLI::App& program, int& exit_code) {
  CLI::App* keys = program.add_subcommand("keys", "the keys that sign tokens and checkpoints");
  keys->require_subcommand(1);
  const auto add = [keys, &exit_code](const char* name, const char* help,
                                      ExitCode (*run)(const Options&, const std::string&)) {
    auto options = std::make_shared<Options>();
    CLI::App* command = keys->add_subcommand(name, help);
    AddConfigOption(*command, options->settings);
    command
        ->add_option("--folder", options->folder,
                     "a folder of keys, such as a person's own (default: the configuration's)")
        ->type_name("FOLDER");
    command->callback([options, run, &exit_code] {
      if (!options->folder.empty()) {
        exit_code = run(*options, options->folder);
        return;
      }
      const absl::StatusOr<config::Config> config = LoadConfig(options->settings);
      exit_code = config.ok() ? run(*options, config->keys_dir) : Fail(config.status());
    });
    return std::make_pair(command, options);
  };
  const auto list = add("list", "the keys, and what each does", List);
  AddFormatOption(*list.first, list.second->settings);
  add("new", "make a key that signs from now on", New);
  const auto retire = add("retire", "take a key's private part away", Retire);
  retire.first->add_option("kid", retire.second->kid, "the key, as `list` names it")
      ->required()
      ->type_name("KID");
  add("jwks",
      "the public keys as a JWK set (RFC 7517), for whoever verifies tokens and checkpoints", Jwks);
}

}  // namespace tipstaff::cli
