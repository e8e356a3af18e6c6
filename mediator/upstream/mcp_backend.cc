#include "mediator/upstream/mcp_backend.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/crash_point.h"
#include "mediator/json/parse.h"
#include "mediator/upstream/answer.h"
#include "mediator/upstream/call_request.h"
#include "mediator/upstream/credential.h"
#include "mediator/upstream/inventory.h"
#include "mediator/upstream/listening.h"
#include "mediator/upstream/operation.h"

namespace tipstaff::upstream {
namespace {

const base::CrashPoint kBeforeRequest("mcp: before a request is sent");
const base::CrashPoint kRequested("mcp: a request was sent");
const base::CrashPoint kEnded("mcp: a request was answered");

call::Outcome Failed(std::string note) {
  call::Outcome outcome =
      call::Failure(call::OutcomeKind::kFailed, "the system could not be asked");
  outcome.note = std::move(note);
  return outcome;
}

class McpBackend final : public backend::Backend {
 public:
  McpBackend(boost::asio::io_context& loop, std::shared_ptr<const McpSystem> system,
             std::string run, MakeTransportWith make, ServerEvents events)
      : loop_(loop),
        system_(std::move(system)),
        run_(std::move(run)),
        stop_(*run::ParseStopKind(system_->server.stop)),
        events_(std::move(events)),
        link_(loop, system_->server.url.empty() ? mcp::Wire::kStdio : mcp::Wire::kHttp,
              WithSecret(std::move(make)), Listener(), system_->pins.generation()) {}

  run::StopKind stop_kind() const override { return stop_; }

  std::string KeyArgument(absl::string_view tool) const override {
    const PinnedItem* item = system_->pins.Find(call::Kind::kTool, tool);
    return item == nullptr ? "" : item->tool.idempotency_key;
  }

  void Begin() override {
    if (!IsChecked() && !checking_) Check();
  }

  std::optional<call::Reason> Refuses(call::Kind kind, absl::string_view tool) const override {
    if (absl::Now() >= system_->approved_until) return call::Reason::kBackendUnapproved;
    const PinnedItem* item = system_->pins.FindCalled(kind, tool);
    if (item != nullptr && IsRefused(*item)) return call::Reason::kBackendChanged;
    return std::nullopt;
  }

  void Call(const backend::Request& request, Done done) override {
    GiveUpDelivery(request.number);
    const PinnedItem* item = system_->pins.FindCalled(request.kind, request.tool);
    if (item == nullptr) return std::move(done)(Failed("its pins do not have what was called"));
    Flight& flight = flights_.emplace(request.number, Flight(loop_)).first->second;
    flight.item = item;
    flight.kind = request.kind;
    flight.effect = request.effect;
    flight.request = CallRequestOf(*item, request, run_);
    flight.on_progress = request.on_progress;
    flight.on_log = request.on_log;
    flight.done = std::move(done);
    if (!request.submission_key.empty()) keys_[request.number] = request.submission_key;
    SetTimer(request.number);
    if (IsChecked()) return Send(request.number);
    Begin();  // Send() follows
  }

  void Cancel(uint64_t number) override {
    const auto it = flights_.find(number);
    if (it == flights_.end()) return;
    Flight& flight = it->second;
    if (flight.ticket != 0) link_.Cancel(flight.ticket, "nobody waits for it any more");
    const bool took_none = flight.ticket == 0 || flight.effect == call::Effect::kRead;
    Finish(number, took_none ? call::Failure(call::OutcomeKind::kCancelled, "cancelled")
                             : Unknown("it was cancelled while the system had it"));
  }

  void Stop(uint64_t, Stopped stopped) override {
    checked_ = false;
    auto shared = std::make_shared<Stopped>(std::move(stopped));
    link_.Kill("stopped", [shared] { std::move (*shared)(); });
  }

  void Query(uint64_t number, Answered answered) override {
    const PinnedItem* tool = system_->pins.Find(call::Kind::kTool, system_->server.query_tool);
    if (stop_ != run::StopKind::kQueryable || tool == nullptr) {
      return std::move(answered)(run::TookPlace::kUnknown);
    }
    const auto key = keys_.find(number);
    auto shared = std::make_shared<Answered>(std::move(answered));
    link_.Request(
        QueryRequest(*tool, system_->server.query_key,
                     key != keys_.end() ? key->second : WriteKey(run_, number)),
        {.on_end = [shared](const Link::End& end) { std::move (*shared)(TookPlaceOf(end)); },
         .on_progress = nullptr,
         .on_log = nullptr});
  }

