#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/clock.h"
#include "mediator/base/units.h"
#include "mediator/cli/bindings.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/run_info.h"
#include "mediator/cli/settings.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/ledger/ledger.h"
#include "mediator/run/records.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

namespace proto = admin::v1;

struct Options {
  Settings settings;
  std::vector<std::string> skills, bindings, canaries, facts;
  std::string time, seed, vm, run;
  uint32_t cid = 0;
  bool all = false;
};

ExitCode Open(const Options& options) {
  const absl::StatusOr<std::string> bindings = BindingsJson(options.bindings);
  if (!bindings.ok()) return Fail(bindings.status());
  proto::Request request;
  proto::OpenRunRequest& open = *request.mutable_open_run();
  for (const std::string& skill : options.skills) open.add_skills(skill);
  open.set_bindings_json(*bindings);
  open.set_seed(options.seed);
  for (const std::string& planted : options.canaries) open.add_canaries(planted);
  if (!options.time.empty()) {
    const absl::StatusOr<absl::Duration> time = base::ParseDuration(options.time);
    if (!time.ok()) return Fail(time.status());
    open.set_time_limit_ms(absl::ToInt64Milliseconds(*time));
  }
  for (const std::string& fact : options.facts) {
    const size_t equals = fact.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Fail(absl::InvalidArgumentError(
          absl::StrCat("--fact `", fact, "` is not of the form name=text")));
    }
    (*open.mutable_facts())[fact.substr(0, equals)] = fact.substr(equals + 1);
  }
  if (!options.vm.empty()) open.set_vm(options.vm);
  if (options.cid != 0) open.set_cid(options.cid);
  const absl::StatusOr<proto::Reply> reply = Ask(options.settings, request);
  if (!reply.ok()) return Fail(reply.status());
  const proto::OpenRunReply& opened = reply->open_run();
  const std::string expires = base::ShowTime(absl::FromUnixMicros(opened.expires_at_us()));
  if (options.settings.json()) {
    json::Builder b;
    b.StartObject().Field("run", opened.run()).Field("channel", opened.channel());
    if (!opened.socket_path().empty()) b.Field("socket", opened.socket_path());
    b.Field("token_file", opened.token_path()).Field("expires_at", expires);
    b.Key("tools").StartArray();
    for (const std::string& tool : opened.tools()) b.String(tool);
    b.EndArray().EndObject();
    PrintJson(std::move(b));
    return kOk;
  }
  std::printf(
      "%s\n  socket   %s\n  token    %s\n  expires  %s\n  tools    %s\n", opened.run().c_str(),
      opened.socket_path().empty() ? opened.channel().c_str() : opened.socket_path().c_str(),
      opened.token_path().c_str(), expires.c_str(), absl::StrJoin(opened.tools(), ", ").c_str());
  if (!opened.socket_path().empty()) {
    std::printf(
        "\nAn agent's MCP command, on this machine:\n  tipstaff-guest --connect %s --token-file "
        "%s\n",
        opened.socket_path().c_str(), opened.token_path().c_str());
  }
  return kOk;
}

std::string HowItEnded(const run::Closed& closed) {
  std::string text = closed.ended.empty() ? "closed" : closed.ended;
  if (!closed.by.empty()) absl::StrAppend(&text, " by ", closed.by);
  if (!closed.why.empty()) absl::StrAppend(&text, ": ", closed.why);
  return text;
}

// Runs that are closed stand in the ledger only.
absl::Status AddClosed(const config::Config& config, std::vector<proto::RunInfo>& infos) {
  absl::StatusOr<std::unique_ptr<ledger::Reader>> reader = ledger::Reader::Open(config.ledger);
  if (!reader.ok()) return reader.status();
  const absl::StatusOr<std::vector<ledger::StoredRun>> runs = (*reader)->Runs();
  if (!runs.ok()) return runs.status();
  for (const ledger::StoredRun& run : *runs) {
    if (!run.closed) continue;
    const auto first = (*reader)->Record(run.run, 1);
    const auto last = (*reader)->Record(run.run, run.records);
    if (!first.ok() || !last.ok()) continue;
    const auto opened = run::DecodeOpened(first->record);
    const auto closed = run::DecodeClosed(last->record);
    if (!opened.ok() || !closed.ok()) continue;
    proto::RunInfo& info = infos.emplace_back();
    info.set_run(run.run);
    info.set_access("closed");
    info.set_result(closed->result);
    info.set_ended(HowItEnded(*closed));
    for (const run::PinnedSkill& skill : opened->skills) info.add_skills(skill.name);
    info.set_bindings_json(json::Canonical(opened->bindings.root()));
    info.set_opened_at_us(absl::ToUnixMicros(opened->opened_at));
    info.set_expires_at_us(absl::ToUnixMicros(opened->expires_at));
    info.set_decisions(closed->tally.all());
    info.set_allowed(closed->tally.allowed);
    info.set_denied(closed->tally.denied);
    info.set_held(closed->tally.held);
    info.set_channel(opened->channel);
  }
  return absl::OkStatus();
}

