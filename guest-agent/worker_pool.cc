#include "guest-agent/worker_pool.h"

#include <utility>

namespace tipstaff::guest_agent {

void WorkerPool::Submit(std::function<void()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopped_) return;
  waiting_.push_back(std::move(work));
  if (waiting_.size() > idle_ && threads_.size() < max_threads_) {
    threads_.emplace_back([this] { Run(); });
  }
  wake_.notify_one();
}

void WorkerPool::Stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    waiting_.clear();
    threads.swap(threads_);
  }
  wake_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void WorkerPool::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    --idle_;
    if (stopped_) return;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace tipstaff::guest_agent
