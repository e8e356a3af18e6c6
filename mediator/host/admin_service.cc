#include "mediator/host/admin_service.h"

#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/ids.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/run/state.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::host {
namespace {

using admin::v1::Reply;
using admin::v1::Request;

void SetTally(const run::Tally& tally, admin::v1::RunInfo& info) {
  info.set_decisions(tally.all());
  info.set_allowed(tally.allowed);
  info.set_denied(tally.denied);
  info.set_held(tally.held);
}

void Fill(const LiveRun& run, admin::v1::RunInfo& info) {
  const run::Run& state = run.state();
  info.set_run(run.id());
  info.set_access(std::string(run::AccessName(state.access())));
  info.set_result(std::string(run::ResultName(state.result())));
  for (const run::PinnedSkill& skill : run.opened().skills) info.add_skills(skill.name);
  info.set_bindings_json(json::Canonical(run.opened().bindings.root()));
  info.set_opened_at_us(absl::ToUnixMicros(run.opened().opened_at));
  info.set_expires_at_us(absl::ToUnixMicros(run.opened().expires_at));
  SetTally(state.tally(), info);
  info.set_channel(run.opened().channel);
  info.set_in_flight(static_cast<uint32_t>(state.in_flight()));
  for (const uint64_t number : state.MayStillAct()) info.add_may_still_act(number);
}

void Fill(const LiveRun& run, const run::HeldCall& held, admin::v1::HeldCall& out) {
  out.set_run(run.id());
  out.set_number(held.number);
  out.set_tool(held.tool);
  out.set_arguments_digest(held.arguments_digest);
  out.set_arguments(held.arguments);
  out.set_arguments_size(held.arguments_size);
  out.set_policy(run.grant().digest());
  out.set_permission(run.grant().PermissionName(held.permission));
  for (const std::string& name :
       run.grant().ApprovalOf(held.permission).value_or(policy::Approval()).by) {
    out.add_by(name);
  }
  out.set_since_us(absl::ToUnixMicros(held.since));
  out.set_until_us(absl::ToUnixMicros(held.until));
  out.set_opened_by(run.opened().opened_by);
}

std::string DecisionJson(const std::string& id, const call::Decision& decision) {
  json::Builder b;
  b.StartObject();
  if (!id.empty()) b.Field("id", id);
  b.Field("verdict", call::VerdictName(decision.verdict));
  b.Field("reason", call::ReasonName(decision.reason));
  b.Field("effect", call::EffectName(decision.effect));
  if (!decision.skill.empty()) b.Field("skill", decision.skill);
  if (!decision.permission.empty()) b.Field("permission", decision.permission);
  if (!decision.detail.empty()) b.Field("detail", decision.detail);
  if (decision.nearest) {
    const call::Nearest& n = *decision.nearest;
    b.Key("nearest").StartObject().Field("skill", n.skill).Field("permission", n.permission);
    b.Field("at", n.pointer).Field("constraint", n.constraint).Field("expected", n.expected);
    b.Field("found", n.found).Field("file", n.file).Field("line", n.line);
    b.Field("column", n.column).EndObject();
  }
  b.EndObject();
  return json::Dump(std::move(b).Build()->root());
}

// It stands in a record.
constexpr size_t kMaxWhyBytes = 1000;
// A reply has 2 MiB then.
constexpr int kHeldAtOnce = 1000;

bool IsForPeople(Request::RequestCase request) {
  return request == Request::kQueue || request == Request::kApprove;
}

absl::Status NoSuchRun(const std::string& run) {
  return absl::NotFoundError(
      absl::StrCat("no open run `", run, "`; `tipstaff run list` shows them"));
}

}  // namespace

// An operator's own call: same gate, same record.
class AdminService::CallWaiter final : public Waiter {
 public:
  explicit CallWaiter(std::weak_ptr<AdminService> service) : service_(std::move(service)) {}
  void OnProgress(double, double, const std::string&) override {}
  void OnAnswer(const Answer& answer) override {
    const std::shared_ptr<AdminService> service = service_.lock();
    if (service == nullptr) return;
    json::Builder b;
    b.StartObject().Field("id", answer.decision_id);
    b.Field("verdict", call::VerdictName(answer.verdict));
    b.Field("reason", call::ReasonName(answer.reason)).Field("retry", answer.retry).EndObject();
    Reply reply;
    reply.mutable_call()->set_decision_json(json::Dump(std::move(b).Build()->root()));
    reply.mutable_call()->set_result_json(answer.result);
    service->send_(reply);
  }

 private:
  const std::weak_ptr<AdminService> service_;
};

AdminService::AdminService(Mediator& mediator, const base::Clock& clock, std::string ledger_path,
                           std::string by, bool operates, Send send)
    : mediator_(mediator),
      clock_(clock),
      ledger_path_(std::move(ledger_path)),
      by_(std::move(by)),
      operates_(operates),
      send_(std::move(send)) {}

