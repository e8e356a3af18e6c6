// What the RPCs of the guest service have in common: their stream and their part of the limits.
#pragma once

#include <memory>
#include <string>

#include "mediator/gate/budget.h"
#include "mediator/gate/connections.h"
#include "mediator/gate/mediator_link.h"
#include "mediator/gate/streams.h"

namespace grpc {
class Status;
}

namespace tipstaff::gate {

// What an RPC works with; all outlive it.
struct Mediation {
  MediatorLink& link;
  StreamTable& streams;
  Connections& connections;
  Budget& rpcs;          // one each
  Budget& queued_bytes;  // of events that a guest has yet to read
};

// Base of a reactor. gRPC is never called with a lock held, as it may call back at once.
class Rpc : public Stream {
 public:
  // The caller has taken one of `mediation.rpcs`; it is given back at the end.
  Rpc(const Mediation& mediation, std::shared_ptr<Connection> connection)
      : mediation_(mediation), connection_(std::move(connection)) {}
  ~Rpc() override { mediation_.rpcs.Give(1); }

  // Opens the stream and sends `first` on it. `self` owns this until Ended. False: the mediator is
  // gone; the RPC is to be finished with LostStatus().
  bool Begin(std::shared_ptr<Rpc> self, v1::FromGate& first);

 protected:
  // Tells the mediator, unless it has ended the stream itself.
  void CancelStream();
  // The status of a failure. Sees to it that the connection is shut down where that is asked for.
  grpc::Status StatusOf(v1::ToGate& failure);
  static grpc::Status LostStatus();
  // From OnDone: what was to be written is written. `this` may be destroyed on return.
  void Ended();

  const Mediation& mediation_;

 private:
  const std::shared_ptr<Connection> connection_;
  std::shared_ptr<Rpc> self_;
  std::atomic<bool> closes_connection_{false};
  std::atomic<uint64_t> number_{0};
};

}  // namespace tipstaff::gate
