// An operator ends a run, or says what nobody else knows about its result.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/cli/run_info.h"
#include "mediator/run/records.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

namespace proto = admin::v1;

struct Options {
  Settings settings;
  std::string run, why, as;
};

ExitCode Close(const Options& options, bool revoke) {
  proto::Request request;
  request.mutable_close_run()->set_run(options.run);
  request.mutable_close_run()->set_reason(options.why);
  request.mutable_close_run()->set_revoke(revoke);
  const absl::StatusOr<proto::Reply> reply = Ask(options.settings, request);
  if (!reply.ok()) return Fail(reply.status());
  const proto::RunInfo& info = reply->close_run();
  PrintInfo(options.settings, info);
  if (info.result() == "held" || info.result() == "unknown") {
    std::fprintf(stderr,
                 "tipstaff: the result stays %s on record: nothing can be added to a run "
                 "that is closed\n",
                 info.result().c_str());
  }
  return kOk;
}

ExitCode Resolve(const Options& options) {
  proto::Request request;
  request.mutable_resolve_run()->set_run(options.run);
  request.mutable_resolve_run()->set_as(options.as);
  request.mutable_resolve_run()->set_why(options.why);
  const absl::StatusOr<proto::Reply> reply = Ask(options.settings, request);
  if (!reply.ok()) return Fail(reply.status());
  PrintInfo(options.settings, reply->resolve_run());
  return kOk;
}

CLI::App* AddCommand(CLI::App& run, const char* name, const char* what, Options& options) {
  CLI::App* command = run.add_subcommand(name, what);
  AddConfigOption(*command, options.settings);
  AddFormatOption(*command, options.settings);
  command->add_option("run", options.run, "its id")->required()->type_name("RUN");
  return command;
}

void AddWhyOption(CLI::App& command, Options& options) {
  command.add_option("--why", options.why, "why; kept on record")
      ->required()
      ->type_name("TEXT")
      ->check([](const std::string& text) {
        return absl::StripAsciiWhitespace(text).empty() ? std::string("is empty") : std::string();
      });
}

}  // namespace

void AddRunEnds(CLI::App& run, int& exit_code) {
  auto close = std::make_shared<Options>();
  CLI::App* command = AddCommand(run, "close", "end a run: nothing is permitted any more", *close);
  command->add_option("--reason", close->why, "why; kept on record")->type_name("TEXT");
  command->footer("Example:\n  tipstaff run close run_k3v7q2m4x7aa --reason done");
  command->callback([close, &exit_code] { exit_code = Close(*close, /*revoke=*/false); });

  auto revoke = std::make_shared<Options>();
  command =
      AddCommand(run, "revoke", "end a run that should not go on; its agent hears so", *revoke);
  AddWhyOption(*command, *revoke);
  command->footer(
      "Example:\n  tipstaff run revoke run_k3v7q2m4x7aa --why 'it reads other reports'");
  command->callback([revoke, &exit_code] { exit_code = Close(*revoke, /*revoke=*/true); });

  auto resolve = std::make_shared<Options>();
  command =
      AddCommand(run, "resolve", "say what became of a result that is held or unknown", *resolve);
  command
      ->add_option("--as", resolve->as,
                   "held: over (nothing more will come of the writes) or abandoned; unknown: "
                   "accepted or refused, by the receiver")
      ->required()
      ->check(CLI::IsMember({"over", "abandoned", "accepted", "refused"}))
      ->type_name("WORD");
  AddWhyOption(*command, *resolve);
  command->footer(
      "After `over` the agent may submit again; the others are final. `tipstaff run show` says "
      "which "
      "writes a held result waits for. Once a run is closed its result stays as it is.\n\n"
      "Example:\n  tipstaff run resolve run_k3v7q2m4x7aa --as accepted --why 'REP-7 is closed'");
  command->callback([resolve, &exit_code] { exit_code = Resolve(*resolve); });
}

}  // namespace tipstaff::cli
