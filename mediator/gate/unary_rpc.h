// Hello and List: one request, one reply. Included by guest_service.cc only.
#pragma once

#include <utility>

#include "mediator/gate/rpc.h"

namespace tipstaff::gate {

using GuestService = guest::v1::Guest::AsyncService;

struct HelloKind {
  using Reply = guest::v1::HelloReply;
  static constexpr auto kAsk = &GuestService::RequestHello;
  static auto* Request(v1::FromGate& first) { return first.mutable_hello(); }
  static bool Has(const v1::ToGate& frame) { return frame.has_hello(); }
  static const Reply& In(const v1::ToGate& frame) { return frame.hello(); }
};

struct ListKind {
  using Reply = guest::v1::ListReply;
  static constexpr auto kAsk = &GuestService::RequestList;
  static auto* Request(v1::FromGate& first) { return first.mutable_list(); }
  static bool Has(const v1::ToGate& frame) { return frame.has_list(); }
  static const Reply& In(const v1::ToGate& frame) { return frame.list(); }
};

template <class Kind>
class UnaryRpc final : public Rpc {
 public:
  // Waits for the next RPC of its kind. `serving` outlives it.
  static void Ask(Serving& serving) {
    auto* rpc = new UnaryRpc(serving);
    (serving.service.*Kind::kAsk)(&rpc->context_, Kind::Request(rpc->first_), &rpc->writer_,
                                  serving.queue.get(), serving.queue.get(), rpc->BeganTag());
  }

  bool Take(v1::ToGate& frame) override {
    if (frame.has_failure()) {
      End(StatusOf(frame));
      return true;
    }
    if (!Kind::Has(frame)) return false;
    if (!std::exchange(finished_, true)) {
      writer_.Finish(Kind::In(frame), grpc::Status::OK, Operation());
    }
    return true;
  }

 private:
  explicit UnaryRpc(Serving& serving) : Rpc(serving) {}

  void AskForNext() override { Ask(serving_); }
  void End(const grpc::Status& status) override {
    if (!std::exchange(finished_, true)) writer_.FinishWithError(status, Operation());
  }
  void OperationOver(bool) override {}
  void GuestLeft() override { finished_ = true; }

  grpc::ServerAsyncResponseWriter<typename Kind::Reply> writer_{&context_};
  bool finished_ = false;
};

}  // namespace tipstaff::gate
