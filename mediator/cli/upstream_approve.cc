// `tipstaff upstream approve`: an owner's sign-off for a server as it is configured and pinned.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/upstream_server.h"
#include "mediator/keys/keys.h"
#include "mediator/upstream/load.h"
#include "mediator/upstream/sign_off.h"

namespace tipstaff::cli {
namespace {

constexpr absl::Duration kLongest = absl::Hours(24 * 366);

struct Options {
  Settings settings;
  std::string name, as, until, why, keys;
};

// The end of the day that `text` names.
absl::StatusOr<absl::Time> ParseUntil(const std::string& text) {
  absl::CivilDay day;
  if (!absl::ParseCivilTime(text, &day)) {
    return absl::InvalidArgumentError(absl::StrCat("--until `", base::EscapeAndCut(text, 40),
                                                   "` is no day: for instance 2027-06-30"));
  }
  const absl::Time until = absl::FromCivil(day + 1, absl::UTCTimeZone());
  const absl::Time now = absl::Now();
  if (until <= now) {
    return absl::InvalidArgumentError(absl::StrCat("--until `", text, "` is over"));
  }
  if (until > now + kLongest) {
    return absl::InvalidArgumentError(
        absl::StrCat("--until `", text, "` is more than a year away: a sign-off is renewed"));
  }
  return until;
}

// The key of the folder that signs, where it is one of the owner's.
absl::StatusOr<std::unique_ptr<keys::KeyRing>> KeyOf(const config::Config& config,
                                                     const Options& options) {
  TIPSTAFF_RETURN_IF_ERROR(keys::ListKeys(options.keys).status());
  TIPSTAFF_ASSIGN_OR_RETURN(auto ring, keys::KeyRing::OpenOrCreate(options.keys));
  for (const config::Person& person : config.people) {
    if (person.name != options.as) continue;
    TIPSTAFF_ASSIGN_OR_RETURN(const auto theirs, keys::ReadTrustedKeys(person.key));
    const bool known = std::any_of(theirs.begin(), theirs.end(), [&](const keys::KnownKey& key) {
      return key.kid == ring->current();
    });
    if (known) return ring;
  }
  return absl::PermissionDeniedError(
      absl::StrCat("the key in `", options.keys, "` is not the `key` of `",
                   base::EscapeAndCut(options.as, 60), "` in `people:`"));
}

void Show(const upstream::PinnedServer& pinned, absl::Time until) {
  std::printf("%s signs for upstream `%s`, until %s:\n\n  %s\n\n", pinned.server.owner.c_str(),
              pinned.server.name.c_str(),
              absl::FormatTime("%Y-%m-%d %H:%M UTC", until, absl::UTCTimeZone()).c_str(),
              config::Encode(pinned.server).c_str());
  for (const upstream::PinnedItem& item : pinned.pins.items()) {
    if (!item.quarantine.empty()) continue;
    std::printf("  %-8s %s\n", std::string(call::EffectName(item.tool.effect)).c_str(),
                call::FullName(item.tool.kind, item.name).c_str());
  }
}

absl::Status Approve(const Options& options) {
  TIPSTAFF_ASSIGN_OR_RETURN(const config::Config config, LoadConfig(options.settings));
  TIPSTAFF_ASSIGN_OR_RETURN(const config::McpServer server, FindServer(config, options.name));
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::Time until, ParseUntil(options.until));
  if (options.as != server.owner) {
    return absl::PermissionDeniedError(absl::StrCat("`", server.owner, "` owns upstream `",
                                                    server.name, "` and signs for it, not `",
                                                    base::EscapeAndCut(options.as, 60), "`"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const upstream::PinnedServer pinned, upstream::ReadPins(server));
  TIPSTAFF_ASSIGN_OR_RETURN(const auto ring, KeyOf(config, options));
  Show(pinned, until);
  const std::string payload =
      upstream::Payload({server.name, options.as, upstream::ConfigurationDigest(server),
                         upstream::PinsDigest(pinned.pins_text), until, options.why});
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(server.sign_off).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  TIPSTAFF_RETURN_IF_ERROR(
      base::WriteFile(server.sign_off, ring->SignEnvelope(upstream::kSignOffType, payload)));
  std::printf("\nsigned: %s\n", server.sign_off.c_str());
  return absl::OkStatus();
}

}  // namespace

void AddUpstreamApprove(CLI::App& upstream, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      upstream.add_subcommand("approve", "sign for a server as it is configured and pinned");
  command->add_option("name", options->name, "the server, as `upstreams:` names it")
      ->required()
      ->type_name("NAME");
  command->add_option("--as", options->as, "who signs: the `owner` of the server")
      ->required()
      ->type_name("PERSON");
  command->add_option("--until", options->until, "the last day on which it holds, within a year")
      ->required()
      ->type_name("YYYY-MM-DD");
  command
      ->add_option("--sign-with", options->keys,
                   "the folder of the key (`tipstaff keys new --folder`), whose public part is the "
                   "owner's `key` in `people:`")
      ->required()
      ->type_name("FOLDER");
  command->add_option("--why", options->why, "one line; signed with it")->type_name("TEXT");
  AddConfigOption(*command, options->settings);
  command->footer(
      "It is void once the configuration of the server, or a byte of its pins, changes.\n\n"
      "Example:\n  tipstaff upstream approve tickets --as dana --sign-with ~/my-keys "
      "--until 2027-06-30");
  command->callback([options, &exit_code] {
    const absl::Status status = Approve(*options);
    exit_code = status.ok() ? kOk : Fail(status);
  });
}

}  // namespace tipstaff::cli
