#include "mediator/host/guest_service.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/ids.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::host {
namespace {

using gate::v1::FromGate;
using gate::v1::ToGate;

// gRPC's status codes, as guest.proto uses them; this program does not link gRPC.
constexpr int kPermissionDenied = 7;
constexpr int kResourceExhausted = 8;
constexpr int kUnavailable = 14;
constexpr int kUnauthenticated = 16;

constexpr size_t kPieceBytes = 256 << 10;  // of a result, in one message
constexpr size_t kMaxSessions = 64;        // of one gate
constexpr size_t kMaxCallsOfGate = 64;     // in flight
constexpr size_t kMaxAgentName = 64;
constexpr uint64_t kTokensForgiven = 16;  // bad ones; from then on each ends its connection

constexpr absl::string_view kVersion = TIPSTAFF_VERSION;

// What a guest can cause without end is logged at the 1st, 2nd, 4th, 8th... time.
bool IsPowerOfTwo(uint64_t count) { return (count & (count - 1)) == 0; }

}  // namespace

// A guest's call: progress, pieces of the result, and one end.
class GuestService::CallWaiter final : public Waiter {
 public:
  CallWaiter(std::weak_ptr<GuestService> service, uint64_t stream, bool want_progress)
      : service_(std::move(service)), stream_(stream), want_progress_(want_progress) {}

  void OnProgress(double progress, double total) override {
    const std::shared_ptr<GuestService> service = service_.lock();
    if (service == nullptr || !want_progress_) return;
    ToGate message;
    message.set_stream(stream_);
    guest::v1::Progress* out = message.mutable_event()->mutable_progress();
    out->set_progress(progress);
    out->set_total(total);
    service->send_(message);
  }

  void OnAnswer(const Answer& answer) override {
    const std::shared_ptr<GuestService> service = service_.lock();
    if (service == nullptr) return;
    service->calls_.erase(stream_);
    absl::string_view rest = answer.result;
    while (rest.size() > kPieceBytes) {
      ToGate piece;
      piece.set_stream(stream_);
      piece.mutable_event()->set_piece(rest.data(), kPieceBytes);
      service->send_(piece);
      rest.remove_prefix(kPieceBytes);
    }
    ToGate message;
    message.set_stream(stream_);
    guest::v1::End* end = message.mutable_event()->mutable_end();
    end->set_result(rest.data(), rest.size());
    guest::v1::DecisionSummary* decision = end->mutable_decision();
    decision->set_id(answer.decision_id);
    const absl::string_view verdict = call::VerdictName(answer.verdict);
    const absl::string_view reason = call::ReasonName(answer.reason);
    decision->set_verdict(verdict.data(), verdict.size());
    decision->set_reason(reason.data(), reason.size());
    decision->set_retry(answer.retry);
    service->send_(message);
  }

 private:
  const std::weak_ptr<GuestService> service_;
  const uint64_t stream_;
  const bool want_progress_;
};

bool GuestService::Handle(absl::string_view bytes) {
  FromGate message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  if (message.message_case() == FromGate::kCancel) {
    Cancel(message.stream());
    return true;
  }
  if (calls_.contains(message.stream())) return false;  // a stream's name is used once
  switch (message.message_case()) {
    case FromGate::kHello:
      Hello(message);
      return true;
    case FromGate::kList:
      List(message);
      return true;
    case FromGate::kCall:
      Call(message);
      return true;
    default:
      return false;
  }
}

void GuestService::Disconnect() {
  const std::shared_ptr<LiveRun> run = context_.run();
  std::vector<run::StreamId> calls;
  for (const auto& [stream, call] : std::exchange(calls_, {})) calls.push_back(call);
  // The last ones first: one that waits does not get its turn by another one's end.
  std::sort(calls.rbegin(), calls.rend());
  for (const run::StreamId call : calls) {
    if (run != nullptr) run->Cancel(call);
  }
}

void GuestService::Fail(uint64_t stream, int grpc_code, absl::string_view text, bool close) {
  ToGate message;
  message.set_stream(stream);
  message.mutable_failure()->set_code(grpc_code);
  message.mutable_failure()->set_message(text.data(), text.size());
  message.mutable_failure()->set_close_connection(close);
  send_(message);
}