ExitCode List(const Options& options) {
  std::vector<proto::RunInfo> infos;
  if (options.all) {
    const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
    if (!config.ok()) return Fail(config.status());
    if (const absl::Status read = AddClosed(*config, infos); !read.ok()) return Fail(read);
  }
  proto::Request request;
  request.mutable_list_runs();
  const absl::StatusOr<proto::Reply> reply = Ask(options.settings, request);
  if (!reply.ok() && !options.all) return Fail(reply.status());
  if (reply.ok()) {
    infos.insert(infos.end(), reply->list_runs().runs().begin(), reply->list_runs().runs().end());
  }
  if (options.settings.json()) {
    json::Builder b;
    b.StartArray();
    for (const proto::RunInfo& info : infos) AddInfo(b, info);
    b.EndArray();
    PrintJson(std::move(b));
    return kOk;
  }
  if (infos.empty()) {
    std::printf("no open runs%s\n",
                options.all ? ", and no closed ones" : "; --all shows closed ones");
    return kOk;
  }
  std::printf("%-16s %-10s %-10s %9s %-24s %s\n", "RUN", "ACCESS", "RESULT", "DECISIONS", "OPENED",
              "SKILLS");
  for (const proto::RunInfo& info : infos) {
    std::printf("%-16s %-10s %-10s %9llu %-24s %s\n", info.run().c_str(), info.access().c_str(),
                info.result().c_str(), static_cast<unsigned long long>(info.decisions()),
                base::ShowTime(absl::FromUnixMicros(info.opened_at_us())).c_str(),
                absl::StrJoin(info.skills(), ", ").c_str());
  }
  for (const proto::RunInfo& info : infos) {
    if (NextSteps(info).empty()) continue;
    std::printf("\n%s waits for you: its result is %s; `tipstaff run show %s` says what to do\n",
                info.run().c_str(), info.result().c_str(), info.run().c_str());
  }
  return kOk;
}

ExitCode Show(const Options& options) {
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  // A closed run is answered from the ledger, with or without a mediator.
  std::vector<proto::RunInfo> closed;
  if (AddClosed(*config, closed).ok()) {
    for (const proto::RunInfo& info : closed) {
      if (info.run() == options.run) {
        PrintInfo(options.settings, info);
        return kOk;
      }
    }
  }
  proto::Request request;
  request.mutable_show_run()->set_run(options.run);
  const absl::StatusOr<proto::Reply> reply = Ask(options.settings, request);
  if (!reply.ok()) return Fail(reply.status());
  PrintInfo(options.settings, reply->show_run());
  return kOk;
}

void AddOpen(CLI::App& run, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = run.add_subcommand("open", "open a run and make its channel and token");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command->add_option("--skill", options->skills, "a skill to grant; may be given several times")
      ->required()
      ->type_name("NAME");
  command->add_option("--bind", options->bindings, kBindHelp)->type_name("NAME=TEXT");
  command->add_option("--canary", options->canaries, kCanaryHelp)->type_name("TEXT");
  command->add_option("--time", options->time, "how long the run may last (default 1h)")
      ->type_name("DURATION");
  command
      ->add_option("--seed", options->seed,
                   "fixes the stubs' clock, ids and faults (default: drawn)")
      ->type_name("TEXT");
  command->add_option("--fact", options->facts, "a fact that you attest, kept with the run")
      ->type_name("NAME=TEXT");
  // "" or 0, of a variable that is not set perhaps, would open a channel of another kind.
  CLI::Option* vm =
      command->add_option("--vm", options->vm, "the VM whose Firecracker-style socket it is");
  vm->type_name("NAME")->check([](const std::string& name) {
    return name.empty() ? std::string("is empty") : std::string();
  });
  command->add_option("--cid", options->cid, "the VM's AF_VSOCK CID")
      ->excludes(vm)
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command->footer(
      "Example:\n  tipstaff run open --skill report-triage --bind report_id=rep_demo0001 "
      "--bind tenant=acme");
  command->callback([options, &exit_code] { exit_code = Open(*options); });
}

}  // namespace

void AddRun(CLI::App& program, int& exit_code) {
  CLI::App* run = program.add_subcommand("run", "open, list, show, resolve and end runs");
  run->require_subcommand(1);
  run->footer("Example:\n  tipstaff run list");
  AddOpen(*run, exit_code);

  auto list = std::make_shared<Options>();
  CLI::App* command = run->add_subcommand("list", "the open runs");
  AddConfigOption(*command, list->settings);
  AddFormatOption(*command, list->settings);
  command->add_flag("--all", list->all, "closed runs too, from the ledger");
  command->footer("Example:\n  tipstaff run list --all");
  command->callback([list, &exit_code] { exit_code = List(*list); });

  auto show = std::make_shared<Options>();
  command = run->add_subcommand("show", "one run's state");
  AddConfigOption(*command, show->settings);
  AddFormatOption(*command, show->settings);
  command->add_option("run", show->run, "its id")->required()->type_name("RUN");
  command->footer("Example:\n  tipstaff run show run_k3v7q2m4x7aa");
  command->callback([show, &exit_code] { exit_code = Show(*show); });

  AddRunEnds(*run, exit_code);
}

}  // namespace tipstaff::cli
