#include "guest-agent/calls.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "guest-agent/limits.h"
#include "mediator/base/ids.h"
#include "mediator/mcp/call_result.h"
#include "mediator/mcp/message.h"

namespace tipstaff::guest_agent {
namespace {

// A try that was under way for longer than this got somewhere.
constexpr absl::Duration kLongTry = absl::Seconds(30);
constexpr size_t kIdPrefixLength = 8;

// What the agent is told when the mediator gave no answer. See mcp::Decision.
mcp::CallEnd Failure(mcp::CallKind kind, const std::string& text, mcp::Decision decision) {
  if (kind == mcp::CallKind::kTool) return {mcp::ErrorToolResult(text), std::move(decision)};
  return {"", std::move(decision), mcp::CallError{mcp::kInternalError, text}};
}

mcp::CallEnd Unanswered(mcp::CallKind kind, const absl::Status& status, bool sent) {
  const bool retry = IsWorthAnotherTry(status);
  std::string text = retry ? absl::StrCat("mediator unreachable: ", status.message())
                           : std::string(status.message());
  if (sent) absl::StrAppend(&text, "; whether the call took effect is not known");
  return Failure(kind, text, {"", sent ? "unknown" : "deny", "undecided", retry});
}

// Codes with which the mediator says that it did not take the call at all.
bool IsRejection(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

mcp::CallEnd TooLarge(mcp::CallKind kind, size_t bytes) {
  return Failure(kind,
                 absl::StrCat("the arguments have ", bytes, " bytes, at most ", kMaxArgumentsBytes,
                              " are accepted"),
                 {"", "deny", "malformed", false});
}

}  // namespace

Calls::Calls(Connection& connection, Answers& answers, Patience patience)
    : connection_(connection),
      answers_(answers),
      patience_(patience),
      id_prefix_(base::RandomText(kIdPrefixLength)),
      watcher_(connection, [this](const mcp::Change& change) { answers_.OnChange(change); }),
      call_pool_(kMaxCallsAtOnce),
      list_pool_(kMaxListsAtOnce) {}

std::string Calls::NextCallId() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return absl::StrCat(id_prefix_, ":", ++last_call_);
}

void Calls::List(const mcp::WantList& list) {
  const uint64_t ticket = list.ticket;
  const absl::Duration patience = list.patience > absl::ZeroDuration()
                                      ? std::min(list.patience, patience_.list)
                                      : patience_.list;
  Start(list_pool_, ticket,
        [=, this](Cancellation& cancellation) { RunList(ticket, patience, cancellation); });
}

void Calls::Call(const mcp::WantCall& call) {
  const uint64_t ticket = call.ticket;
  const CallRequest request = {NextCallId(),   call.kind,          call.name,
                               call.arguments, call.want_progress, call.log_level};
  Start(call_pool_, ticket,
        [=, this](Cancellation& cancellation) { RunCall(ticket, request, cancellation); });
}

void Calls::Start(WorkerPool& pool, uint64_t ticket, std::function<void(Cancellation&)> work) {
  const auto cancellation = std::make_shared<Cancellation>();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_) return;
    under_way_[ticket] = cancellation;
  }
  pool.Submit([this, ticket, cancellation, work = std::move(work)] {
    if (!cancellation->cancelled()) work(*cancellation);
    const std::lock_guard<std::mutex> lock(mutex_);
    under_way_.erase(ticket);
  });
}

void Calls::Cancel(uint64_t ticket) {
  std::shared_ptr<Cancellation> cancellation;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = under_way_.find(ticket);
    if (found == under_way_.end()) return;
    cancellation = found->second;
  }
  cancellation->Cancel();
}

void Calls::Stop() {
  std::map<uint64_t, std::shared_ptr<Cancellation>> under_way;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    under_way = under_way_;
  }
  for (const auto& [ticket, cancellation] : under_way) cancellation->Cancel();
  call_pool_.Stop();
  list_pool_.Stop();
  watcher_.Stop();
}

void Calls::RunList(uint64_t ticket, absl::Duration patience, Cancellation& cancellation) {
  if (const mcp::CatalogPtr known = watcher_.catalog()) return answers_.OnList(ticket, known);
  const absl::Time deadline = absl::Now() + patience;
  Retry retry(patience);
  while (true) {
    const uint64_t stamp = watcher_.stamp();
    const absl::StatusOr<mcp::CatalogPtr> catalog = connection_.List(cancellation, deadline);
    if (cancellation.cancelled()) return;
    if (catalog.ok()) {
      watcher_.Keep(stamp, *catalog);
      watcher_.Start();
    }
    const absl::Time now = absl::Now();
    const std::optional<absl::Duration> wait =
        catalog.ok() || now >= deadline ? std::nullopt : retry.After(catalog.status(), false, now);
    if (!wait) return answers_.OnList(ticket, catalog);
    if (!cancellation.Sleep(std::min(*wait, deadline - now))) return;
  }
}

void Calls::RunCall(uint64_t ticket, const CallRequest& request, Cancellation& cancellation) {
  if (request.arguments.size() > kMaxArgumentsBytes) {
    return answers_.OnCallEnd(ticket, TooLarge(request.kind, request.arguments.size()));
  }
  Retry retry(patience_.call);
  bool sent = false;  // by any try
  const CallEvents events = {
      [&](const mcp::CallProgress& progress) { answers_.OnProgress(ticket, progress); },
      [&](const std::string& params) { answers_.OnLog(ticket, params); }};
  while (true) {
    const absl::Time start = absl::Now();
    const CallTry result = connection_.Call(request, cancellation, events);
    if (result.heard) watcher_.Start();
    if (cancellation.cancelled()) return;
    if (result.end.ok()) return answers_.OnCallEnd(ticket, *result.end);
    const absl::Status& status = result.end.status();
    sent = sent || (result.sent && !IsRejection(status));
    const absl::Time now = absl::Now();
    const bool went_well = result.heard || (result.sent && now - start > kLongTry);
    const std::optional<absl::Duration> wait = retry.After(status, went_well, now);
    if (!wait) return answers_.OnCallEnd(ticket, Unanswered(request.kind, status, sent));
    if (!cancellation.Sleep(*wait)) return;
  }
}

}  // namespace tipstaff::guest_agent
