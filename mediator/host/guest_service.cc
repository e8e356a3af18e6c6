#include "mediator/host/guest_service.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/ids.h"
#include "mediator/base/utf8.h"
#include "mediator/json/parse.h"
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
constexpr size_t kMaxWatchesOfGate = 16;
constexpr size_t kMaxAgentName = 64;
constexpr size_t kMaxProgressText = 1024;
constexpr size_t kMaxLogBytes = 64 << 10;  // of one log event; a longer one is left out
// Of JSON-RPC.
constexpr int kInvalidParams = -32602;
constexpr int kInternalError = -32603;
constexpr int kRefused = -32000;
constexpr uint64_t kTokensForgiven = 16;  // bad ones; from then on each ends its connection

constexpr absl::string_view kVersion = TIPSTAFF_VERSION;

bool IsLogLevel(absl::string_view level) {
  constexpr absl::string_view kLevels[] = {"debug", "info",     "notice", "warning",
                                           "error", "critical", "alert",  "emergency"};
  return std::find(std::begin(kLevels), std::end(kLevels), level) != std::end(kLevels);
}

call::Kind KindOf(guest::v1::CallKind kind) {
  switch (kind) {
    case guest::v1::RESOURCE:
      return call::Kind::kResource;
    case guest::v1::PROMPT:
      return call::Kind::kPrompt;
    case guest::v1::COMPLETION:
      return call::Kind::kCompletion;
    case guest::v1::SUBSCRIPTION:
      return call::Kind::kSubscription;
    default:
      return call::Kind::kTool;
  }
}

void FillList(const LiveRun& run, guest::v1::ListReply& reply) {
  const policy::Grant& grant = run.grant();
  for (const policy::PublishedTool& tool : grant.tools()) {
    guest::v1::Tool* out = reply.add_tools();
    out->set_name(tool.name);
    out->set_title(tool.title);
    out->set_description(tool.description);
    out->set_input_schema(tool.input_schema);
    out->set_output_schema(tool.output_schema);
    out->set_read_only(tool.effect == call::Effect::kRead);
    out->set_more(tool.more);
  }
  for (const policy::PublishedItem& item : grant.resources()) reply.add_resources(item.json);
  for (const policy::PublishedItem& item : grant.resource_templates()) {
    reply.add_resource_templates(item.json);
  }
  for (const policy::PublishedItem& item : grant.prompts()) reply.add_prompts(item.json);
  reply.set_subscriptions(!grant.resources().empty() || !grant.resource_templates().empty());
  reply.set_completions(grant.completes());
  reply.set_logging(run.has_servers());
}

// Of an answer that is none of a tool: a refusal, or the error that a server answered with.
std::optional<guest::v1::Error> ErrorOf(const Answer& answer) {
  const absl::StatusOr<json::Document> result =
      json::Parse(answer.result, {.max_depth = 2 * json::kMaxDepth});
  const json::Value root = result.ok() ? result->root() : json::Value();
  const json::Value theirs = root.Find("error");
  guest::v1::Error error;
  if (theirs.is_object()) {
    error.set_code(static_cast<int32_t>(theirs.IntegerOr("code", kInternalError)));
    error.set_message(std::string(theirs.StringOr("message", "")));
    return error;
  }
  const bool refused = answer.verdict != call::Verdict::kAllow;
  if (!refused && root.is_object() && !root.BoolOr("isError", false)) return std::nullopt;
  const bool unknown = answer.reason == call::Reason::kUnknownTool;
  error.set_code(refused ? unknown ? kInvalidParams : kRefused : kInternalError);
  error.set_message(std::string(root.Find("content").At(0).StringOr("text", "no answer")));
  return error;
}

guest::v1::CallKind ToProto(call::Kind kind) {
  return kind == call::Kind::kPrompt     ? guest::v1::PROMPT
         : kind == call::Kind::kResource ? guest::v1::RESOURCE
                                         : guest::v1::TOOL;
}

// What a guest can cause without end is logged at the 1st, 2nd, 4th, 8th... time.
bool IsPowerOfTwo(uint64_t count) { return (count & (count - 1)) == 0; }

}  // namespace

// A guest's call: progress, logs, pieces of the result, and one end.
class GuestService::CallWaiter final : public Waiter {
 public:
  CallWaiter(std::weak_ptr<GuestService> service, uint64_t stream,
             const guest::v1::CallRequest& call)
      : service_(std::move(service)),
        stream_(stream),
        want_progress_(call.want_progress()),
        log_level_(IsLogLevel(call.log_level()) ? call.log_level() : ""),
        is_tool_(call.kind() == guest::v1::TOOL) {}

  std::string log_level() const override { return log_level_; }

