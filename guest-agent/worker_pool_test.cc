#include "guest-agent/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>

#include "guest-agent/cancellation.h"

namespace tipstaff::guest_agent {
namespace {

TEST(WorkerPool, RunsAtMostItsThreadsAtOnceAndAllWorkInTheEnd) {
  WorkerPool pool(3);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::promise<void> open;
  const std::shared_future<void> opened = open.get_future().share();
  std::atomic<int> started = 0, done = 0;
  std::promise<void> all_done;
  for (int i = 0; i < 10; ++i) {
    pool.Submit([&] {
      ++started;
      opened.wait();
      {
        const std::lock_guard<std::mutex> lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      if (++done == 10) all_done.set_value();
    });
  }
  while (started < 3) std::this_thread::yield();
  EXPECT_EQ(started, 3);
  open.set_value();
  all_done.get_future().wait();
  EXPECT_LE(threads.size(), 3u);
  EXPECT_EQ(started, 10);
}

TEST(WorkerPool, StopForgetsWhatWaits) {
  WorkerPool pool(1);
  std::promise<void> running, go_on;
  std::atomic<int> later = 0;
  pool.Submit([&] {
    running.set_value();
    go_on.get_future().wait();
  });
  pool.Submit([&] { ++later; });
  running.get_future().wait();
  std::thread stopper([&] { pool.Stop(); });
  go_on.set_value();
  stopper.join();
  // Whether the second began before Stop took hold is a race; afterwards nothing does.
  const int before = later;
  pool.Submit([&] { ++later; });
  pool.Stop();
  EXPECT_EQ(later, before);
}

TEST(Cancellation, InterruptsSleepAndScopes) {
  Cancellation cancellation;
  EXPECT_TRUE(cancellation.Sleep(absl::Milliseconds(1)));
  int interrupted = 0;
  {
    const Cancellation::Scope over(cancellation, [&] { interrupted += 100; });
  }
  const Cancellation::Scope scope(cancellation, [&] { ++interrupted; });
  std::thread canceller([&] { cancellation.Cancel(); });
  EXPECT_FALSE(cancellation.Sleep(absl::Hours(1)));
  canceller.join();
  EXPECT_TRUE(cancellation.cancelled());
  EXPECT_EQ(interrupted, 1);
  EXPECT_FALSE(cancellation.Sleep(absl::Hours(1))) << "stays cancelled";
}

TEST(Cancellation, InterruptsAScopeThatComesLate) {
  Cancellation cancellation;
  cancellation.Cancel();
  int interrupted = 0;
  const Cancellation::Scope scope(cancellation, [&] { ++interrupted; });
  EXPECT_EQ(interrupted, 1);
}

}  // namespace
}  // namespace tipstaff::guest_agent
