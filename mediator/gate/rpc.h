// What the RPCs of the guest service have in common: how they begin and end, their stream, and
// their part of the limits. Included by sources only: gRPC's headers are heavy.
#pragma once

#include <memory>

#include "mediator/gate/serving.h"
#include "mediator/gate/tag.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {

// Of the serving thread alone. Owns itself: waits for a guest's RPC to begin, and goes when gRPC
// has let go of that or none can come any more.
class Rpc : public Stream {
 public:
  void Lost() override { End(LostStatus()); }

 protected:
  explicit Rpc(Serving& serving);
  ~Rpc() override;

  // Puts another of its kind in its place: this one has begun.
  virtual void AskForNext() = 0;
  // Finishes with `status`, after what is still to be written.
  virtual void End(const grpc::Status& status) = 0;
  // The operation begun with Operation() is over.
  virtual void OperationOver(bool ok) = 0;
  // The guest reads nothing more.
  virtual void GuestLeft() = 0;

  // The tag for the next operation; one at a time.
  Tag* Operation();
  bool operating() const { return operating_; }
  Tag* BeganTag() { return &began_tag_; }

  // Tells the mediator, unless it has ended the stream itself.
  void CancelStream();
  // The status of a failure. Sees to it that the connection is shut down where that is asked for.
  grpc::Status StatusOf(const v1::ToGate& failure);

  Serving& serving_;
  const Mediation& mediation_;
  grpc::ServerContext context_;
  // What the mediator gets first; the guest's request is parsed into it.
  v1::FromGate first_;

 private:
  static grpc::Status LostStatus();

  void OnBegan(bool ok);
  // Opens the stream, or ends the RPC where that may not be.
  void Admit();
  void OnOperationOver(bool ok);
  // Finished, cancelled, or the connection is gone.
  void OnLeft(bool ok);
  void DeleteIfOver();

  TagOf<Rpc, &Rpc::OnBegan> began_tag_{*this};
  TagOf<Rpc, &Rpc::OnOperationOver> operation_tag_{*this};
  TagOf<Rpc, &Rpc::OnLeft> left_tag_{*this};
  std::shared_ptr<Connection> connection_;
  uint64_t number_ = 0;
  bool counted_ = false;
  bool operating_ = false;
  bool left_ = false;
  bool closes_connection_ = false;
};

}  // namespace tipstaff::gate
