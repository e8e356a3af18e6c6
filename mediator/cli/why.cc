#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/explanation.h"
#include "mediator/cli/ledger_option.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/redecide.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/review/print.h"

namespace tipstaff::cli {
namespace {

struct Options {
  Settings settings;
  std::string ledger, decision;
};

bool SaysTheSame(const Redecided& redecided) {
  const call::Decision& now = redecided.trace.decision;
  const call::Decision& then = redecided.row.decided.decision;
  return now.verdict == then.verdict && now.reason == then.reason;
}

void PrintText(const Redecided& redecided) {
  const policy::Trace& trace = redecided.trace;
  const call::Decision& then = redecided.row.decided.decision;
  std::printf("%s  %s  %s: %s (%s)\n", redecided.row.id().c_str(),
              base::Escape(redecided.row.decided.tool).c_str(),
              std::string(call::VerdictName(then.verdict)).c_str(),
              std::string(call::ReasonName(then.reason)).c_str(),
              std::string(call::ReasonSentence(then.reason)).c_str());
  std::printf("\n%s", RenderTrace(*redecided.grant, trace).c_str());
  if (!SaysTheSame(redecided)) {
    std::printf("\nnote: the skills alone say %s (%s); what decided was the state of the run\n",
                std::string(call::VerdictName(trace.decision.verdict)).c_str(),
                std::string(call::ReasonName(trace.decision.reason)).c_str());
  }
}

void PrintAsJson(const Redecided& redecided) {
  const policy::Trace& trace = redecided.trace;
  const call::Decision& then = redecided.row.decided.decision;
  json::Builder b;
  b.StartObject().Field("id", redecided.row.id()).Field("tool", redecided.row.decided.tool);
  b.Field("verdict", call::VerdictName(then.verdict));
  b.Field("reason", call::ReasonName(then.reason));
  b.Key("skills_say").StartObject();
  b.Field("verdict", call::VerdictName(trace.decision.verdict));
  b.Field("reason", call::ReasonName(trace.decision.reason)).EndObject();
  if (trace.denied) review::AddNearest("deny_rule", *trace.denied, b);
  if (SawPlanted(trace.decision)) review::AddNearest("canary", *trace.decision.nearest, b);
  b.Key("considered").StartArray();
  for (const policy::Considered& one : NearestFirst(trace.considered)) {
    b.StartObject().Field("skill", one.skill).Field("permission", one.permission);
    b.Field("came", policy::CameName(one.came));
    b.Field("constraints", static_cast<uint64_t>(one.constraints));
    if (one.failed) review::AddNearest("failed", *one.failed, b);
    b.EndObject();
  }
  b.EndArray().EndObject();
  PrintJson(std::move(b));
}

ExitCode Why(const Options& options) {
  const std::optional<review::DecisionId> id = review::ParseDecisionId(options.decision);
  if (!id) return Fail(NotADecision(options.decision));
  absl::StatusOr<std::unique_ptr<ledger::Reader>> reader =
      OpenLedger(options.settings, options.ledger);
  if (!reader.ok()) return Fail(reader.status());
  const absl::StatusOr<Redecided> redecided = Redecide(**reader, *id);
  if (absl::IsFailedPrecondition(redecided.status())) {
    Fail(redecided.status());
    return kIndeterminate;
  }
  if (!redecided.ok()) return Fail(redecided.status());
  options.settings.json() ? PrintAsJson(*redecided) : PrintText(*redecided);
  return kOk;
}

}  // namespace

void AddWhy(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "why", "one decision made again: what each permission made of the call, and where");
  AddConfigOption(*command, options->settings);
  AddFormatOption(*command, options->settings);
  AddLedgerOption(*command, options->ledger);
  command->add_option("decision", options->decision, "its id")->required()->type_name("RUN#N");
  command->footer(
      "The skills are those that the run pinned, whatever the files say now. The permission that "
      "came nearest stands first.\n\nExample:\n  tipstaff why 'run_k3v7q2m4x7aa#5'");
  command->callback([options, &exit_code] { exit_code = Why(*options); });
}

}  // namespace tipstaff::cli
