#include "mediator/gate/rpc.h"

#include <utility>

#include "mediator/gate/limits.h"

namespace tipstaff::gate {
namespace {

using grpc::StatusCode;

// A code of gRPC's own; anything else would be shown to the guest as it came.
StatusCode CodeOf(int code) {
  const bool known = code > StatusCode::OK && code <= StatusCode::UNAUTHENTICATED;
  return known ? static_cast<StatusCode>(code) : StatusCode::INTERNAL;
}

}  // namespace

Rpc::Rpc(Serving& serving) : serving_(serving), mediation_(serving.mediation) {
  ++serving_.rpcs;
  context_.AsyncNotifyWhenDone(&left_tag_);
}

Rpc::~Rpc() {
  --serving_.rpcs;
  if (counted_) mediation_.rpcs.Give(1);
}

void Rpc::OnBegan(bool ok) {
  if (!ok) {
    delete this;  // the server has stopped
    return;
  }
  AskForNext();
  Admit();
  first_.Clear();
}

void Rpc::Admit() {
  connection_ = mediation_.connections.Find(context_.peer());
  if (connection_ == nullptr) {
    // Without it a connection that must go could not be closed.
    return End(grpc::Status(StatusCode::UNAVAILABLE, "the connection is closing: connect again"));
  }
  counted_ = mediation_.rpcs.Take(1);
  if (!counted_) {
    return End(grpc::Status(StatusCode::RESOURCE_EXHAUSTED,
                            "too many calls in flight on this channel: wait for some to end"));
  }
  number_ = mediation_.streams.Open(*this);
  if (number_ == 0) return Lost();
  first_.set_stream(number_);
  mediation_.link.Send(first_);
}

Tag* Rpc::Operation() {
  operating_ = true;
  return &operation_tag_;
}

void Rpc::OnOperationOver(bool ok) {
  operating_ = false;
  if (!left_) OperationOver(ok);
  DeleteIfOver();
}

void Rpc::OnLeft(bool) {
  left_ = true;
  CancelStream();
  GuestLeft();
  DeleteIfOver();
}

void Rpc::DeleteIfOver() {
  if (!left_ || operating_) return;
  // What was to be written is written.
  if (closes_connection_) connection_->Shutdown();
  delete this;
}

void Rpc::CancelStream() {
  if (number_ == 0 || !mediation_.streams.Forget(number_)) return;
  v1::FromGate frame;
  frame.set_stream(number_);
  frame.mutable_cancel();
  mediation_.link.Send(frame);
}

grpc::Status Rpc::StatusOf(const v1::ToGate& frame) {
  const v1::Failure& failure = frame.failure();
  if (failure.close_connection()) {
    closes_connection_ = true;
    connection_->ShutdownAt(Clock::now() + kCloseTime);
  }
  return grpc::Status(CodeOf(failure.code()), failure.message());
}

grpc::Status Rpc::LostStatus() {
  return grpc::Status(StatusCode::UNAVAILABLE, "the mediator is gone: try again");
}

}  // namespace tipstaff::gate
