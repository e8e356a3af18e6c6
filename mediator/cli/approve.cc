// Calls that wait for a person: what waits, and what a person says of it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "mediator/cli/commands.h"
#include "mediator/cli/ledger_option.h"
#include "mediator/cli/print_json.h"
#include "mediator/cli/run_info.h"
#include "mediator/host/approver.h"
#include "mediator/keys/keys.h"
#include "mediator/review/timeline.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

namespace proto = admin::v1;

struct Options {
  Settings settings;
  std::string decision, why, keys;
};

std::string IdOf(const proto::HeldCall& call) {
  return absl::StrCat(call.run(), "#", call.number());
}

// All that wait, page by page.
absl::StatusOr<std::vector<proto::HeldCall>> Waiting(const Settings& settings) {
  std::vector<proto::HeldCall> calls;
  for (;;) {
    proto::Request request;
    proto::QueueRequest& queue = *request.mutable_queue();
    if (!calls.empty()) {
      queue.mutable_after()->set_run(calls.back().run());
      queue.mutable_after()->set_number(calls.back().number());
    }
    TIPSTAFF_ASSIGN_OR_RETURN(const proto::Reply reply, Ask(settings, request));
    calls.insert(calls.end(), reply.queue().calls().begin(), reply.queue().calls().end());
    if (!reply.queue().more()) return calls;
  }
}

// One, with all its arguments.
absl::StatusOr<proto::HeldCall> Held(const Settings& settings, const review::DecisionId& id) {
  proto::Request request;
  request.mutable_queue()->mutable_call()->set_run(id.run);
  request.mutable_queue()->mutable_call()->set_number(id.number);
  TIPSTAFF_ASSIGN_OR_RETURN(const proto::Reply reply, Ask(settings, request));
  if (reply.queue().calls().empty()) return absl::InternalError("the mediator shows no call");
  return reply.queue().calls(0);
}

absl::StatusOr<std::vector<proto::HeldCall>> Asked(const Options& options) {
  if (options.decision.empty()) return Waiting(options.settings);
  const std::optional<review::DecisionId> id = review::ParseDecisionId(options.decision);
  if (!id) return NotADecision(options.decision);
  TIPSTAFF_ASSIGN_OR_RETURN(proto::HeldCall call, Held(options.settings, *id));
  return std::vector<proto::HeldCall>{std::move(call)};
}

void Line(const char* name, const std::string& text) {
  if (!text.empty()) std::printf("  %-10s %s\n", name, text.c_str());
}

void PrintText(const proto::HeldCall& call) {
  const absl::Duration left = absl::FromUnixMicros(call.until_us()) - absl::Now();
  std::printf("%s  %s\n", IdOf(call).c_str(), base::Escape(call.tool()).c_str());
  const bool cut = call.arguments_size() > call.arguments().size();
  Line("arguments", cut ? base::Escape(call.arguments()) : base::EscapeInJson(call.arguments()));
  if (cut)
    Line("", absl::StrCat("… of ", call.arguments_size(), " bytes: `tipstaff queue '", IdOf(call),
                          "'` shows all"));
  if (absl::StrContains(call.arguments(), "{\"withheld\":"))
    Line("", "what stands as `withheld` is sensitive, and only its digest is kept");
  Line("permission", call.permission());
  Line("may say so", absl::StrJoin(call.by(), ", "));
  Line("opened by", call.opened_by());
  Line("waits",
       absl::StrCat("since ", base::ShowTime(absl::FromUnixMicros(call.since_us())), ", for ",
                    base::ShowDuration(absl::Floor(left, absl::Seconds(1))), " more"));
}

void AddJson(json::Builder& b, const proto::HeldCall& call) {
  b.StartObject().Field("decision", IdOf(call)).Field("tool", call.tool());
  b.Field("arguments", call.arguments()).Field("arguments_size", call.arguments_size());
  b.Field("arguments_digest", call.arguments_digest());
  b.Field("permission", call.permission()).Field("policy", call.policy());
  b.Key("by").StartArray();
  for (const std::string& name : call.by()) b.String(name);
  b.EndArray().Field("opened_by", call.opened_by());
  b.Field("since", base::ShowTime(absl::FromUnixMicros(call.since_us())));
  b.Field("until", base::ShowTime(absl::FromUnixMicros(call.until_us()))).EndObject();
}

