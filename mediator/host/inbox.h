// Work from other threads, done on the event loop's.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"

namespace tipstaff::host {

// Put() is thread-safe and wakes the loop once for however much has come in. Work that is put
// after the Inbox is gone is dropped.
class Inbox {
 public:
  using Work = absl::AnyInvocable<void() &&>;

  explicit Inbox(boost::asio::io_context& loop) : shared_(std::make_shared<Shared>(loop)) {}
  ~Inbox() {
    std::lock_guard lock(shared_->mutex);
    shared_->open = false;
    shared_->work.clear();
  }

  // A function that puts work here for as long as the Inbox lives.
  std::function<void(Work)> Sender() {
    return [shared = shared_](Work work) {
      std::lock_guard lock(shared->mutex);
      if (!shared->open) return;
      shared->work.push_back(std::move(work));
      if (shared->work.size() > 1) return;  // the loop is awake for the first one
      boost::asio::post(shared->loop, [shared] {
        std::vector<Work> batch;
        {
          std::lock_guard lock(shared->mutex);
          batch.swap(shared->work);
        }
        for (Work& one : batch) std::move(one)();
      });
    };
  }

 private:
  struct Shared {
    explicit Shared(boost::asio::io_context& io) : loop(io) {}
    boost::asio::io_context& loop;
    std::mutex mutex;
    bool open = true;
    std::vector<Work> work;
  };
  std::shared_ptr<Shared> shared_;
};

}  // namespace tipstaff::host
