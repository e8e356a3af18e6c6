#include "mediator/gate/inbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "mediator/gate/limits.h"

namespace tipstaff::gate {
namespace {

TEST(Inbox, WakesOnlyAServerThatSleepsAndOnlyOnce) {
  int woken = 0;
  Inbox inbox([&] { ++woken; });
  std::string got = "old";
  inbox.Add("a");
  EXPECT_EQ(woken, 0) << "the server has yet to look";
  EXPECT_TRUE(inbox.Take(got));
  EXPECT_EQ(got, "a");
  EXPECT_FALSE(inbox.Take(got));
  EXPECT_EQ(got, "") << "what was taken before is gone";
  inbox.Add("b");
  inbox.Add("c");
  EXPECT_EQ(woken, 1);
  // It takes the bytes and sleeps again before the wake reaches it: that one still comes.
  EXPECT_TRUE(inbox.Take(got));
  EXPECT_EQ(got, "bc");
  EXPECT_FALSE(inbox.Take(got));
  inbox.Add("d");
  EXPECT_EQ(woken, 1);
  inbox.Woken();
  EXPECT_TRUE(inbox.Take(got));
  EXPECT_FALSE(inbox.Take(got));
  inbox.Add("e");
  EXPECT_EQ(woken, 2);
}

TEST(Inbox, EndsAfterItsLastByteAndWaitsForTheServer) {
  std::atomic<int> woken = 0;
  Inbox inbox([&] { ++woken; });
  std::string got;
  inbox.Add("last");
  auto closed = std::async(std::launch::async, [&] { inbox.Close(InboxEnd::kClosed); });
  EXPECT_EQ(inbox.end(), InboxEnd::kNone);
  EXPECT_TRUE(inbox.Take(got));
  EXPECT_EQ(got, "last");
  while (inbox.end() == InboxEnd::kNone) std::this_thread::yield();
  EXPECT_EQ(inbox.end(), InboxEnd::kClosed);
  EXPECT_EQ(closed.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  inbox.Ended();
  closed.get();
  EXPECT_EQ(inbox.end(), InboxEnd::kNone) << "the server ends its streams once";
}

TEST(Inbox, TheEndWakesASleepingServer) {
  std::promise<void> woken;
  Inbox inbox([&] { woken.set_value(); });
  std::string got;
  EXPECT_FALSE(inbox.Take(got));
  auto closed = std::async(std::launch::async, [&] { inbox.Close(InboxEnd::kBroken); });
  woken.get_future().get();
  EXPECT_EQ(inbox.end(), InboxEnd::kBroken);
  inbox.Ended();
}

// Every byte arrives in order, and no more than kMaxInboxBytes and one piece lie there at a time.
TEST(Inbox, HoldsTheReaderBack) {
  constexpr size_t kPiece = 64 << 10;
  constexpr int kPieces = 100;
  Inbox inbox([] {});
  std::thread reader([&] {
    for (int i = 0; i < kPieces; ++i) {
      inbox.Add(std::string(kPiece, static_cast<char>('!' + i % 90)));
    }
  });
  std::string got, all;
  while (all.size() < kPieces * kPiece) {
    inbox.Woken();
    if (!inbox.Take(got)) std::this_thread::yield();
    EXPECT_LT(got.size(), kMaxInboxBytes + kPiece);
    all += got;
  }
  reader.join();
  for (int i = 0; i < kPieces; ++i) {
    ASSERT_EQ(all.find_first_not_of(static_cast<char>('!' + i % 90), i * kPiece),
              i + 1 < kPieces ? (i + 1) * kPiece : std::string::npos);
  }
}

}  // namespace
}  // namespace tipstaff::gate
