#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/ledger/testing/faulty_disk.h"
#include "mediator/ledger/testing/raw_sql.h"

namespace tipstaff::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Payload = Reader::Payload;
using call::RecordKind;

class Append : public ::testing::Test {
 protected:
  void SetUp() override { OpenLedger(); }
  void OpenLedger() {
    ledger_.reset();
    auto ledger = Ledger::Open(path_);
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    ledger_ = *std::move(ledger);
  }
  std::unique_ptr<Reader> Read() {
    auto reader = Reader::Open(path_);
    EXPECT_TRUE(reader.ok()) << reader.status();
    return *std::move(reader);
  }

  base::TempFolder folder_;
  const std::string path_ = folder_.Path("ledger.db");
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(Append, IsReadBackAsItWas) {
  ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
  const std::string bytes("\0\xff payload", 10);
  const auto appended =
      AppendNow(*ledger_, "run_a",
                {MakeRecord(RecordKind::kDecided, R"({"tool":"reports.get"})", bytes, 17),
                 MakeRecord(RecordKind::kOutcome, R"({"kind":"ok"})", "", -5)});
  ASSERT_TRUE(appended.ok()) << appended.status();
  EXPECT_EQ(appended->first_seq, 2u);
  EXPECT_EQ(appended->last_seq, 3u);

  const auto reader = Read();
  const auto records = reader->Records("run_a", 2, 10, Payload::kFetch);
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 2u);
  const StoredRecord& decided = (*records)[0];
  EXPECT_EQ(decided.run, "run_a");
  EXPECT_EQ(decided.seq, 2u);
  EXPECT_EQ(decided.record.kind, RecordKind::kDecided);
  EXPECT_EQ(decided.record.body, R"({"tool":"reports.get"})");
  EXPECT_EQ(decided.record.payload, bytes);
  EXPECT_EQ(decided.payload_size, bytes.size());
  EXPECT_EQ(decided.record.time, absl::FromUnixMicros(17));
  const StoredRecord& outcome = (*records)[1];
  EXPECT_EQ(outcome.record.payload, "");
  EXPECT_EQ(outcome.payload_size, 0u);
  EXPECT_EQ(outcome.record.time, absl::FromUnixMicros(-5));
  EXPECT_GT(outcome.position, decided.position);
  EXPECT_EQ(reader->FindRun("run_a")->head, outcome.hash);
  EXPECT_TRUE(reader->VerifyRun("run_a").ok());
}

TEST_F(Append, ContinuesTheChainAfterReopening) {
  ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
  ASSERT_TRUE(AppendNow(*ledger_, "run_a", {MakeRecord(RecordKind::kDecided, "{}")}).ok());
  OpenLedger();
  const auto third = AppendNow(*ledger_, "run_a", {MakeRecord(RecordKind::kClosed, "{}")});
  ASSERT_TRUE(third.ok()) << third.status();
  EXPECT_EQ(third->first_seq, 3u);
  // A closed run's head is forgotten and read again.
  const auto fourth = AppendNow(*ledger_, "run_a", {MakeRecord(RecordKind::kCleaned, "{}")});
  ASSERT_TRUE(fourth.ok()) << fourth.status();
  EXPECT_EQ(fourth->first_seq, 4u);
  EXPECT_TRUE(Read()->VerifyRun("run_a").ok());
}

TEST_F(Append, CallsBackInTheOrderOfTheAppendsOnOneThread) {
  std::vector<std::string> order;
  std::vector<std::thread::id> threads;
  const auto note = [&](std::string name) {
    return [&, name](absl::StatusOr<Appended> result) {
      order.push_back(absl::StrCat(name, result.ok() ? "" : " failed"));
      threads.push_back(std::this_thread::get_id());
    };
  };
  const std::vector<call::Record> one = {MakeRecord(RecordKind::kRunOpened, "{}")};
  ledger_->Open("run_a", {}, one, note("a1"));
  ledger_->Append("run_b", one, note("b1"));  // not opened
  ledger_->Append("run_a", one, note("a2"));
  ledger_->Open("run_c", {}, one, note("c1"));
  ledger_->Append("run_b", {}, note("b2"));  // no records: known before it is queued
  ledger_->Append("run_a", one, note("a3"));
  ledger_->Flush();
  EXPECT_THAT(order, ElementsAre("a1", "b1 failed", "a2", "c1", "b2 failed", "a3"));
  for (const std::thread::id& thread : threads) EXPECT_EQ(thread, threads[0]);
  EXPECT_NE(threads[0], std::this_thread::get_id());
}

