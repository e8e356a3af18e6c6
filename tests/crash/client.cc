#include "tests/crash/client.h"

#include <stdexcept>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/cli/admin_client.h"
#include "mediator/host/approver.h"
#include "mediator/keys/keys.h"
#include "tests/harness/account.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::crash {
namespace {

namespace proto = admin::v1;

absl::StatusOr<proto::Reply> TryAsk(const std::string& admin_socket,
                                    const proto::Request& request) {
  config::Config config;
  config.admin_socket = admin_socket;
  TIPSTAFF_ASSIGN_OR_RETURN(cli::AdminClient client, cli::AdminClient::Connect(config));
  proto::Reply reply;
  TIPSTAFF_RETURN_IF_ERROR(client.Ask(request, reply, absl::Seconds(20)));
  return reply;
}

proto::Reply Ask(const std::string& admin_socket, const proto::Request& request) {
  absl::StatusOr<proto::Reply> reply = TryAsk(admin_socket, request);
  if (!reply.ok()) throw std::runtime_error(reply.status().ToString());
  return *std::move(reply);
}

proto::RunInfo Show(const std::string& admin_socket, const std::string& run) {
  proto::Request request;
  request.mutable_show_run()->set_run(run);
  return Ask(admin_socket, request).show_run();
}

std::string Arguments(const std::string& behaviour, const std::string& label, int ms) {
  return absl::StrCat(R"({"report_id":"r1","behaviour":")", behaviour, R"(","label":")", label,
                      R"(","ms":)", ms, "}");
}

}  // namespace

harness::OpenedRun Operator::Open(const std::string& skill, const std::string& bindings_json,
                                  absl::Duration time_limit) {
  proto::Request request;
  proto::OpenRunRequest& open = *request.mutable_open_run();
  open.add_skills(skill);
  open.set_bindings_json(bindings_json);
  open.set_time_limit_ms(absl::ToInt64Milliseconds(time_limit));
  open.set_own_socket(true);
  const proto::Reply reply = Ask(admin_socket_, request);
  const proto::OpenRunReply& opened = reply.open_run();
  if (shares_account_) {
    const std::string folder = opened.socket_path().substr(0, opened.socket_path().rfind('/'));
    const absl::Status shared =
        harness::ShareAccount(accounts_, opened.run(), folder + "/killable.scratch");
    if (!shared.ok()) throw std::runtime_error(shared.ToString());
  }
  return {opened.run(), opened.socket_path(), opened.token_path()};
}

void Operator::Close(const std::string& run, bool revoke) {
  proto::Request request;
  request.mutable_close_run()->set_run(run);
  request.mutable_close_run()->set_reason("done");
  request.mutable_close_run()->set_revoke(revoke);
  const absl::Status closed = TryAsk(admin_socket_, request).status();
  // It may have expired meanwhile.
  if (!closed.ok() && !absl::IsFailedPrecondition(closed)) {
    throw std::runtime_error(closed.ToString());
  }
}

void Operator::Resolve(const std::string& run, const std::string& as) {
  proto::Request request;
  request.mutable_resolve_run()->set_run(run);
  request.mutable_resolve_run()->set_as(as);
  request.mutable_resolve_run()->set_why("the account says so");
  Ask(admin_socket_, request);
}

void Operator::Approve(const std::string& run, uint64_t number, Told& told) {
  proto::Request queue, approve;
  queue.mutable_queue();
  const proto::Reply waiting = Ask(admin_socket_, queue);
  const auto ring = keys::KeyRing::OpenOrCreate(keys_);
  if (!ring.ok()) throw std::runtime_error(ring.status().ToString());
  for (const proto::HeldCall& call : waiting.queue().calls()) {
    if (call.run() != run || call.number() != number) continue;
    proto::ApproveRequest& saying = *approve.mutable_approve();
    saying.set_run(run);
    saying.set_number(number);
    saying.set_approves(true);
    saying.set_note(
        (*ring)->SignNote(host::StatementText({.decision = absl::StrCat(run, "#", number),
                                               .tool = call.tool(),
                                               .arguments_digest = call.arguments_digest(),
                                               .policy = call.policy(),
                                               .approves = true})));
    Ask(admin_socket_, approve);
    told.Add(run, {.number = number, .approved = true});
  }
}

std::string Operator::Result(const std::string& run) { return Show(admin_socket_, run).result(); }
uint32_t Operator::InFlight(const std::string& run) { return Show(admin_socket_, run).in_flight(); }

std::vector<std::string> Operator::OpenRuns() {
  proto::Request request;
  request.mutable_list_runs();
  const proto::Reply reply = Ask(admin_socket_, request);
  std::vector<std::string> runs;
  for (const proto::RunInfo& run : reply.list_runs().runs()) runs.push_back(run.run());
  return runs;
}

void Told::Opened(const harness::OpenedRun& run) {
  const std::lock_guard lock(mutex_);
  runs_[run.run] = run;
}
void Told::Add(const std::string& run, Acknowledged one) {
  const std::lock_guard lock(mutex_);
  told_[run].push_back(std::move(one));
}
std::map<std::string, harness::OpenedRun> Told::runs() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}
std::vector<Acknowledged> Told::Of(const std::string& run) const {
  const std::lock_guard lock(mutex_);
  const auto it = told_.find(run);
  return it == told_.end() ? std::vector<Acknowledged>() : it->second;
}
void Told::Forget(const std::string& run) {
  const std::lock_guard lock(mutex_);
  runs_.erase(run);
}
size_t Told::count() const {
  const std::lock_guard lock(mutex_);
  size_t count = 0;
  for (const auto& [run, told] : told_) count += told.size();
  return count;
}

uint64_t NumberOf(const e2e::RawAnswer& answer) {
  uint64_t number = 0;
  const size_t hash = answer.decision_id.find('#');
  if (hash == std::string::npos || !absl::SimpleAtoi(answer.decision_id.substr(hash + 1), &number))
    return 0;
  return number;
}

Guest::Guest(const harness::OpenedRun& run, Told& told)
    : run_(run), told_(told), guest_(run.socket) {
  guest_.HelloFrom(run.token_file);
}

e2e::RawAnswer Guest::Call(const std::string& tool, const std::string& arguments,
                           const std::string& id) {
  e2e::RawAnswer answer = guest_.Call(id.empty() ? base::RandomText(16) : id, tool, arguments);
  if (answer.code != "OK") throw std::runtime_error(absl::StrCat(answer.code, answer.message));
  if (const uint64_t number = NumberOf(answer); number != 0) {
    const bool ok =
        answer.verdict == "allow" && !absl::StrContains(answer.result, R"("isError":true)");
    told_.Add(run_.run, {number, answer.reason, ok});
  }
  return answer;
}

e2e::RawAnswer Guest::Post(const std::string& system, const std::string& behaviour, int ms,
                           const std::string& id) {
  return Call(absl::StrCat(system, ".post"), Arguments(behaviour, "w", ms), id);
}
e2e::RawAnswer Guest::Submit(const std::string& behaviour, const std::string& label) {
  return Call("receiver.submit", Arguments(behaviour, label, 0));
}

}  // namespace tipstaff::crash
