// Hello and ListTools: one request, one reply. Included by guest_service.cc only.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <memory>

#include "mediator/gate/rpc.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {

// `has` and `take` find the reply in a message of the mediator's.
template <class Reply, bool (v1::ToGate::*has)() const, Reply* (v1::ToGate::*take)()>
class UnaryRpc final : public grpc::ServerUnaryReactor, public Rpc {
 public:
  // `reply` is gRPC's and stays until the RPC is finished.
  UnaryRpc(const Mediation& mediation, std::shared_ptr<Connection> connection, Reply* reply)
      : Rpc(mediation, std::move(connection)), reply_(reply) {}

  bool Take(v1::ToGate& frame) override {
    if (frame.has_failure()) {
      FinishOnce(StatusOf(frame));
      return true;
    }
    if (!(frame.*has)()) return false;
    if (!finished_.exchange(true)) {
      reply_->Swap((frame.*take)());
      Finish(grpc::Status::OK);
    }
    return true;
  }
  void Lost() override { FinishOnce(LostStatus()); }

 private:
  void OnCancel() override {
    CancelStream();
    FinishOnce(grpc::Status::CANCELLED);
  }
  void OnDone() override { Ended(); }

  void FinishOnce(grpc::Status status) {
    if (!finished_.exchange(true)) Finish(std::move(status));
  }

  Reply* const reply_;
  std::atomic<bool> finished_{false};
};

using HelloRpc =
    UnaryRpc<guest::v1::HelloReply, &v1::ToGate::has_hello, &v1::ToGate::mutable_hello>;
using ListToolsRpc =
    UnaryRpc<guest::v1::ListToolsReply, &v1::ToGate::has_tools, &v1::ToGate::mutable_tools>;

}  // namespace tipstaff::gate
