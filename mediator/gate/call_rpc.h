// One tool call: events in order, as fast as the guest reads them. Included by guest_service.cc.
#pragma once

#include <grpcpp/grpcpp.h>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "mediator/gate/rpc.h"
#include "tipstaff/guest/v1/guest.pb.h"

namespace tipstaff::gate {

class CallRpc final : public grpc::ServerWriteReactor<guest::v1::CallEvent>, public Rpc {
 public:
  // `context` is gRPC's and lives as long as the RPC.
  CallRpc(const Mediation& mediation, std::shared_ptr<Connection> connection,
          grpc::CallbackServerContext* context)
      : Rpc(mediation, std::move(connection)), context_(context) {}
  ~CallRpc() override;

  bool Take(v1::ToGate& frame) override;
  void Lost() override { End(LostStatus()); }

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override { Ended(); }

  // Queues an event; false when the guest has too much to read: then held_ is set, so that
  // context_ stays until Drop.
  bool Queue(guest::v1::CallEvent& event);
  // What follows the queued events.
  void End(grpc::Status status);
  // The guest's side is gone: nothing more is written. `release`: context_ is no longer needed.
  void Drop(bool release = false);
  // The next operation of gRPC's, if none is under way. The last event goes out with the status.
  void Step();

  grpc::CallbackServerContext* const context_;
  std::mutex mutex_;  // guards what follows
  std::deque<guest::v1::CallEvent> queue_;
  size_t queued_bytes_ = 0;
  guest::v1::CallEvent current_;  // being written, if writing_
  size_t current_bytes_ = 0;
  bool writing_ = false;
  bool held_ = false;
  bool finished_ = false;
  std::optional<grpc::Status> end_;
};

}  // namespace tipstaff::gate