void GuestService::Hello(const FromGate& message) {
  const guest::v1::HelloRequest& hello = message.hello();
  const std::shared_ptr<LiveRun> run = context_.run();
  if (run == nullptr) {
    Fail(message.stream(), kUnavailable, "no run is open on this channel");
    return;
  }
  const absl::StatusOr<keys::RunClaims> claims = context_.check_token(hello.token());
  if (!claims.ok()) {
    if (IsPowerOfTwo(++refused_tokens_))
      spdlog::warn("{}: a token was refused: {}", run->id(),
                   std::string(claims.status().message()));
    const bool often = refused_tokens_ > kTokensForgiven;
    Fail(message.stream(), kUnauthenticated, claims.status().message(), often);
    return;
  }
  if (claims->run != run->id()) {
    if (IsPowerOfTwo(++foreign_tokens_))
      spdlog::warn("{}: a token of another run was used on its channel; {} so far", run->id(),
                   foreign_tokens_);
    Fail(message.stream(), kPermissionDenied, "the token belongs to another run", true);
    return;
  }
  if (sessions_.size() >= kMaxSessions) sessions_.clear();  // the others say hello again
  ToGate reply;
  reply.set_stream(message.stream());
  const std::string session = base::RandomText(26);
  sessions_.insert(session);
  reply.mutable_hello()->set_session(session);
  reply.mutable_hello()->set_run(run->id());
  reply.mutable_hello()->set_server_version(kVersion.data(), kVersion.size());
  if (IsPowerOfTwo(++hellos_))
    spdlog::info("{}: guest `{}` {} said hello", run->id(),
                 base::EscapeAndCut(hello.agent_name(), kMaxAgentName),
                 base::EscapeAndCut(hello.agent_version(), kMaxAgentName));
  send_(reply);
}

bool GuestService::HasSession(const std::string& session, uint64_t stream) {
  if (sessions_.contains(session)) return true;
  Fail(stream, kUnauthenticated, "unknown session: say hello first");
  return false;
}

void GuestService::List(const FromGate& message) {
  if (!HasSession(message.list().session(), message.stream())) return;
  const std::shared_ptr<LiveRun> run = context_.run();
  ToGate reply;
  reply.set_stream(message.stream());
  guest::v1::ListReply* tools = reply.mutable_list();
  if (run != nullptr) {
    for (const policy::PublishedTool& tool : run->grant().tools()) {
      guest::v1::Tool* out = tools->add_tools();
      out->set_name(tool.name);
      out->set_title(tool.title);
      out->set_description(tool.description);
      out->set_input_schema(tool.input_schema);
      out->set_output_schema(tool.output_schema);
      out->set_read_only(tool.effect == call::Effect::kRead);
    }
  }
  send_(reply);
}

void GuestService::Call(const FromGate& message) {
  const guest::v1::CallRequest& request = message.call();
  const uint64_t stream = message.stream();
  if (!HasSession(request.session(), stream)) return;
  if (calls_.size() >= kMaxCallsOfGate) {
    Fail(stream, kResourceExhausted, "too many calls in flight");
    return;
  }
  auto waiter = std::make_shared<CallWaiter>(weak_from_this(), stream, request.want_progress());
  const std::shared_ptr<LiveRun> run = context_.run();
  if (run == nullptr) {
    // The run's last record is written: this answer is on no record.
    Answer answer;
    answer.reason = *context_.closed_reason;
    answer.result = RefusalResult("", answer.reason, false, "");
    waiter->OnAnswer(answer);
    return;
  }
  calls_[stream] = 0;  // before the answer, which may come at once and takes it out
  const run::StreamId call =
      run->Call({request.call_id(), request.tool(), request.arguments()}, std::move(waiter));
  if (const auto it = calls_.find(stream); it != calls_.end()) it->second = call;
}

void GuestService::Cancel(uint64_t stream) {
  const auto it = calls_.find(stream);
  if (it == calls_.end()) return;
  const run::StreamId call = it->second;
  calls_.erase(it);
  if (const std::shared_ptr<LiveRun> run = context_.run()) run->Cancel(call);
}

}  // namespace tipstaff::host
