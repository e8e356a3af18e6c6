#include "mediator/gate/budget.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tipstaff::gate {
namespace {

TEST(Budget, GivesNoMoreThanItHas) {
  Budget budget(10);
  EXPECT_TRUE(budget.Take(4));
  EXPECT_TRUE(budget.Take(6));
  EXPECT_FALSE(budget.Take(1));
  EXPECT_TRUE(budget.Take(0));
  budget.Give(6);
  EXPECT_FALSE(budget.Take(7));
  EXPECT_FALSE(budget.Take(SIZE_MAX));
  EXPECT_TRUE(budget.Take(6));
  EXPECT_EQ(budget.used(), 10u);
}

TEST(Budget, HoldsForManyThreads) {
  Budget budget(3);
  std::atomic<int> holders{0}, most{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5'000; ++i) {
        if (!budget.Take(1)) continue;
        const int now = ++holders;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        --holders;
        budget.Give(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 3);
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace tipstaff::gate
