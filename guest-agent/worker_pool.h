// A bounded number of threads, started when first needed, for work that blocks.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tipstaff::guest_agent {

// Thread-safe. Work that finds no free thread waits in order.
class WorkerPool {
 public:
  explicit WorkerPool(size_t max_threads) : max_threads_(max_threads) {}
  ~WorkerPool() { Stop(); }

  // Does nothing after Stop.
  void Submit(std::function<void()> work);
  // Forgets what still waits and returns when what runs has ended. Not from within work.
  void Stop();

 private:
  void Run();

  const size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  size_t idle_ = 0;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tipstaff::guest_agent