TEST_F(Append, FromManyThreadsKeepsEachRunInOrder) {
  constexpr int kThreads = 8;
  constexpr int kAppends = 50;
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const std::string run = absl::StrCat("run_", t);
      if (!OpenNow(*ledger_, run).ok()) ++failed;
      for (int i = 0; i < kAppends; ++i) {
        ledger_->Append(run, {MakeRecord(RecordKind::kDecided, absl::StrCat("{\"i\":", i, "}"))},
                        [&, i](absl::StatusOr<Appended> result) {
                          if (!result.ok() || result->first_seq != uint64_t(i) + 2) ++failed;
                        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ledger_->Flush();
  EXPECT_EQ(failed, 0);
  const auto reader = Read();
  for (int t = 0; t < kThreads; ++t) {
    const std::string run = absl::StrCat("run_", t);
    EXPECT_TRUE(reader->VerifyRun(run).ok()) << reader->VerifyRun(run);
    const auto records = reader->Records(run, 2, 1000, Payload::kLeave);
    ASSERT_EQ(records->size(), size_t{kAppends});
    for (int i = 0; i < kAppends; ++i) {
      EXPECT_EQ((*records)[i].record.body, absl::StrCat("{\"i\":", i, "}"));
    }
  }
}

TEST_F(Append, ClosingCommitsWhatIsQueued) {
  std::atomic<int> committed{0};
  ledger_->Open("run_a", {}, {MakeRecord(RecordKind::kRunOpened, "{}")}, nullptr);
  for (int i = 0; i < 100; ++i) {
    ledger_->Append("run_a", {MakeRecord(RecordKind::kDecided, "{}")},
                    [&](absl::StatusOr<Appended> result) { committed += result.ok(); });
  }
  ledger_.reset();
  EXPECT_EQ(committed, 100);
  EXPECT_EQ(Read()->FindRun("run_a")->records, 101u);
}

TEST_F(Append, RefusesWhatIsNoRecord) {
  const call::Record good = MakeRecord(RecordKind::kDecided, "{}");
  call::Record timeless = good;
  timeless.time = absl::InfiniteFuture();
  struct Row {
    const char* name;
    std::string run;
    std::vector<call::Record> records;
    absl::StatusCode code;
    const char* reason;
  };
  const Row rows[] = {
      {"no such run", "run_z", {good}, absl::StatusCode::kNotFound, "was never opened"},
      {"no record", "run_1", {}, absl::StatusCode::kInvalidArgument, "needs a record"},
      {"kind 0",
       "run_2",
       {good, MakeRecord(RecordKind{0}, "{}")},
       absl::StatusCode::kInvalidArgument,
       "no record kind 0"},
      {"kind 99",
       "run_3",
       {MakeRecord(RecordKind{99}, "{}")},
       absl::StatusCode::kInvalidArgument,
       "no record kind 99"},
      {"no time", "run_4", {timeless}, absl::StatusCode::kInvalidArgument, "finite time"},
      {"no run", "", {good}, absl::StatusCode::kInvalidArgument, "1 to 128 bytes"},
      {"long run",
       std::string(129, 'r'),
       {good},
       absl::StatusCode::kInvalidArgument,
       "1 to 128 bytes"},
      {"visible ASCII",
       std::string("r\0n", 3),
       {good},
       absl::StatusCode::kInvalidArgument,
       "visible ASCII"},
  };
  for (int i = 1; i <= 4; ++i) ASSERT_TRUE(OpenNow(*ledger_, absl::StrCat("run_", i)).ok());
  for (const Row& row : rows) {
    const auto result = AppendNow(*ledger_, row.run, row.records);
    EXPECT_EQ(result.status().code(), row.code) << row.name;
    EXPECT_THAT(result.status().message(), HasSubstr(row.reason)) << row.name;
  }
  for (int i = 1; i <= 4; ++i) {
    EXPECT_EQ(Read()->FindRun(absl::StrCat("run_", i))->records, 1u);
  }
}

TEST_F(Append, ARunIsOpenedOnce) {
  ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
  EXPECT_EQ(OpenNow(*ledger_, "run_a").status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(Read()->FindRun("run_a")->records, 1u);
}

TEST_F(Append, KeepsPinnedContentsOnce) {
  const std::string content(100'000, 'p');
  const Pinned pinned{base::DigestOf(content), content};
  const Pinned empty{base::DigestOf(""), ""};
  ASSERT_TRUE(OpenNow(*ledger_, "run_a", {pinned, empty}).ok());
  ASSERT_TRUE(OpenNow(*ledger_, "run_b", {pinned, pinned}).ok());
  const auto reader = Read();
  EXPECT_EQ(*reader->PinnedContent(pinned.digest), content);
  EXPECT_EQ(*reader->PinnedContent(empty.digest), "");
  EXPECT_EQ(reader->PinnedContent(base::DigestOf("other")).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(RawSql(path_, "SELECT count(*) FROM pinned"), "2");

  const auto wrong = OpenNow(*ledger_, "run_c", {{base::DigestOf("other"), content}});
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(wrong.status().message(), HasSubstr(base::ToHex(base::DigestOf("other"))));
  EXPECT_EQ(Read()->FindRun("run_c").status().code(), absl::StatusCode::kNotFound);
}

TEST(AppendSync, QueuedAppendsShareOneSyncAndAreDurableWhenCalledBack) {
  FaultyDisk disk;
  base::TempFolder folder;
  auto ledger = Ledger::Open(folder.Path("ledger.db"));
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  ASSERT_TRUE(OpenNow(**ledger, "run_0").ok());
  std::atomic<int> unsynced{0};
  std::atomic<int> committed{0};
  int before = 0;
  {
    const WriterHeld held(**ledger, "run_0");
    before = disk.syncs();
    const call::Record record = MakeRecord(RecordKind::kRunOpened, "{}", std::string(1024, 'x'));
    for (int i = 1; i <= 16; ++i) {
      (*ledger)->Open(absl::StrCat("run_", i), {}, {record, record},
                      [&](absl::StatusOr<Appended> result) {
                        committed += result.ok();
                        unsynced += disk.unsynced_log_writes();
                      });
    }
  }
  (*ledger)->Flush();
  EXPECT_EQ(committed, 16);
  EXPECT_EQ(disk.syncs() - before, 1);
  EXPECT_EQ(unsynced, 0) << "an append was reported before its sync";
}

}  // namespace
}  // namespace tipstaff::ledger
