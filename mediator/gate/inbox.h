// The way of the mediator's bytes from the thread that reads them to the one that serves the guest.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::gate {

// How the mediator's bytes ended.
enum class InboxEnd { kNone, kClosed, kBroken };

// Of two threads, the reader and the server.
class Inbox {
 public:
  // `wake` must bring Woken about, once; called by the reader with no lock held.
  explicit Inbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  // The reader's. Waits while kMaxInboxBytes or more lie there.
  void Add(absl::string_view bytes);
  // The reader's last: returns when the server has called Ended.
  void Close(InboxEnd end);

  // The server's. Puts all that lies there in place of what `bytes` held. False: there is nothing;
  // `wake` is called when that changes.
  bool Take(std::string& bytes);
  // The server has been woken, and can be again.
  void Woken();
  // Other than kNone only when all bytes are taken, and until Ended.
  InboxEnd end();
  void Ended();

 private:
  // Whether the server sleeps and nobody has woken it; it is then for the caller to do.
  bool MustWake();

  const std::function<void()> wake_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::string bytes_;
  bool sleeps_ = false;
  bool waking_ = false;
  InboxEnd end_ = InboxEnd::kNone;
  bool ended_ = false;
};

}  // namespace tipstaff::gate