bool AdminService::Handle(absl::string_view bytes) {
  Request request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  if (!operates_ && !IsForPeople(request.request_case())) {
    SendError(absl::PermissionDeniedError(
        "only the mediator's own user and root may do that; you may see what waits (`tipstaff "
        "queue`), approve and deny"));
    return true;
  }
  switch (request.request_case()) {
    case Request::kStatus:
      Status(request);
      return true;
    case Request::kOpenRun:
      OpenRun(request);
      return true;
    case Request::kListRuns:
      ListRuns(request);
      return true;
    case Request::kShowRun:
      ShowRun(request);
      return true;
    case Request::kCloseRun:
      CloseRun(request);
      return true;
    case Request::kResolveRun:
      ResolveRun(request);
      return true;
    case Request::kCall:
      Call(request);
      return true;
    case Request::kQueue:
      Queue(request);
      return true;
    case Request::kApprove:
      Approve(request);
      return true;
    case Request::REQUEST_NOT_SET:
      SendError(absl::UnimplementedError("this mediator does not know that request"));
      return true;
  }
  return false;
}

void AdminService::SendError(const absl::Status& status, const source::Diagnostics& diagnostics) {
  Reply reply;
  reply.mutable_error()->set_code(static_cast<int>(status.code()));
  reply.mutable_error()->set_message(std::string(status.message()));
  if (!diagnostics.empty()) {
    reply.mutable_error()->set_diagnostics_json(source::RenderJson(diagnostics));
    reply.mutable_error()->set_diagnostics_text(source::RenderText(diagnostics));
  }
  send_(reply);
}

void AdminService::Status(const Request&) {
  Reply reply;
  admin::v1::StatusReply* status = reply.mutable_status();
  status->set_version(TIPSTAFF_VERSION);
  status->set_pid(static_cast<uint64_t>(::getpid()));
  status->set_ledger(std::filesystem::absolute(ledger_path_).string());
  status->set_open_runs(static_cast<uint32_t>(mediator_.Runs().size()));
  send_(reply);
}

void AdminService::OpenRun(const Request& request) {
  const admin::v1::OpenRunRequest& in = request.open_run();
  OpenRequest open;
  open.skills.assign(in.skills().begin(), in.skills().end());
  open.bindings_json = in.bindings_json();
  open.time_limit = absl::Milliseconds(in.time_limit_ms());
  open.seed = in.seed();
  open.canaries.assign(in.canaries().begin(), in.canaries().end());
  for (const auto& [name, value] : in.facts()) open.facts.emplace(name, value);
  open.vm = in.vm();
  open.cid = in.cid();
  open.opened_by = by_;
  open.unconfined = in.unconfined();
  open.network = in.network();
  auto diagnostics = std::make_shared<source::Diagnostics>();
  mediator_.Open(open, *diagnostics,
                 [weak = weak_from_this(), diagnostics](absl::StatusOr<OpenedRun> opened) {
                   const std::shared_ptr<AdminService> self = weak.lock();
                   if (self == nullptr) return;
                   if (!opened.ok()) return self->SendError(opened.status(), *diagnostics);
                   Reply reply;
                   admin::v1::OpenRunReply* out = reply.mutable_open_run();
                   out->set_run(opened->run);
                   out->set_channel(opened->channel);
                   if (!opened->socket_path.empty()) {
                     out->set_socket_path(std::filesystem::absolute(opened->socket_path).string());
                   }
                   out->set_token_path(opened->token_path);
                   out->set_expires_at_us(absl::ToUnixMicros(opened->expires_at));
                   for (const std::string& tool : opened->tools) out->add_tools(tool);
                   self->send_(reply);
                 });
}

void AdminService::ListRuns(const Request&) {
  Reply reply;
  reply.mutable_list_runs();
  for (const std::shared_ptr<LiveRun>& run : mediator_.Runs()) {
    Fill(*run, *reply.mutable_list_runs()->add_runs());
  }
  send_(reply);
}

void AdminService::ShowRun(const Request& request) {
  const std::shared_ptr<LiveRun> run = mediator_.Find(request.show_run().run());
  if (run == nullptr) return SendError(NoSuchRun(request.show_run().run()));
  Reply reply;
  Fill(*run, *reply.mutable_show_run());
  send_(reply);
}

void AdminService::CloseRun(const Request& request) {
  const admin::v1::CloseRunRequest& in = request.close_run();
  mediator_.Close(
      in.run(), by_, in.reason(), in.revoke(),
      [weak = weak_from_this()](const absl::StatusOr<std::shared_ptr<LiveRun>>& closed) {
        const std::shared_ptr<AdminService> self = weak.lock();
        if (self == nullptr) return;
        if (!closed.ok()) return self->SendError(closed.status());
        Reply reply;
        Fill(**closed, *reply.mutable_close_run());
        self->send_(reply);
      });
}

