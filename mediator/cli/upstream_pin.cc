// `tipstaff upstream pin` and `diff`: what a server lists, against what was approved.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/line_diff.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/settings.h"
#include "mediator/cli/upstream_server.h"
#include "mediator/json/parse.h"
#include "mediator/upstream/load.h"
#include "mediator/upstream/sign_off.h"

namespace tipstaff::cli {
namespace {

using upstream::Drift;

struct Options {
  Settings settings;
  std::string name;
};

const char* Word(Drift::Kind kind) {
  return kind == Drift::Kind::kAdded     ? "added"
         : kind == Drift::Kind::kRemoved ? "removed"
                                         : "changed";
}

void PrintDrifts(const std::vector<Drift>& drifts, bool in_full) {
  for (const Drift& drift : drifts) {
    std::printf("%-8s %s `%s`\n", Word(drift.kind),
                std::string(upstream::ItemKindName(drift.item)).c_str(), drift.name.c_str());
    if (!in_full) continue;
    for (const absl::string_view line :
         absl::StrSplit(LineDiff(drift.before, drift.after), '\n', absl::SkipEmpty())) {
      std::printf("    %s\n", base::Escape(line).c_str());
    }
  }
}

void PrintItems(const upstream::Pins& pins) {
  for (const upstream::PinnedItem& item : pins.items()) {
    const bool is_tool = item.kind == upstream::PinnedItem::Kind::kTool;
    std::printf("  %-17s %-8s %s\n", std::string(upstream::ItemKindName(item.kind)).c_str(),
                is_tool ? std::string(call::EffectName(item.tool.effect)).c_str() : "read",
                item.name.c_str());
    if (item.given != item.name && is_tool) {
      std::printf("  %26s (the server's `%s`)\n", "", base::EscapeAndCut(item.given, 100).c_str());
    }
    if (!item.quarantine.empty()) {
      std::printf("  %26s no skill can use it: %s\n", "", item.quarantine.c_str());
    }
  }
}

ExitCode Pin(const Options& options) {
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  const auto server = FindServer(*config, options.name);
  if (!server.ok()) return Fail(server.status());
  const auto before = upstream::ReadPins(*server);
  if (!before.ok() && !absl::IsNotFound(before.status())) return Fail(before.status());
  const auto inventory = AskServer(*config, *server);
  if (!inventory.ok()) return Fail(inventory.status());
  std::vector<std::string> problems;
  const upstream::Pins pins =
      upstream::Pins::Of(server->name, *inventory, before.ok() ? &before->pins : nullptr, problems);
  for (const std::string& problem : problems) {
    std::fprintf(stderr, "tipstaff: left out: %s\n", problem.c_str());
  }
  if (before.ok()) {
    const std::vector<Drift> drifts = upstream::Compare(before->pins, *inventory);
    if (drifts.empty() && pins.Text() == before->pins_text) {
      std::printf("%s: nothing has changed\n", server->pins.c_str());
      return kOk;
    }
    PrintDrifts(drifts, /*in_full=*/true);
  }
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(server->pins).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  if (const absl::Status written = base::WriteFile(server->pins, pins.Text()); !written.ok()) {
    return Fail(written);
  }
  std::printf("%s has\n", server->pins.c_str());
  PrintItems(pins);
  std::printf(
      "\nLook at it, and set `effect` of tools that only read: a tool that nobody has looked at is "
      "a "
      "write.\nThen: %s\n",
      upstream::ApproveCommand(*server).c_str());
  return kOk;
}

void PrintAsJson(const std::vector<Drift>& drifts) {
  json::Builder b(4 * json::kMaxDepth);
  b.StartObject().Key("drifts").StartArray();
  for (const Drift& drift : drifts) {
    b.StartObject().Field("change", Word(drift.kind));
    b.Field("kind", std::string(upstream::ItemKindName(drift.item))).Field("name", drift.name);
    for (const auto& [key, text] :
         {std::pair("before", &drift.before), std::pair("after", &drift.after)}) {
      if (text->empty()) continue;
      const auto item = json::Parse(*text, {.max_depth = 2 * json::kMaxDepth});
      if (item.ok()) b.Field(key, item->root());
    }
    b.EndObject();
  }
  b.EndArray().EndObject();
  PrintJson(std::move(b));
}

ExitCode Diff(const Options& options) {
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  const auto server = FindServer(*config, options.name);
  if (!server.ok()) return Fail(server.status());
  const auto pinned = upstream::ReadPins(*server);
  if (!pinned.ok()) return Fail(pinned.status());
  const auto inventory = AskServer(*config, *server);
  if (!inventory.ok()) return Fail(inventory.status());
  const std::vector<Drift> drifts = upstream::Compare(pinned->pins, *inventory);
  if (options.settings.format == "json") {
    PrintAsJson(drifts);
  } else if (drifts.empty()) {
    std::printf("%s lists what was pinned\n", server->name.c_str());
  } else {
    PrintDrifts(drifts, /*in_full=*/true);
  }
  return drifts.empty() ? kOk : kFindings;
}

}  // namespace

void AddUpstreamPin(CLI::App& upstream, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = upstream.add_subcommand("pin", "write down all that a server lists");
  command->add_option("name", options->name, "the server, as `upstreams:` names it")
      ->required()
      ->type_name("NAME");
  AddConfigOption(*command, options->settings);
  command->footer(
      "Starts the server or connects to it. What its owner signed for is no longer this file where "
      "it "
      "changes.\n\nExample:\n  tipstaff upstream pin tickets");
  command->callback([options, &exit_code] { exit_code = Pin(*options); });
}

void AddUpstreamDiff(CLI::App& upstream, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = upstream.add_subcommand("diff", "what a server lists now, against its pins");
  command->add_option("name", options->name, "the server, as `upstreams:` names it")
      ->required()
      ->type_name("NAME");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command->footer("Exits with 1 when they differ.\n\nExample:\n  tipstaff upstream diff tickets");
  command->callback([options, &exit_code] { exit_code = Diff(*options); });
}

}  // namespace tipstaff::cli
