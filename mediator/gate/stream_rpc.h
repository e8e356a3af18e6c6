// Call and Watch: one request, and events in order, as fast as the guest reads them. Included by
// sources only.
#pragma once

#include <list>
#include <optional>

#include "mediator/gate/rpc.h"

namespace tipstaff::gate {

struct CallKind {
  using Event = guest::v1::CallEvent;
  static void Ask(Serving& serving, grpc::ServerContext& context, v1::FromGate& first,
                  grpc::ServerAsyncWriter<Event>& writer, void* tag);
  // The event that the frame has; null where it has none of this kind.
  static Event* In(v1::ToGate& frame);
  static bool IsLast(const Event& event) { return event.has_end(); }
};

struct WatchKind {
  using Event = guest::v1::Change;
  static void Ask(Serving& serving, grpc::ServerContext& context, v1::FromGate& first,
                  grpc::ServerAsyncWriter<Event>& writer, void* tag);
  static Event* In(v1::ToGate& frame);
  static bool IsLast(const Event&) { return false; }
};

template <class Kind>
class StreamRpc final : public Rpc {
 public:
  // Waits for the next RPC of its kind. `serving` outlives it.
  static void Ask(Serving& serving);

  bool Take(v1::ToGate& frame) override;

 private:
  using Event = typename Kind::Event;
  struct Queued {
    Event event;
    size_t bytes;
  };

  explicit StreamRpc(Serving& serving) : Rpc(serving) {}
  ~StreamRpc() override;

  void AskForNext() override { Ask(serving_); }
  void End(const grpc::Status& status) override;
  void OperationOver(bool ok) override;
  void GuestLeft() override { Drop(); }

  // Writes an event, now or later; false when the guest has too much to read.
  bool Pass(Event& event);
  // Gives an event to gRPC; the last goes out with the status.
  void Write(const Event& event, size_t bytes);
  // Nothing more is written.
  void Drop();
  // The next operation of gRPC's, if none is under way.
  void Step();

  grpc::ServerAsyncWriter<Event> writer_{&context_};
  std::list<Queued> queue_;  // mostly empty, and then no allocation
  size_t queued_bytes_ = 0;
  size_t current_bytes_ = 0;  // of what is being written
  bool finished_ = false;     // there is no operation after the one under way
  std::optional<grpc::Status> end_;
};

using CallRpc = StreamRpc<CallKind>;
using WatchRpc = StreamRpc<WatchKind>;

}  // namespace tipstaff::gate
