// Lines to the client, written by a thread of its own, so that a client that does not read holds
// nothing else up.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "absl/time/time.h"
#include "mediator/base/fd.h"

namespace tipstaff::guest_agent {

// Thread-safe. Lines are written whole and in order.
class LineWriter {
 public:
  // Writes to `fd`, which stays the caller's. `on_gone` is called once, from the writing thread,
  // when nobody reads the other end any more (or writing fails); lines are dropped from then on.
  LineWriter(int fd, size_t max_bytes, std::function<void()> on_gone);
  // Drops what is not yet written.
  ~LineWriter();

  // Takes a line without its line feed; never waits.
  void Write(std::string line);
  // Whether the maximum is waiting to be read.
  bool full();
  // Waits until less than the maximum is waiting to be read, or nobody reads, or Stop. The one who
  // makes work (the reader of requests) calls it, so that what waits stays bounded.
  void WaitForRoom();
  // Waits until everything is written; false when that takes longer than `timeout`.
  bool Flush(absl::Duration timeout);

 private:
  void Run();
  bool WriteAll(const std::string& line);

  const int fd_;
  const size_t max_bytes_;
  const std::function<void()> on_gone_;
  base::Fd stop_;  // an eventfd
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  size_t bytes_ = 0;  // in lines_, and of the one being written
  bool gone_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace tipstaff::guest_agent
