#include "guest-agent/connection.h"

#include <grpc/grpc.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel_posix.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "guest-agent/limits.h"
#include "mediator/base/status.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::guest_agent {
namespace {

namespace proto = ::tipstaff::guest::v1;

constexpr absl::Duration kHelloTimeout = absl::Seconds(5);

// gRPC's codes are Abseil's.
absl::Status ToStatus(const grpc::Status& status) {
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

proto::CallKind ToKind(mcp::CallKind kind) {
  switch (kind) {
    case mcp::CallKind::kTool:
      return proto::TOOL;
    case mcp::CallKind::kResource:
      return proto::RESOURCE;
    case mcp::CallKind::kPrompt:
      return proto::PROMPT;
    case mcp::CallKind::kSubscription:
      return proto::SUBSCRIPTION;
    case mcp::CallKind::kCompletion:
      return proto::COMPLETION;
  }
  return proto::TOOL;
}

// Nothing for a change of a kind that this program does not know.
std::optional<mcp::Change> ToChange(const proto::Change& change) {
  if (change.has_resource_updated()) {
    return mcp::Change{mcp::Change::What::kResource, change.resource_updated()};
  }
  if (!change.has_list_changed()) return std::nullopt;
  switch (change.list_changed()) {
    case proto::TOOL:
      return mcp::Change{mcp::Change::What::kTools};
    case proto::RESOURCE:
      return mcp::Change{mcp::Change::What::kResources};
    case proto::PROMPT:
      return mcp::Change{mcp::Change::What::kPrompts};
    default:
      return std::nullopt;
  }
}

mcp::CatalogPtr ToCatalog(const proto::ListReply& reply) {
  auto catalog = std::make_shared<mcp::Catalog>();
  catalog->tools.reserve(reply.tools_size());
  for (const proto::Tool& tool : reply.tools()) {
    catalog->tools.push_back({tool.name(), tool.title(), tool.description(), tool.input_schema(),
                              tool.output_schema(), tool.read_only(), tool.more()});
  }
  catalog->resources.assign(reply.resources().begin(), reply.resources().end());
  catalog->resource_templates.assign(reply.resource_templates().begin(),
                                     reply.resource_templates().end());
  catalog->prompts.assign(reply.prompts().begin(), reply.prompts().end());
  catalog->subscriptions = reply.subscriptions();
  catalog->completions = reply.completions();
  catalog->logging = reply.logging();
  return catalog;
}

// At most `size` bytes, without half a character.
std::string Cut(const std::string& text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

mcp::CallEnd ToEnd(proto::End& end, std::string pieces) {
  mcp::CallEnd result{.result = std::move(pieces)};
  result.result.append(end.result());
  if (end.has_decision()) {
    const proto::DecisionSummary& decision = end.decision();
    result.decision = {decision.id(), decision.verdict(), decision.reason(), decision.retry()};
  }
  if (end.has_error()) result.error = {end.error().code(), end.error().message()};
  return result;
}

// Reads up to the end of the call, or until its result is too large (OutOfRange); both are in
// `result` then. False when the stream broke before.
bool ReadEvents(grpc::ClientReader<proto::CallEvent>& reader, const CallEvents& events,
                CallTry& result) {
  std::string pieces;
  proto::CallEvent event;
  while (reader.Read(&event)) {
    result.heard = true;
    if (event.has_progress()) {
      const proto::Progress& progress = event.progress();
      events.on_progress({progress.progress(), progress.total(), progress.message()});
    }
    if (event.has_log()) events.on_log(event.log());
    const size_t size = event.has_end() ? event.end().result().size() : event.piece().size();
    if (pieces.size() + size > kMaxResultBytes) {
      result.end = absl::OutOfRangeError(
          absl::StrCat("the result is larger than ", kMaxResultBytes, " bytes"));
      return true;
    }
    if (event.has_end()) {
      result.end = ToEnd(*event.mutable_end(), std::move(pieces));
      return true;
    }
    pieces.append(event.piece());
  }
  return false;
}

}  // namespace

struct Connection::Live {
  std::shared_ptr<grpc::Channel> channel;
  std::shared_ptr<proto::Guest::Stub> stub;
  std::string session;  // "": has to say Hello again
};

Connection::Connection(Dial dial, Token token, Log log)
    : dial_(std::move(dial)), token_(std::move(token)), log_(std::move(log)) {
  // Never undone: with the last channel gone gRPC would end its threads, for which it can take ten
  // seconds, and start them again for the next one.
  static const bool kStarted = (grpc_init(), true);
  (void)kStarted;
}

Connection::~Connection() = default;

void Connection::SetAgent(const mcp::ClientInfo& agent) {
  const std::lock_guard<std::mutex> lock(agent_mutex_);
  agent_ = {Cut(agent.name, kMaxAgentNameBytes), Cut(agent.version, kMaxAgentNameBytes)};
}

absl::StatusOr<std::shared_ptr<const Connection::Live>> Connection::Acquire(
    Cancellation& cancellation, absl::Time deadline) {
  const std::unique_lock<std::timed_mutex> lock(mutex_, absl::ToChronoTime(deadline));
  if (!lock.owns_lock()) return absl::DeadlineExceededError("no answer to Hello");
  if (!refused_.ok()) return refused_;
  if (live_ && !live_->session.empty()) return live_;
  if (cancellation.cancelled()) return absl::CancelledError("cancelled");
  absl::StatusOr<std::shared_ptr<const Live>> opened = Open(live_, cancellation, deadline);
  live_ = opened.ok() ? *opened : nullptr;
  if (absl::IsPermissionDenied(opened.status())) Refuse(opened.status());
  return opened;
}

absl::StatusOr<std::shared_ptr<const Connection::Live>> Connection::Open(
    std::shared_ptr<const Live> old, Cancellation& cancellation, absl::Time deadline) {
  Live live;
  if (old) {
    live = {old->channel, old->stub, ""};
  } else {
    absl::StatusOr<base::Fd> fd = dial_();
    // Of the file system, which may change: not the mediator's final word.
    if (absl::IsPermissionDenied(fd.status())) {
      return absl::UnavailableError(fd.status().message());
    }
    if (!fd.ok()) return fd.status();
    live.channel = grpc::CreateInsecureChannelFromFd("tipstaff", fd->release());
    live.stub = proto::Guest::NewStub(live.channel);
  }
  proto::HelloRequest request;
  TIPSTAFF_ASSIGN_OR_RETURN(*request.mutable_token(), token_());
  {
    const std::lock_guard<std::mutex> lock(agent_mutex_);
    request.set_agent_name(agent_.name);
    request.set_agent_version(agent_.version);
  }
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(std::min(deadline, absl::Now() + kHelloTimeout)));
  const Cancellation::Scope scope(cancellation, [&] { context.TryCancel(); });
  proto::HelloReply reply;
  const absl::Status status = ToStatus(live.stub->Hello(&context, request, &reply));
  if (absl::IsUnauthenticated(status)) {
    // Here it is the token that is not accepted, and another Hello would not change that.
    return absl::FailedPreconditionError(
        absl::StrCat("the mediator does not accept the run token: ", status.message()));
  }
  if (!status.ok()) return status;
  if (reply.session().empty()) return absl::InternalError("the mediator gave no session");
  live.session = reply.session();
  ++hellos_;
  log_(absl::StrCat("connected to the mediator ", reply.server_version(), ", run ", reply.run()));
  return std::make_shared<const Live>(std::move(live));
}

void Connection::Refuse(const absl::Status& status) {
  refused_ = absl::PermissionDeniedError(
      absl::StrCat("the mediator refused this channel: ", status.message()));
  live_ = nullptr;
  log_(absl::StrCat(refused_.message(), "; every call is refused until the restart"));
}

void Connection::Judge(const std::shared_ptr<const Live>& live, const absl::Status& status) {
  const std::lock_guard<std::timed_mutex> lock(mutex_);
  switch (status.code()) {
    case absl::StatusCode::kPermissionDenied:
      if (refused_.ok()) Refuse(status);
      return;
    case absl::StatusCode::kUnauthenticated:
      if (live_ == live) live_ = std::make_shared<const Live>(Live{live->channel, live->stub, ""});
      return;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kDeadlineExceeded:
      if (live_ != live) return;
      live_ = nullptr;
      log_(absl::StrCat("the connection to the mediator is gone: ", status.message()));
      return;
    default:
      return;  // the mediator's answer to this one request
  }
}

absl::StatusOr<mcp::CatalogPtr> Connection::List(Cancellation& cancellation, absl::Time deadline) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const Live> live,
                            Acquire(cancellation, deadline));
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  const Cancellation::Scope scope(cancellation, [&] { context.TryCancel(); });
  proto::ListRequest request;
  request.set_session(live->session);
  proto::ListReply reply;
  const absl::Status status = ToStatus(live->stub->List(&context, request, &reply));
  if (!status.ok()) {
    if (!cancellation.cancelled()) Judge(live, status);
    return status;
  }
  return ToCatalog(reply);
}

