// One tool call: events in order, as fast as the guest reads them. Included by sources only.
#pragma once

#include <list>
#include <optional>

#include "mediator/gate/rpc.h"

namespace tipstaff::gate {

class CallRpc final : public Rpc {
 public:
  // Waits for the next call. `serving` outlives it.
  static void Ask(Serving& serving);

  bool Take(v1::ToGate& frame) override;

 private:
  struct Queued {
    guest::v1::CallEvent event;
    size_t bytes;
  };

  explicit CallRpc(Serving& serving) : Rpc(serving) {}
  ~CallRpc() override;

  void AskForNext() override { Ask(serving_); }
  void End(const grpc::Status& status) override;
  void OperationOver(bool ok) override;
  void GuestLeft() override { Drop(); }

  // Writes an event, now or later; false when the guest has too much to read.
  bool Pass(guest::v1::CallEvent& event);
  // Gives an event to gRPC; the last goes out with the status.
  void Write(const guest::v1::CallEvent& event, size_t bytes);
  // Nothing more is written.
  void Drop();
  // The next operation of gRPC's, if none is under way.
  void Step();

  grpc::ServerAsyncWriter<guest::v1::CallEvent> writer_{&context_};
  std::list<Queued> queue_;  // mostly empty, and then no allocation
  size_t queued_bytes_ = 0;
  size_t current_bytes_ = 0;  // of what is being written
  bool finished_ = false;     // there is no operation after the one under way
  std::optional<grpc::Status> end_;
};

}  // namespace tipstaff::gate