ExitCode Queue(const Options& options) {
  const absl::StatusOr<std::vector<proto::HeldCall>> calls = Asked(options);
  if (!calls.ok()) return Fail(calls.status());
  json::Builder b;
  b.StartArray();
  for (const proto::HeldCall& call : *calls) {
    if (options.settings.json()) {
      AddJson(b, call);
    } else {
      PrintText(call);
    }
  }
  b.EndArray();
  if (options.settings.json()) {
    PrintJson(std::move(b));
  } else if (calls->empty()) {
    std::printf("no call waits for a person\n");
  }
  return kOk;
}

// The statement about a call that waits, signed by the current key of the folder.
absl::StatusOr<std::string> Sign(const Options& options, const review::DecisionId& id,
                                 bool approves) {
  TIPSTAFF_ASSIGN_OR_RETURN(const proto::HeldCall call, Held(options.settings, id));
  // Makes nothing: a key that was made just now is nobody's.
  TIPSTAFF_RETURN_IF_ERROR(keys::ListKeys(options.keys).status());
  TIPSTAFF_ASSIGN_OR_RETURN(const auto ring, keys::KeyRing::OpenOrCreate(options.keys));
  return ring->SignNote(host::StatementText(
      {IdOf(call), call.tool(), call.arguments_digest(), call.policy(), approves, options.why}));
}

ExitCode Say(const Options& options, bool approves) {
  const std::optional<review::DecisionId> id = review::ParseDecisionId(options.decision);
  if (!id) return Fail(NotADecision(options.decision));
  proto::Request request;
  proto::ApproveRequest& approve = *request.mutable_approve();
  approve.set_run(id->run);
  approve.set_number(id->number);
  approve.set_approves(approves);
  approve.set_why(options.why);
  if (!options.keys.empty()) {
    const absl::StatusOr<std::string> note = Sign(options, *id, approves);
    if (!note.ok()) return Fail(note.status());
    approve.set_note(*note);
  }
  const absl::StatusOr<proto::Reply> reply = Ask(options.settings, request);
  if (!reply.ok()) return Fail(reply.status());
  std::printf("%s is %s\n", options.decision.c_str(),
              approves ? "approved: the agent's next call with the same arguments is made, once"
                       : "denied");
  return kOk;
}

void AddSaying(CLI::App& program, bool approves, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      approves ? "approve" : "deny",
      approves ? "let a call that waits be made" : "refuse a call that waits");
  AddConfigOption(*command, options->settings);
  command->add_option("decision", options->decision, "its id, as `tipstaff queue` shows it")
      ->required()
      ->type_name("RUN#N");
  CLI::Option* why = command->add_option("--why", options->why, "one line; kept on record");
  why->type_name("TEXT");
  if (!approves) why->required();
  command
      ->add_option("--sign-with", options->keys,
                   "sign it with the key in this folder (`tipstaff keys new --folder`), whose "
                   "public part is your `key` in `people:`; without it you are known by your user")
      ->type_name("FOLDER");
  command->footer(absl::StrCat(
      "Whoever opened the run cannot say it.\n\nExample:\n  tipstaff ",
      approves ? "approve 'run_k3v9q2m4x7aa#7'" : "deny 'run_k3v9q2m4x7aa#7' --why 'not to them'"));
  command->callback([options, approves, &exit_code] { exit_code = Say(*options, approves); });
}

}  // namespace

void AddApproval(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* queue = program.add_subcommand("queue", "the calls that wait for a person");
  queue
      ->add_option("decision", options->decision,
                   "one of them, with all its arguments; of the others long ones are cut")
      ->type_name("RUN#N");
  AddConfigOption(*queue, options->settings);
  AddFormatOption(*queue, options->settings);
  queue->footer("Example:\n  tipstaff queue\n  tipstaff queue 'run_k3v9q2m4x7aa#7'");
  queue->callback([options, &exit_code] { exit_code = Queue(*options); });
  AddSaying(program, /*approves=*/true, exit_code);
  AddSaying(program, /*approves=*/false, exit_code);
}

}  // namespace tipstaff::cli