absl::Status Connection::Watch(Cancellation& cancellation, const WatchEvents& events) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const Live> live, Acquire(cancellation));
  grpc::ClientContext context;
  const Cancellation::Scope scope(cancellation, [&] { context.TryCancel(); });
  proto::WatchRequest request;
  request.set_session(live->session);
  const auto reader = live->stub->Watch(&context, request);
  bool begun = false;
  proto::Change change;
  while (reader->Read(&change)) {
    if (!begun) events.on_begin();
    begun = true;
    if (const std::optional<mcp::Change> read = ToChange(change)) events.on_change(*read);
  }
  const absl::Status status = ToStatus(reader->Finish());
  // What else the mediator says of this stream says nothing of the connection.
  const bool of_connection = absl::IsUnavailable(status) || absl::IsUnauthenticated(status) ||
                             absl::IsPermissionDenied(status);
  if (of_connection && !cancellation.cancelled()) Judge(live, status);
  return status.ok() ? absl::UnavailableError("the stream of changes ended") : status;
}

CallTry Connection::Call(const CallRequest& request, Cancellation& cancellation,
                         const CallEvents& events) {
  CallTry result;
  const absl::StatusOr<std::shared_ptr<const Live>> live = Acquire(cancellation);
  if (!live.ok()) {
    result.end = live.status();
    return result;
  }
  proto::CallRequest message;
  message.set_session((*live)->session);
  message.set_call_id(request.call_id);
  message.set_kind(ToKind(request.kind));
  message.set_tool(request.name);
  message.set_arguments(request.arguments);
  message.set_want_progress(request.want_progress);
  message.set_log_level(request.log_level);
  grpc::ClientContext context;
  const Cancellation::Scope scope(cancellation, [&] { context.TryCancel(); });
  result.sent = true;
  const auto reader = (*live)->stub->Call(&context, message);
  const bool ended = ReadEvents(*reader, events, result);
  // Nothing that follows counts: an end is the last event.
  proto::CallEvent more;
  if (ended && (!result.end.ok() || reader->Read(&more))) context.TryCancel();
  const absl::Status status = ToStatus(reader->Finish());
  if (!ended) {
    result.end = status.ok() ? absl::UnavailableError("the answer ended early") : status;
    if (!cancellation.cancelled()) Judge(*live, result.end.status());
  }
  return result;
}

}  // namespace tipstaff::guest_agent