 private:
  // A call from Call() to its end.
  struct Flight {
    explicit Flight(boost::asio::io_context& loop) : timer(loop) {}
    const PinnedItem* item = nullptr;
    call::Kind kind = call::Kind::kTool;
    call::Effect effect = call::Effect::kRead;
    mcp::ClientRequest request;  // until it is sent
    uint64_t ticket = 0;         // 0: it waits to be sent
    std::function<void(const backend::Request::Progress&)> on_progress;
    std::function<void(const std::string&)> on_log;
    Done done;
    absl::Time since = absl::Now();
    absl::Time alive = since;  // the last sign of it
    boost::asio::steady_timer timer;
  };

  // The credential is read for each new connection.
  Link::MakeTransport WithSecret(MakeTransportWith make) {
    return [this, make = std::move(make)](
               Transport::Events events) -> absl::StatusOr<std::unique_ptr<Transport>> {
      if (system_->server.credential) {
        absl::StatusOr<Secret> secret = ReadSecret(*system_->server.credential);
        if (!secret.ok()) return secret.status();
        secret_ = *std::move(secret);
      }
      return make(secret_ ? &*secret_ : nullptr, std::move(events));
    };
  }

  const Secrets& secrets() const {
    static const Secrets kNone;
    return secret_ ? secret_->texts : kNone;
  }

  Link::Listener Listener() {
    return {
        .on_ready =
            [this] {
              listening_.Begin();
              if (!checking_) Check();
            },
        .on_list_changed =
            [this](mcp::ListKind kind) {
              changed_.push_back(kind);
              Check();
            },
        .on_resource_updated = [this](const std::string& uri) { events_.on_resource_updated(uri); },
        .on_note = [this](const std::string& note) { Note(note); }};
  }

  void Note(const std::string& note) {
    if (events_.on_note) events_.on_note(secrets().Mask(note));
  }

  bool IsRefused(const PinnedItem& item) const {
    return refused_.count({item.tool.kind, item.name}) > 0;
  }

  // Of the connection that there is.
  bool IsChecked() const { return checked_ && link_.ready(); }

  // Compares what the server lists with the pins; calls wait meanwhile.
  void Check() {
    checked_ = false;
    if (std::exchange(checking_, true)) {
      again_ = true;
      return;
    }
    FetchInventory(
        link_, [this](absl::StatusOr<Inventory> inventory) { OnInventory(std::move(inventory)); });
  }

  void OnInventory(absl::StatusOr<Inventory> inventory) {
    checking_ = false;
    if (std::exchange(again_, false)) return Check();
    if (!inventory.ok()) {
      const std::string why(inventory.status().message());
      Note(absl::StrCat("cannot be used: ", why));
      return EndWaiting(why);
    }
    refused_ = RefusedBy(Compare(system_->pins, *inventory));
    for (const auto& [item, drift] : refused_) {
      Note(absl::StrCat(call::KindName(item.first), " `", item.second, "` is ",
                        drift == Drift::Kind::kRemoved ? "gone" : "not what was approved",
                        ": tipstaff upstream diff ", system_->server.name));
    }
    checked_ = true;
    const std::weak_ptr<const bool> alive = alive_;
    for (const uint64_t number : Waiting()) {
      if (alive.expired()) return;
      Send(number);
    }
    for (const mcp::ListKind kind : std::exchange(changed_, {})) {
      if (alive.expired()) return;
      events_.on_list_changed(kind == mcp::ListKind::kTools     ? call::Kind::kTool
                              : kind == mcp::ListKind::kPrompts ? call::Kind::kPrompt
                                                                : call::Kind::kResource);
    }
  }

  // Calls that were not sent yet, in order.
  std::vector<uint64_t> Waiting() const {
    std::vector<uint64_t> numbers;
    for (const auto& [number, flight] : flights_) {
      if (flight.ticket == 0) numbers.push_back(number);
    }
    return numbers;
  }

  void EndWaiting(const std::string& why) {
    const std::weak_ptr<const bool> alive = alive_;
    for (const uint64_t number : Waiting()) {
      if (alive.expired()) return;
      Finish(number, Failed(why));
    }
  }

  void Send(uint64_t number) {
    const auto it = flights_.find(number);
    if (it == flights_.end()) return;
    Flight& flight = it->second;
    if (IsRefused(*flight.item)) {
      call::Outcome outcome = call::Failure(call::OutcomeKind::kFailed,
                                            call::ReasonSentence(call::Reason::kBackendChanged));
      outcome.note = "it is not what was approved";
      return Finish(number, std::move(outcome));
    }
    if (flight.kind == call::Kind::kSubscription &&
        link_.peer().generation == mcp::Generation::kModern) {
      listening_.Add(flight.request.name);
      return Finish(number, OutcomeOf(*flight.item, flight.kind, {.result = "{}"}, secrets()));
    }
    kBeforeRequest.Pass();
    flight.ticket = link_.Request(
        std::move(flight.request),
        {.on_end = [this, number](const Link::End& end) { OnEnd(number, end); },
         .on_progress = [this,
                         number](const mcp::Progressed& progress) { OnProgress(number, progress); },
         .on_log = flight.on_log
                       ? std::function<void(const std::string&)>(
                             [this, number](const std::string& params) { OnLog(number, params); })
                       : nullptr});
    kRequested.Pass();
  }

