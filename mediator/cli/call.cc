#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "mediator/base/escape.h"
#include "mediator/cli/admin_client.h"
#include "mediator/cli/call_result.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/settings.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string tool, arguments = "{}", run, call_id;
  bool dry_run = false;
};

void PrintText(const admin::v1::CallReply& reply) {
  const absl::StatusOr<json::Document> decision = json::Parse(reply.decision_json());
  if (decision.ok()) {
    for (const json::Member& member : decision->root().members()) {
      const std::string text =
          member.value.is_string() ? std::string(member.value.string()) : json::Dump(member.value);
      if (text.empty()) continue;  // a decision that is on no record has no id
      std::printf("%-11s %s\n", std::string(member.key).c_str(), base::Escape(text).c_str());
    }
  }
  std::fputs(RenderResult(reply.result_json()).c_str(), stdout);
}

ExitCode Call(const Options& options) {
  if (const auto arguments = json::Parse(options.arguments); !arguments.ok()) {
    return Fail(absl::InvalidArgumentError("the arguments are not JSON: " +
                                           std::string(arguments.status().message())));
  }
  const absl::StatusOr<config::Config> config = LoadConfig(options.settings);
  if (!config.ok()) return Fail(config.status());
  absl::StatusOr<AdminClient> client = AdminClient::Connect(*config);
  if (!client.ok()) return Fail(client.status());
  admin::v1::Request request;
  admin::v1::CallRequest& call = *request.mutable_call();
  call.set_run(options.run);
  call.set_tool(options.tool);
  call.set_arguments_json(options.arguments);
  call.set_call_id(options.call_id);
  call.set_dry_run(options.dry_run);
  admin::v1::Reply reply;
  if (const absl::Status asked = client->Ask(request, reply); !asked.ok()) return Fail(asked);
  const absl::StatusOr<json::Document> decision = json::Parse(reply.call().decision_json());
  if (!decision.ok()) return Fail(decision.status());
  if (options.settings.json()) {
    std::printf("{\"decision\":%s,\"result\":%s}\n", reply.call().decision_json().c_str(),
                reply.call().result_json().empty() ? "null" : reply.call().result_json().c_str());
  } else {
    PrintText(reply.call());
  }
  return decision->root().StringOr("verdict", "") == "allow" ? kOk : kFindings;
}

}  // namespace

void AddCall(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "call", "make one call in a run, or only decide it; exits with 1 when it is refused");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  command->add_option("tool", options->tool, "backend.tool, or its published name")
      ->required()
      ->type_name("TOOL");
  command->add_option("arguments", options->arguments, "a JSON object")->type_name("JSON");
  command->add_option("--run", options->run, "the run")->required()->type_name("RUN");
  command->add_option("--call-id", options->call_id, "a name for the call (default: drawn)")
      ->type_name("ID");
  command->add_flag("--dry-run", options->dry_run, "decide only: nothing is recorded or done");
  command->footer(
      "Example:\n  tipstaff call reports.get_report '{\"report_id\":\"rep_demo0001\"}' --run "
      "run_k3v7q2m4x7aa --dry-run");
  command->callback([options, &exit_code] { exit_code = Call(*options); });
}

}  // namespace tipstaff::cli
