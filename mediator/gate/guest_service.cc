#include "mediator/gate/guest_service.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/server_posix.h>

#include <utility>

#include "mediator/gate/call_rpc.h"
#include "mediator/gate/limits.h"
#include "mediator/gate/unary_rpc.h"
#include "tipstaff/guest/v1/guest.grpc.pb.h"

namespace tipstaff::gate {
namespace {

using grpc::CallbackServerContext;
using grpc::StatusCode;

// Ends an RPC at once that this gate does not take on.
template <class Reactor>
class Refusal final : public Reactor {
 public:
  explicit Refusal(const grpc::Status& status) { this->Finish(status); }

 private:
  void OnDone() override { delete this; }
};

grpc::Status TooMany() {
  return grpc::Status(StatusCode::RESOURCE_EXHAUSTED,
                      "too many calls in flight on this channel: wait for some to end");
}

class Service final : public guest::v1::Guest::CallbackService {
 public:
  explicit Service(const Mediation& mediation) : mediation_(mediation) {}

  grpc::ServerUnaryReactor* Hello(CallbackServerContext* context,
                                  const guest::v1::HelloRequest* request,
                                  guest::v1::HelloReply* reply) override {
    v1::FromGate first;
    *first.mutable_hello() = *request;
    return Begin<HelloRpc, grpc::ServerUnaryReactor>(context, first, reply);
  }

  grpc::ServerUnaryReactor* ListTools(CallbackServerContext* context,
                                      const guest::v1::ListToolsRequest* request,
                                      guest::v1::ListToolsReply* reply) override {
    v1::FromGate first;
    *first.mutable_list_tools() = *request;
    return Begin<ListToolsRpc, grpc::ServerUnaryReactor>(context, first, reply);
  }

  grpc::ServerWriteReactor<guest::v1::CallEvent>* Call(
      CallbackServerContext* context, const guest::v1::CallRequest* request) override {
    v1::FromGate first;
    *first.mutable_call() = *request;
    return Begin<CallRpc, grpc::ServerWriteReactor<guest::v1::CallEvent>>(context, first, context);
  }

 private:
  template <class Kind, class Reactor, class Argument>
  Reactor* Begin(CallbackServerContext* context, v1::FromGate& first, Argument* argument) {
    std::shared_ptr<Connection> connection = mediation_.connections.Find(context->peer());
    if (connection == nullptr) {
      // Without it a connection that must go could not be closed.
      return new Refusal<Reactor>(
          grpc::Status(StatusCode::UNAVAILABLE, "the connection is closing: connect again"));
    }
    if (!mediation_.rpcs.Take(1)) return new Refusal<Reactor>(TooMany());
    auto rpc = std::make_shared<Kind>(mediation_, std::move(connection), argument);
    if (!rpc->Begin(rpc, first)) rpc->Lost();
    return rpc.get();
  }

  const Mediation& mediation_;
};

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

class Server final : public GuestServer {
 public:
  explicit Server(const Mediation& mediation) : service_(mediation) {
    grpc::ServerBuilder builder;
    SetLimits(builder);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
  }

  bool started() const { return server_ != nullptr; }
  void Serve(base::Fd connection) override {
    grpc::AddInsecureChannelFromFd(server_.get(), connection.release());
  }
  void Stop() override { server_->Shutdown(std::chrono::system_clock::now() + kDrainTime); }

 private:
  Service service_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

std::unique_ptr<GuestServer> GuestServer::Start(const Mediation& mediation) {
  auto server = std::make_unique<Server>(mediation);
  if (!server->started()) return nullptr;
  return server;
}

}  // namespace tipstaff::gate
