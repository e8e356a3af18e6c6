#include "mediator/gate/inbox.h"

#include <utility>

#include "mediator/gate/limits.h"

namespace tipstaff::gate {

bool Inbox::MustWake() {
  if (!sleeps_ || waking_) return false;
  sleeps_ = false;
  waking_ = true;
  return true;
}

void Inbox::Add(absl::string_view bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return bytes_.size() < kMaxInboxBytes; });
  bytes_.append(bytes.data(), bytes.size());
  const bool must_wake = MustWake();
  lock.unlock();
  if (must_wake) wake_();
}

void Inbox::Close(InboxEnd end) {
  std::unique_lock lock(mutex_);
  end_ = end;
  const bool must_wake = MustWake();
  lock.unlock();
  if (must_wake) wake_();
  lock.lock();
  changed_.wait(lock, [&] { return ended_; });
}

bool Inbox::Take(std::string& bytes) {
  bytes.clear();
  const std::lock_guard lock(mutex_);
  if (bytes_.empty()) {
    sleeps_ = true;
    return false;
  }
  sleeps_ = false;
  if (bytes_.size() >= kMaxInboxBytes) changed_.notify_one();
  bytes_.swap(bytes);
  return true;
}

void Inbox::Woken() {
  const std::lock_guard lock(mutex_);
  waking_ = false;
}

InboxEnd Inbox::end() {
  const std::lock_guard lock(mutex_);
  return bytes_.empty() && !ended_ ? end_ : InboxEnd::kNone;
}

void Inbox::Ended() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_one();
}

}  // namespace tipstaff::gate
