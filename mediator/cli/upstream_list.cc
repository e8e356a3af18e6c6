// `tipstaff upstream list`: which servers there are, and whether they can be used.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/settings.h"
#include "mediator/upstream/load.h"

namespace tipstaff::cli {
namespace {

struct State {
  const config::McpServer* server;
  int tools = -1;  // that are pinned; -1: none of it is
  absl::Time until;
  std::string problem;  // "": it can be used
};

State StateOf(const config::Config& config, const config::McpServer& server) {
  State state{&server, -1, absl::InfinitePast(), ""};
  absl::StatusOr<upstream::PinnedServer> pinned = upstream::ReadPins(server);
  if (!pinned.ok()) {
    state.problem = std::string(pinned.status().message());
    return state;
  }
  state.tools = static_cast<int>(pinned->pins.Tools().size());
  const auto approved = upstream::ReadApproval(*std::move(pinned), config.people, absl::Now());
  if (!approved.ok()) {
    state.problem = std::string(approved.status().message());
  } else {
    state.until = approved->system->approved_until;
  }
  return state;
}

// The last one on which it holds.
std::string LastDay(absl::Time until) {
  return absl::FormatTime("%Y-%m-%d", until - absl::Microseconds(1), absl::UTCTimeZone());
}

std::string WhatItIs(const config::McpServer& server) {
  if (!server.url.empty()) return server.url;
  std::string text = "stdio:";
  for (const std::string& word : server.command) absl::StrAppend(&text, " ", word);
  return text;
}

void Print(const std::vector<State>& states) {
  if (states.empty()) {
    std::printf("`upstreams:` of the configuration has no MCP servers\n");
    return;
  }
  for (const State& state : states) {
    std::printf("%s\n  %s\n  owner %s, stop %s\n", state.server->name.c_str(),
                WhatItIs(*state.server).c_str(), state.server->owner.c_str(),
                state.server->stop.c_str());
    if (state.tools >= 0)
      std::printf("  %d pinned (%s)\n", state.tools, state.server->pins.c_str());
    if (!state.server->unconfined.empty()) {
      std::printf("  not confined: %s\n", state.server->unconfined.c_str());
    }
    if (state.problem.empty()) {
      std::printf("  approved until %s\n", LastDay(state.until).c_str());
    } else {
      std::printf("  cannot be used: %s\n", state.problem.c_str());
    }
  }
}

void PrintAsJson(const std::vector<State>& states) {
  json::Builder b;
  b.StartObject().Key("upstreams").StartArray();
  for (const State& state : states) {
    b.StartObject().Field("name", state.server->name).Field("is", WhatItIs(*state.server));
    b.Field("owner", state.server->owner).Field("stop", state.server->stop);
    if (state.tools >= 0) b.Field("pinned", state.tools);
    if (!state.server->unconfined.empty()) b.Field("unconfined", state.server->unconfined);
    if (state.problem.empty()) {
      b.Field("approved_until", LastDay(state.until));
    } else {
      b.Field("problem", state.problem);
    }
    b.EndObject();
  }
  b.EndArray().EndObject();
  PrintJson(std::move(b));
}

ExitCode List(const Settings& settings) {
  const absl::StatusOr<config::Config> config = LoadConfig(settings);
  if (!config.ok()) return Fail(config.status());
  std::vector<State> states;
  for (const config::McpServer& server : config->mcp_servers) {
    states.push_back(StateOf(*config, server));
  }
  settings.format == "json" ? PrintAsJson(states) : Print(states);
  const bool usable = std::all_of(states.begin(), states.end(),
                                  [](const State& state) { return state.problem.empty(); });
  return usable ? kOk : kFindings;
}

}  // namespace

void AddUpstreamList(CLI::App& upstream, int& exit_code) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = upstream.add_subcommand("list", "the servers, and whether each can be used");
  AddConfigOption(*command, *settings);
  AddFormatOption(*command, *settings);
  command->footer(
      "Connects to none. Exits with 1 when one cannot be used.\n\n"
      "Example:\n  tipstaff upstream list");
  command->callback([settings, &exit_code] { exit_code = List(*settings); });
}

}  // namespace tipstaff::cli