void AdminService::ResolveRun(const Request& request) {
  const admin::v1::ResolveRunRequest& in = request.resolve_run();
  const std::optional<run::Resolution> as = run::ParseResolution(in.as());
  if (!as) {
    return SendError(
        absl::InvalidArgumentError("a result is resolved as over, abandoned, accepted or refused"));
  }
  if (in.why().empty()) return SendError(absl::InvalidArgumentError("say why: it is recorded"));
  const std::shared_ptr<LiveRun> run = mediator_.Find(in.run());
  mediator_.Resolve(in.run(), *as, by_, in.why(),
                    [weak = weak_from_this(), run](const absl::Status& status) {
                      const std::shared_ptr<AdminService> self = weak.lock();
                      if (self == nullptr) return;
                      if (!status.ok()) return self->SendError(status);
                      Reply reply;
                      Fill(*run, *reply.mutable_resolve_run());
                      self->send_(reply);
                    });
}

void AdminService::Call(const Request& request) {
  const admin::v1::CallRequest& in = request.call();
  const std::shared_ptr<LiveRun> run = mediator_.Find(in.run());
  if (run == nullptr) return SendError(NoSuchRun(in.run()));
  Incoming incoming{
      in.call_id().empty() ? absl::StrCat(kOperatorPrefix, base::RandomText(12)) : in.call_id(),
      in.tool(), in.arguments_json(), call::Kind::kTool, /*by_operator=*/true};
  if (!in.dry_run()) {
    run->Call(std::move(incoming), std::make_shared<CallWaiter>(weak_from_this()));
    return;
  }
  run->Preview(std::move(incoming),
               [weak = weak_from_this()](const absl::StatusOr<call::Decision>& decision) {
                 const std::shared_ptr<AdminService> self = weak.lock();
                 if (self == nullptr) return;
                 if (!decision.ok()) return self->SendError(decision.status());
                 Reply reply;
                 reply.mutable_call()->set_decision_json(DecisionJson("", *decision));
                 self->send_(reply);
               });
}

void AdminService::Queue(const Request& request) {
  const admin::v1::QueueRequest& in = request.queue();
  if (in.has_call()) return ShowHeld(in.call());
  Reply reply;
  admin::v1::QueueReply& out = *reply.mutable_queue();
  for (const std::shared_ptr<LiveRun>& run : mediator_.Runs()) {
    if (run->id() < in.after().run()) continue;
    for (const run::HeldCall& held : run->state().HeldCalls(clock_.Now())) {
      if (run->id() == in.after().run() && held.number <= in.after().number()) continue;
      if (out.calls_size() == kHeldAtOnce) {
        out.set_more(true);
        return send_(reply);
      }
      Fill(*run, held, *out.add_calls());
    }
  }
  send_(reply);
}

void AdminService::ShowHeld(const admin::v1::CallPlace& place) {
  const std::shared_ptr<LiveRun> run = mediator_.Find(place.run());
  if (run == nullptr) return SendError(NoSuchRun(place.run()));
  for (const run::HeldCall& held : run->state().HeldCalls(clock_.Now())) {
    if (held.number != place.number()) continue;
    const absl::StatusOr<std::string> arguments = run->ArgumentsOf(held);
    if (!arguments.ok()) return SendError(arguments.status());
    Reply reply;
    admin::v1::HeldCall& out = *reply.mutable_queue()->add_calls();
    Fill(*run, held, out);
    out.set_arguments(*arguments);
    return send_(reply);
  }
  SendError(absl::FailedPreconditionError(
      absl::StrCat("`", place.run(), "#", place.number(),
                   "` does not wait for approval; `tipstaff queue` shows what does")));
}

void AdminService::Approve(const Request& request) {
  const admin::v1::ApproveRequest& in = request.approve();
  if (in.why().size() > kMaxWhyBytes) {
    return SendError(
        absl::InvalidArgumentError(absl::StrCat("`why` is longer than ", kMaxWhyBytes, " bytes")));
  }
  if (in.why().find_first_of(std::string("\n\r\0", 3)) != std::string::npos) {
    return SendError(absl::InvalidArgumentError("`why` is one line"));
  }
  mediator_.Approve(in.run(), in.number(), in.approves(), by_, in.why(), in.note(),
                    [weak = weak_from_this()](const absl::Status& status) {
                      const std::shared_ptr<AdminService> self = weak.lock();
                      if (self == nullptr) return;
                      if (!status.ok()) return self->SendError(status);
                      Reply reply;
                      reply.mutable_approve();
                      self->send_(reply);
                    });
}

}  // namespace tipstaff::host
