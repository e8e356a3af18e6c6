#include "mediator/gate/call_rpc.h"

#include <utility>

#include "mediator/gate/limits.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {

namespace {

// What an event takes in memory beside its content: a flood of small ones counts too.
constexpr size_t kEventBytes = 256;

}  // namespace

CallRpc::~CallRpc() { mediation_.queued_bytes.Give(queued_bytes_ + current_bytes_); }

bool CallRpc::Take(v1::ToGate& frame) {
  if (frame.has_failure()) {
    End(StatusOf(frame));
    return true;
  }
  if (!frame.has_event() || frame.event().event_case() == guest::v1::CallEvent::EVENT_NOT_SET) {
    return false;
  }
  const bool last = frame.event().has_end();
  if (!Queue(*frame.mutable_event())) {
    // The guest would not read a status either: end the RPC under it.
    CancelStream();
    context_->TryCancel();
    Drop(/*release=*/true);
    return true;
  }
  last ? End(grpc::Status::OK) : Step();
  return true;
}

bool CallRpc::Queue(guest::v1::CallEvent& event) {
  const size_t bytes = event.ByteSizeLong() + kEventBytes;
  const std::lock_guard lock(mutex_);
  if (finished_ || end_.has_value()) return true;  // nobody reads it any more
  if (queued_bytes_ + bytes > kMaxQueuedBytesPerCall || !mediation_.queued_bytes.Take(bytes)) {
    held_ = true;
    return false;
  }
  queued_bytes_ += bytes;
  queue_.emplace_back().Swap(&event);
  return true;
}

void CallRpc::End(grpc::Status status) {
  {
    const std::lock_guard lock(mutex_);
    if (!end_.has_value()) end_ = std::move(status);
  }
  Step();
}

void CallRpc::Drop(bool release) {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    mediation_.queued_bytes.Give(std::exchange(queued_bytes_, 0));
    if (release) held_ = false;
    if (!finished_) end_ = grpc::Status::CANCELLED;
  }
  Step();
}

void CallRpc::OnWriteDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    current_.Clear();
    mediation_.queued_bytes.Give(std::exchange(current_bytes_, 0));
  }
  ok ? Step() : Drop();
}

void CallRpc::OnCancel() {
  CancelStream();
  Drop();
}

void CallRpc::Step() {
  std::unique_lock lock(mutex_);
  if (writing_ || held_ || finished_) return;
  if (queue_.empty()) {
    if (!end_.has_value()) return;
    finished_ = true;
    grpc::Status status = *end_;
    lock.unlock();
    return Finish(std::move(status));
  }
  current_.Swap(&queue_.front());
  queue_.pop_front();
  current_bytes_ = current_.ByteSizeLong() + kEventBytes;
  queued_bytes_ -= current_bytes_;
  if (queue_.empty() && end_.has_value() && end_->ok()) {
    finished_ = true;
    lock.unlock();
    return StartWriteAndFinish(&current_, grpc::WriteOptions(), grpc::Status::OK);
  }
  writing_ = true;
  lock.unlock();
  StartWrite(&current_);
}

}  // namespace tipstaff::gate