  void OnProgress(double progress, double total, const std::string& message) override {
    const std::shared_ptr<GuestService> service = service_.lock();
    if (service == nullptr || !want_progress_) return;
    ToGate to_gate;
    to_gate.set_stream(stream_);
    guest::v1::Progress* out = to_gate.mutable_event()->mutable_progress();
    out->set_progress(progress);
    out->set_total(total);
    out->set_message(std::string(base::CutUtf8(message, kMaxProgressText)));
    service->send_(to_gate);
  }

  void OnLog(const std::string& params) override {
    const std::shared_ptr<GuestService> service = service_.lock();
    if (service == nullptr || log_level_.empty() || params.size() > kMaxLogBytes) return;
    ToGate message;
    message.set_stream(stream_);
    message.mutable_event()->set_log(params);
    service->send_(message);
  }

  void OnAnswer(const Answer& answer) override {
    const std::shared_ptr<GuestService> service = service_.lock();
    if (service == nullptr) return;
    service->calls_.erase(stream_);
    ToGate message;
    message.set_stream(stream_);
    guest::v1::End* end = message.mutable_event()->mutable_end();
    FillDecision(answer, *end->mutable_decision());
    std::optional<guest::v1::Error> error;
    if (!is_tool_) error = ErrorOf(answer);
    absl::string_view rest = answer.result;
    if (error) {
      *end->mutable_error() = *std::move(error);
      rest = "";
    }
    while (rest.size() > kPieceBytes) {
      ToGate piece;
      piece.set_stream(stream_);
      piece.mutable_event()->set_piece(rest.data(), kPieceBytes);
      service->send_(piece);
      rest.remove_prefix(kPieceBytes);
    }
    end->set_result(rest.data(), rest.size());
    service->send_(message);
  }

 private:
  static void FillDecision(const Answer& answer, guest::v1::DecisionSummary& decision) {
    decision.set_id(answer.decision_id);
    const absl::string_view verdict = call::VerdictName(answer.verdict);
    const absl::string_view reason = call::ReasonName(answer.reason);
    decision.set_verdict(verdict.data(), verdict.size());
    decision.set_reason(reason.data(), reason.size());
    decision.set_retry(answer.retry);
  }

  const std::weak_ptr<GuestService> service_;
  const uint64_t stream_;
  const bool want_progress_;
  const std::string log_level_;
  const bool is_tool_;
};

bool GuestService::Handle(absl::string_view bytes) {
  FromGate message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  if (message.message_case() == FromGate::kCancel) {
    Cancel(message.stream());
    return true;
  }
  // A stream's name is used once.
  if (calls_.contains(message.stream()) || watches_.contains(message.stream())) return false;
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
    case FromGate::kWatch:
      Watch(message);
      return true;
    default:
      return false;
  }
}

void GuestService::Disconnect() {
  const std::shared_ptr<LiveRun> run = context_.run();
  for (const auto& [stream, watch] : std::exchange(watches_, {})) {
    if (run != nullptr) run->changes().Remove(watch);
  }
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
  reply.mutable_list();
  if (run != nullptr) FillList(*run, *reply.mutable_list());
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
  auto waiter = std::make_shared<CallWaiter>(weak_from_this(), stream, request);
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
  const run::StreamId call = run->Call({.call_id = request.call_id(),
                                        .tool = request.tool(),
                                        .arguments = request.arguments(),
                                        .kind = KindOf(request.kind())},
                                       std::move(waiter));
  if (const auto it = calls_.find(stream); it != calls_.end()) it->second = call;
}

void GuestService::Watch(const FromGate& message) {
  const uint64_t stream = message.stream();
  if (!HasSession(message.watch().session(), stream)) return;
  const std::shared_ptr<LiveRun> run = context_.run();
  if (run == nullptr) return Fail(stream, kUnavailable, "no run is open on this channel");
  if (watches_.size() >= kMaxWatchesOfGate) {
    return Fail(stream, kResourceExhausted, "too many watches");
  }
  ToGate begun;
  begun.set_stream(stream);
  begun.mutable_change();
  send_(begun);
  watches_[stream] = run->changes().Add([weak = weak_from_this(), stream](const RunChange& change) {
    const std::shared_ptr<GuestService> service = weak.lock();
    if (service == nullptr) return;
    ToGate out;
    out.set_stream(stream);
    if (change.uri.empty()) {
      out.mutable_change()->set_list_changed(ToProto(change.list));
    } else {
      out.mutable_change()->set_resource_updated(change.uri);
    }
    service->send_(out);
  });
}

void GuestService::Cancel(uint64_t stream) {
  if (const auto watch = watches_.find(stream); watch != watches_.end()) {
    if (const std::shared_ptr<LiveRun> run = context_.run()) run->changes().Remove(watch->second);
    watches_.erase(watch);
    return;
  }
  const auto it = calls_.find(stream);
  if (it == calls_.end()) return;
  const run::StreamId call = it->second;
  calls_.erase(it);
  if (const std::shared_ptr<LiveRun> run = context_.run()) run->Cancel(call);
}

}  // namespace tipstaff::host
