#include "mediator/gate/stream_rpc.h"

#include <utility>

#include "mediator/gate/limits.h"

namespace tipstaff::gate {

namespace {

// What an event takes in memory beside its content: a flood of small ones counts too.
constexpr size_t kEventBytes = 256;

}  // namespace

void CallKind::Ask(Serving& serving, grpc::ServerContext& context, v1::FromGate& first,
                   grpc::ServerAsyncWriter<Event>& writer, void* tag) {
  serving.service.RequestCall(&context, first.mutable_call(), &writer, serving.queue.get(),
                              serving.queue.get(), tag);
}

guest::v1::CallEvent* CallKind::In(v1::ToGate& frame) {
  const bool has =
      frame.has_event() && frame.event().event_case() != guest::v1::CallEvent::EVENT_NOT_SET;
  return has ? frame.mutable_event() : nullptr;
}

void WatchKind::Ask(Serving& serving, grpc::ServerContext& context, v1::FromGate& first,
                    grpc::ServerAsyncWriter<Event>& writer, void* tag) {
  serving.service.RequestWatch(&context, first.mutable_watch(), &writer, serving.queue.get(),
                               serving.queue.get(), tag);
}

guest::v1::Change* WatchKind::In(v1::ToGate& frame) {
  return frame.has_change() ? frame.mutable_change() : nullptr;
}

template <class Kind>
void StreamRpc<Kind>::Ask(Serving& serving) {
  auto* rpc = new StreamRpc(serving);
  Kind::Ask(serving, rpc->context_, rpc->first_, rpc->writer_, rpc->BeganTag());
}

template <class Kind>
StreamRpc<Kind>::~StreamRpc() {
  mediation_.queued_bytes.Give(queued_bytes_ + current_bytes_);
}

template <class Kind>
bool StreamRpc<Kind>::Take(v1::ToGate& frame) {
  if (frame.has_failure()) {
    End(StatusOf(frame));
    return true;
  }
  Event* const event = Kind::In(frame);
  if (event == nullptr) return false;
  if (finished_ || end_.has_value()) return true;  // nobody reads it any more
  if (Kind::IsLast(*event)) end_ = grpc::Status::OK;
  if (!Pass(*event)) {
    // The guest would not read a status either: end the RPC under it.
    CancelStream();
    context_.TryCancel();
    Drop();
  }
  return true;
}

template <class Kind>
bool StreamRpc<Kind>::Pass(Event& event) {
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

template <class Kind>
void StreamRpc<Kind>::Write(const Event& event, size_t bytes) {
  current_bytes_ = bytes;
  if (queue_.empty() && end_.has_value() && end_->ok()) {
    finished_ = true;
    writer_.WriteAndFinish(event, grpc::WriteOptions(), grpc::Status::OK, Operation());
  } else {
    writer_.Write(event, Operation());
  }
}

template <class Kind>
void StreamRpc<Kind>::End(const grpc::Status& status) {
  if (!end_.has_value()) end_ = status;
  Step();
}

template <class Kind>
void StreamRpc<Kind>::OperationOver(bool ok) {
  mediation_.queued_bytes.Give(std::exchange(current_bytes_, 0));
  if (ok) return Step();
  context_.TryCancel();
  Drop();
}

template <class Kind>
void StreamRpc<Kind>::Drop() {
  finished_ = true;
  queue_.clear();
  mediation_.queued_bytes.Give(std::exchange(queued_bytes_, 0));
}

template <class Kind>
void StreamRpc<Kind>::Step() {
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

template class StreamRpc<CallKind>;
template class StreamRpc<WatchKind>;

}  // namespace tipstaff::gate
