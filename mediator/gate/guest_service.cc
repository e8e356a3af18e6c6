#include "mediator/gate/guest_service.h"

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/server_posix.h>

#include <string>
#include <thread>

#include "mediator/gate/limits.h"
#include "mediator/gate/mediator_frames.h"
#include "mediator/gate/stream_rpc.h"
#include "mediator/gate/unary_rpc.h"

namespace tipstaff::gate {
namespace {

// So many calls that begin at once need not wait for one another.
constexpr int kCallsAskedFor = 8;
// After so many events the mediator's turn has come, whatever the guest does.
constexpr int kEventsOfATurn = 64;

void SetLimits(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMaxGuestMessageBytes);
  // Identity alone: a compressed message is refused before it is looked at.
  builder.AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
                             1 << GRPC_COMPRESS_NONE);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreamsPerConnection);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxMetadataBytes);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  const auto milliseconds = [](auto time) {
    return static_cast<int>(std::chrono::milliseconds(time).count());
  };
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, milliseconds(kIdleTime));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds(kKeepaliveTime));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, milliseconds(kKeepaliveTimeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             milliseconds(kMinPingInterval));
}

gpr_timespec AtOnce() { return gpr_inf_past(GPR_CLOCK_MONOTONIC); }

class Server final : public GuestServer {
 public:
  explicit Server(const Mediation& mediation)
      : mediation_(mediation), frames_(mediation.streams), serving_{mediation, {}, {}} {
    grpc::ServerBuilder builder;
    SetLimits(builder);
    builder.RegisterService(&serving_.service);
    serving_.queue = builder.AddCompletionQueue();
    server_ = builder.BuildAndStart();
    if (server_ != nullptr) thread_ = std::thread([this] { Run(); });
  }

  // Also when nothing was served.
  ~Server() override {
    if (thread_.joinable()) Stop();
  }

  bool started() const { return server_ != nullptr; }
  void Serve(base::Fd connection) override {
    grpc::AddInsecureChannelFromFd(server_.get(), connection.release());
  }
  Inbox& inbox() override { return inbox_; }
  void Stop() override {
    server_->Shutdown(std::chrono::system_clock::now() + kDrainTime);
    stop_.Set(serving_.queue.get(), AtOnce(), &stop_tag_);
    thread_.join();
  }

 private:
  // The thread's, as all that follows.
  void Run();
  // The next event: now or, if `wait`, when it comes.
  grpc::CompletionQueue::NextStatus Next(bool wait);
  // What has come from the mediator. False: nothing.
  bool TakeFrames();
  void OnWoken(bool) { inbox_.Woken(); }
  void OnStop(bool) { stopping_ = true; }

  const Mediation& mediation_;
  MediatorFrames frames_;
  std::string bytes_;
  bool bad_ = false;  // a frame of the mediator
  bool stopping_ = false;
  TagOf<Server, &Server::OnWoken> woken_tag_{*this};
  TagOf<Server, &Server::OnStop> stop_tag_{*this};
  Serving serving_;
  std::unique_ptr<grpc::Server> server_;
  grpc::Alarm wake_, stop_;
  Inbox inbox_{[this] { wake_.Set(serving_.queue.get(), AtOnce(), &woken_tag_); }};
  std::thread thread_;
};

void Server::Run() {
  UnaryRpc<HelloKind>::Ask(serving_);
  UnaryRpc<ListKind>::Ask(serving_);
  WatchRpc::Ask(serving_);
  for (int i = 0; i < kCallsAskedFor; ++i) CallRpc::Ask(serving_);
  bool idle = false;
  for (;;) {
    // One turn: what gRPC has at hand, then what the mediator sent. The turn's frames go to the
    // mediator with one system call.
    int events = 0;
    for (; events < kEventsOfATurn; ++events) {
      const auto next = Next(idle && events == 0);
      if (next == grpc::CompletionQueue::SHUTDOWN) return;
      if (next == grpc::CompletionQueue::TIMEOUT) break;
    }
    const bool took = TakeFrames();
    mediation_.link.Flush();
    idle = events == 0 && !took;
    if (stopping_ && serving_.rpcs == 0) serving_.queue->Shutdown();
  }
}

grpc::CompletionQueue::NextStatus Server::Next(bool wait) {
  void* tag = nullptr;
  bool ok = false;
  const auto deadline = wait ? gpr_inf_future(GPR_CLOCK_MONOTONIC) : AtOnce();
  const auto next = serving_.queue->AsyncNext(&tag, &ok, deadline);
  if (next == grpc::CompletionQueue::GOT_EVENT) static_cast<Tag*>(tag)->Over(ok);
  return next;
}

bool Server::TakeFrames() {
  if (inbox_.Take(bytes_)) {
    // After a bad frame nothing more is looked at.
    if (bad_) return true;
    const absl::Status taken = frames_.Take(bytes_);
    bad_ = !taken.ok();
    if (bad_) mediation_.link.Break(taken);
    return true;
  }
  const InboxEnd end = inbox_.end();
  if (end == InboxEnd::kNone) return false;
  if (const absl::Status whole = frames_.AtEnd();
      end == InboxEnd::kClosed && !bad_ && !whole.ok()) {
    mediation_.link.Break(whole);
  }
  mediation_.streams.Close();
  inbox_.Ended();
  return true;
}

}  // namespace

std::unique_ptr<GuestServer> GuestServer::Start(const Mediation& mediation) {
  auto server = std::make_unique<Server>(mediation);
  if (!server->started()) return nullptr;
  return server;
}

}  // namespace tipstaff::gate
