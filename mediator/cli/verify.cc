#include "mediator/review/verify.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/ids.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/ledger_option.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/settings.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::cli {
namespace {

constexpr size_t kMaxNoteBytes = 64 << 20;

struct Options {
  Settings settings;
  std::string what, ledger;
  std::optional<std::string> checkpoint;
  std::vector<std::string> trust;
};

// Those of --trust, or the configuration's.
absl::StatusOr<std::vector<keys::KnownKey>> TrustedKeys(const Options& options) {
  std::vector<keys::KnownKey> trusted;
  for (const std::string& path : options.trust) {
    absl::StatusOr<std::vector<keys::KnownKey>> keys = keys::ReadTrustedKeys(path);
    if (!keys.ok()) return keys.status();
    trusted.insert(trusted.end(), keys->begin(), keys->end());
  }
  if (!options.trust.empty()) return trusted;
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return config.status();
  // A file from elsewhere was not signed by these.
  std::error_code error;
  const bool own_ledger =
      options.ledger.empty() || std::filesystem::equivalent(options.ledger, config->ledger, error);
  if (!own_ledger) return trusted;
  absl::StatusOr<std::vector<keys::KnownKey>> own = keys::ListKeys(config->keys_dir);
  if (absl::IsNotFound(own.status())) return trusted;
  return own;
}

// And no file is called so.
bool LooksLikeARun(const std::string& what) {
  std::error_code error;
  return absl::StartsWith(what, "run_") && !std::filesystem::exists(what, error);
}

std::string Counted(uint64_t count, const char* one) {
  return absl::StrCat(count, " ", one, count == 1 ? "" : "s");
}

std::string InWords(const review::Verification& found) {
  std::string text;
  for (const std::string& one : found.damage) absl::StrAppend(&text, "damage: ", one, "\n");
  for (const std::string& one : found.unknown) absl::StrAppend(&text, "not known: ", one, "\n");
  absl::StrAppend(&text, Counted(found.runs, "run"), " (", found.closed, " closed), ",
                  Counted(found.records, "record"), ", ", Counted(found.checkpoints, "checkpoint"));
  if (!found.signers.empty()) {
    absl::StrAppend(&text, " signed by ", absl::StrJoin(found.signers, ", "));
  }
  absl::StrAppend(&text, "\n");
  if (!found.damage.empty()) return text + "This is not what was recorded.\n";
  absl::StrAppend(&text,
                  found.unknown.empty()
                      ? "Whole: no record of a run was changed, removed, put in, moved or swapped "
                        "within it since the last checkpoint was signed.\n"
                      : "Nothing is damaged as far as it can be known.\n");
  absl::StrAppend(&text,
                  found.outside
                      ? "The checkpoint from elsewhere agrees, so nothing before it was rewritten "
                        "by the key's holder either.\n"
                      : "Without a checkpoint kept elsewhere (`tipstaff checkpoint`, `verify "
                        "--checkpoint`) it cannot be excluded that the key's holder rewrote it.\n");
  return text;
}

void AddTexts(json::Builder& b, const char* key, const std::vector<std::string>& texts) {
  b.Key(key).StartArray();
  for (const std::string& text : texts) b.String(text);
  b.EndArray();
}

void PrintAsJson(const review::Verification& found) {
  json::Builder b;
  b.StartObject().Field("whole", found.whole());
  AddTexts(b, "damage", found.damage);
  AddTexts(b, "unknown", found.unknown);
  b.Field("runs", found.runs).Field("closed", found.closed).Field("records", found.records);
  b.Field("checkpoints", found.checkpoints).Field("outside", found.outside);
  AddTexts(b, "signers", found.signers);
  b.EndObject();
  PrintJson(std::move(b));
}

ExitCode Verify(Options options) {
  review::VerifyRequest request;
  if (base::IsRunId(options.what)) {
    request.run = options.what;
  } else if (LooksLikeARun(options.what)) {
    return Fail(absl::InvalidArgumentError(
        absl::StrCat("`", base::Escape(options.what),
                     "` is neither a run's id (`run_` and 12 letters and digits; see `tipstaff run "
                     "list`) nor a ledger's file")));
  } else if (!options.what.empty()) {
    if (!options.ledger.empty()) {
      return Fail(absl::InvalidArgumentError(absl::StrCat("`", options.what, "` and `--ledger ",
                                                          options.ledger, "`: name one ledger")));
    }
    options.ledger = options.what;
  }
  absl::StatusOr<std::vector<keys::KnownKey>> trust = TrustedKeys(options);
  if (!trust.ok()) return Fail(trust.status());
  request.trust = *std::move(trust);
  if (options.checkpoint.has_value()) {
    absl::StatusOr<std::string> note = base::ReadFile(*options.checkpoint, kMaxNoteBytes);
    if (!note.ok()) return Fail(note.status());
    request.outside = *std::move(note);
  }
  absl::StatusOr<std::unique_ptr<ledger::Reader>> reader =
      OpenLedger(options.settings, options.ledger);
  if (!reader.ok()) return Fail(reader.status());
  const absl::StatusOr<review::Verification> found = review::Verify(**reader, request);
  if (!found.ok()) return Fail(found.status());
  if (options.settings.json()) {
    PrintAsJson(*found);
  } else {
    std::fputs(InWords(*found).c_str(), stdout);
  }
  if (!found->damage.empty()) return kIntegrity;
  return found->unknown.empty() ? kOk : kIndeterminate;
}

ExitCode PrintCheckpoint(const Options& options) {
  absl::StatusOr<std::unique_ptr<ledger::Reader>> reader =
      OpenLedger(options.settings, options.ledger);
  if (!reader.ok()) return Fail(reader.status());
  const absl::StatusOr<ledger::StoredCheckpoint> newest = (*reader)->NewestCheckpoint();
  if (!newest.ok()) return Fail(newest.status());
  std::fputs(newest->note.c_str(), stdout);
  return kOk;
}

}  // namespace

void AddVerify(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("verify", "whether a ledger, or one run, is what was recorded");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command
      ->add_option("what", options->what,
                   "a ledger's file or a run's id (default: the configuration's ledger)")
      ->type_name("LEDGER|RUN");
  AddLedgerOption(*command, options->ledger);
  command
      ->add_option(
          "--trust", options->trust,
          "whose signatures count: a file with a JWK or a JWK set, as `tipstaff keys jwks` "
          "prints it; again for more (default: the configuration's keys)")
      ->type_name("FILE");
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "a checkpoint that was kept elsewhere, as `tipstaff checkpoint` prints it")
      ->type_name("FILE");
  command->footer(
      "Exits with 0 when every run is closed, whole and covered by a checkpoint that counts, 3 "
      "for\n"
      "damage, 4 for what cannot be known: a run that is open, a key that nobody vouched for.");
  command->callback([options, &exit_code] { exit_code = Verify(*options); });
}

void AddCheckpoint(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "checkpoint", "the ledger's newest signed checkpoint, to be kept elsewhere");
  AddConfigOption(*command, options->settings);
  AddLedgerOption(*command, options->ledger);
  command->callback([options, &exit_code] { exit_code = PrintCheckpoint(*options); });
}

}  // namespace tipstaff::cli
