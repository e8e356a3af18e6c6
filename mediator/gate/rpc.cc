#include "mediator/gate/rpc.h"

#include <grpcpp/support/status.h>

#include "mediator/gate/limits.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {
namespace {

// A code of gRPC's own; anything else would be shown to the guest as it came.
grpc::StatusCode CodeOf(int code) {
  const bool known = code > grpc::StatusCode::OK && code <= grpc::StatusCode::UNAUTHENTICATED;
  return known ? static_cast<grpc::StatusCode>(code) : grpc::StatusCode::INTERNAL;
}

}  // namespace

bool Rpc::Begin(std::shared_ptr<Rpc> self, v1::FromGate& first) {
  self_ = std::move(self);
  const uint64_t number = mediation_.streams.Open(self_);
  if (number == 0) return false;
  number_ = number;
  first.set_stream(number);
  if (mediation_.link.Send(first)) return true;
  // Lost may have come first, through Close: then it finishes the RPC.
  return !mediation_.streams.Forget(number);
}

void Rpc::CancelStream() {
  const uint64_t number = number_;
  if (number == 0 || !mediation_.streams.Forget(number)) return;
  v1::FromGate frame;
  frame.set_stream(number);
  frame.mutable_cancel();
  mediation_.link.Send(frame);
}

grpc::Status Rpc::StatusOf(v1::ToGate& frame) {
  const v1::Failure& failure = frame.failure();
  if (failure.close_connection()) {
    closes_connection_ = true;
    connection_->ShutdownAt(Clock::now() + kCloseTime);
  }
  return grpc::Status(CodeOf(failure.code()), failure.message());
}

grpc::Status Rpc::LostStatus() {
  return grpc::Status(grpc::StatusCode::UNAVAILABLE, "the mediator is gone: try again");
}

void Rpc::Ended() {
  if (closes_connection_) connection_->Shutdown();
  CancelStream();
  const std::shared_ptr<Rpc> last = std::move(self_);
}

}  // namespace tipstaff::gate
