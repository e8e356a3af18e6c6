#include "mediator/gate/call_rpc.h"

#include <utility>

#include "mediator/gate/limits.h"

namespace tipstaff::gate {

namespace {

// What an event takes in memory beside its content: a flood of small ones counts too.
constexpr size_t kEventBytes = 256;

}  // namespace

void CallRpc::Ask(Serving& serving) {
  auto* rpc = new CallRpc(serving);
  serving.service.RequestCall(&rpc->context_, rpc->first_.mutable_call(), &rpc->writer_,
                              serving.queue.get(), serving.queue.get(), rpc->BeganTag());
}

CallRpc::~CallRpc() { mediation_.queued_bytes.Give(queued_bytes_ + current_bytes_); }

bool CallRpc::Take(v1::ToGate& frame) {
  if (frame.has_failure()) {
    End(StatusOf(frame));
    return true;
  }
  if (!frame.has_event() || frame.event().event_case() == guest::v1::CallEvent::EVENT_NOT_SET) {
    return false;
  }
  if (finished_ || end_.has_value()) return true;  // nobody reads it any more
  if (frame.event().has_end()) end_ = grpc::Status::OK;
  if (!Pass(*frame.mutable_event())) {
    // The guest would not read a status either: end the RPC under it.
    CancelStream();
    context_.TryCancel();
    Drop();
  }
  return true;
}

bool CallRpc::Pass(guest::v1::CallEvent& event) {
  const size_t bytes = event.ByteSizeLong() + kEventBytes;
  if (queued_bytes_ + bytes > kMaxQueuedBytesPerCall || !mediation_.queued_bytes.Take(bytes)) {
    return false;
  }
  if (!operating()) {
    Write(event, bytes);
    return true;
  }
  queued_bytes_ += bytes;
  Queued& queued = queue_.emplace_back();
  queued.event.Swap(&event);
  queued.bytes = bytes;
  return true;
}

void CallRpc::Write(const guest::v1::CallEvent& event, size_t bytes) {
  current_bytes_ = bytes;
  if (queue_.empty() && end_.has_value() && end_->ok()) {
    finished_ = true;
    writer_.WriteAndFinish(event, grpc::WriteOptions(), grpc::Status::OK, Operation());
  } else {
    writer_.Write(event, Operation());
  }
}

void CallRpc::End(const grpc::Status& status) {
  if (!end_.has_value()) end_ = status;
  Step();
}

void CallRpc::OperationOver(bool ok) {
  mediation_.queued_bytes.Give(std::exchange(current_bytes_, 0));
  if (ok) return Step();
  context_.TryCancel();
  Drop();
}

void CallRpc::Drop() {
  finished_ = true;
  queue_.clear();
  mediation_.queued_bytes.Give(std::exchange(queued_bytes_, 0));
}

void CallRpc::Step() {
  if (operating() || finished_) return;
  if (queue_.empty()) {
    if (!end_.has_value()) return;
    finished_ = true;
    return writer_.Finish(*end_, Operation());
  }
  const Queued next = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= next.bytes;
  Write(next.event, next.bytes);
}

}  // namespace tipstaff::gate