  void OnEnd(uint64_t number, const Link::End& end) {
    const auto it = flights_.find(number);
    if (it == flights_.end()) return;
    kEnded.Pass();
    Finish(number, OutcomeOf(*it->second.item, it->second.kind, end, secrets()));
  }

  void OnProgress(uint64_t number, const mcp::Progressed& progress) {
    const auto it = flights_.find(number);
    if (it == flights_.end()) return;
    it->second.alive = absl::Now();
    SetTimer(number);
    const auto report = it->second.on_progress;
    if (!report) return;
    const bool shown = !secrets().AreIn(progress.message);
    report({progress.progress, progress.total, shown ? progress.message : ""});
  }

  void OnLog(uint64_t number, const std::string& params) {
    const auto it = flights_.find(number);
    if (it == flights_.end() || !it->second.on_log) return;
    const auto parsed = json::Parse(params, {.max_depth = 2 * json::kMaxDepth});
    if (!parsed.ok() || secrets().AreIn(params) || secrets().AreIn(parsed->root())) return;
    const auto report = it->second.on_log;
    report(params);
  }

  void SetTimer(uint64_t number) {
    Flight& flight = flights_.at(number);
    const absl::Time at =
        std::min(flight.alive + system_->server.timeout, flight.since + system_->server.longest);
    flight.timer.expires_after(
        absl::ToChronoNanoseconds(std::max(at - absl::Now(), absl::ZeroDuration())));
    flight.timer.async_wait([this, number, alive = std::weak_ptr(alive_),
                             since = flight.alive](boost::system::error_code error) {
      if (error || alive.expired()) return;
      const auto it = flights_.find(number);
      if (it != flights_.end() && it->second.alive == since) OnTimeout(number);
    });
  }

  void OnTimeout(uint64_t number) {
    Flight& flight = flights_.at(number);
    if (flight.ticket == 0) return Finish(number, Failed("it was not ready in time"));
    link_.Cancel(flight.ticket, "it took too long");
    if (stop_ != run::StopKind::kKillable || flight.effect == call::Effect::kRead ||
        base::IsLeftOut("stop-before-giving-up")) {  // by a test only
      return Finish(number, Unknown("it did not answer in time"));
    }
    // Nothing of the write is to come once somebody has been told that it is not known.
    checked_ = false;
    link_.Kill("did not answer in time", [this, number, alive = std::weak_ptr(alive_)] {
      if (!alive.expired()) Finish(number, Unknown("it did not answer in time"));
    });
  }

  // A result that is delivered again: of the delivery before nothing is asked any more.
  void GiveUpDelivery(uint64_t number) {
    const auto it = flights_.find(number);
    if (it == flights_.end()) return;
    if (it->second.ticket != 0) link_.Cancel(it->second.ticket, "it is delivered again");
    flights_.erase(it);
  }

  void Finish(uint64_t number, call::Outcome outcome) {
    auto node = flights_.extract(number);
    if (node.empty()) return;
    outcome.duration = absl::Now() - node.mapped().since;
    outcome.note = secrets().Mask(std::move(outcome.note));
    std::move(node.mapped().done)(std::move(outcome));
  }

  boost::asio::io_context& loop_;
  const std::shared_ptr<const McpSystem> system_;
  const std::string run_;
  const run::StopKind stop_;
  const ServerEvents events_;
  std::optional<Secret> secret_;
  std::map<uint64_t, Flight> flights_;    // by the call's number
  std::map<uint64_t, std::string> keys_;  // of submissions, likewise
  Refused refused_;
  std::vector<mcp::ListKind> changed_;  // to be told once they are checked
  bool checked_ = false;
  bool checking_ = false;
  bool again_ = false;  // something changed while it was being checked
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  Link link_;
  Listening listening_{link_};
};

}  // namespace

std::unique_ptr<backend::Backend> MakeMcpBackend(boost::asio::io_context& loop,
                                                 std::shared_ptr<const McpSystem> system,
                                                 std::string run, MakeTransportWith make,
                                                 ServerEvents events) {
  return std::make_unique<McpBackend>(loop, std::move(system), std::move(run), std::move(make),
                                      std::move(events));
}

}  // namespace tipstaff::upstream
