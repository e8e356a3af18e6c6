// What happens when the disk does not do its part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <cstdio>
#include <filesystem>

#include "absl/time/clock.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/ledger/testing/faulty_disk.h"

namespace tipstaff::ledger {
namespace {

using call::RecordKind;
using ::testing::HasSubstr;

std::vector<call::Record> One(size_t payload = 0) {
  return {MakeRecord(RecordKind::kDecided, "{}", std::string(payload, 'x'))};
}

class Failure : public ::testing::Test {
 protected:
  void SetUp() override {
    OpenLedger();
    ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
    ASSERT_TRUE(OpenNow(*ledger_, "run_b").ok());
  }
  void OpenLedger() {
    LedgerOptions options;
    options.on_fatal = [this](const absl::Status& why) {
      ++fatal_;
      why_ = why;
    };
    auto ledger = Ledger::Open(path_, std::move(options));
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    ledger_ = *std::move(ledger);
  }
  // Queues what `fill` appends while the writer is kept busy, so that it is one batch.
  template <typename Fill>
  void AsOneBatch(Fill fill) {
    {
      const WriterHeld held(*ledger_, "run_a");
      fill();
    }
    ledger_->Flush();
  }
  absl::StatusOr<StoredRun> Stored(const std::string& run) {
    auto reader = Reader::Open(path_);
    if (!reader.ok()) return reader.status();
    if (absl::Status status = (*reader)->VerifyRun(run); !status.ok()) return status;
    return (*reader)->FindRun(run);
  }

  FaultyDisk disk_;
  base::TempFolder folder_;
  const std::string path_ = folder_.Path("ledger.db");
  std::atomic<int> fatal_{0};
  absl::Status why_;
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(Failure, AFullDiskFailsTheAppendAndWhatFollowsUntilReset) {
  disk_.FailWrites(SQLITE_FULL);
  EXPECT_EQ(AppendNow(*ledger_, "run_a", One()).status().code(),
            absl::StatusCode::kResourceExhausted);
  disk_.FailWrites(0);
  const auto following = AppendNow(*ledger_, "run_a", One());
  EXPECT_EQ(following.status().code(), absl::StatusCode::kAborted);
  EXPECT_THAT(following.status().message(), HasSubstr("an earlier append failed"));
  EXPECT_TRUE(AppendNow(*ledger_, "run_b", One()).ok()) << "another run goes on";

  ledger_->Reset("run_a");
  const auto after = AppendNow(*ledger_, "run_a", One());
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->first_seq, 2u) << "on top of what is durable";
  EXPECT_EQ(fatal_, 0);
  EXPECT_EQ(Stored("run_a")->records, 2u) << Stored("run_a").status();
}

TEST_F(Failure, AppendsQueuedBehindAFailedOneFailWithIt) {
  absl::StatusCode first{}, second{}, other{};
  AsOneBatch([&] {
    disk_.FailWrites(SQLITE_FULL);
    ledger_->Append("run_a", One(), [&](auto result) { first = result.status().code(); });
    ledger_->Append("run_a", One(), [&](auto result) { second = result.status().code(); });
    ledger_->Append("run_b", One(), [&](auto result) { other = result.status().code(); });
  });
  EXPECT_EQ(first, absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(second, absl::StatusCode::kAborted);
  EXPECT_EQ(other, absl::StatusCode::kResourceExhausted);
}

TEST_F(Failure, OnlyWhatDoesNotFitFails) {
  // The log may still take a few pages, but not a megabyte: one run's large result must not stop
  // the others.
  disk_.LimitLog(300'000);
  absl::StatusOr<Appended> large, small_after, other;
  AsOneBatch([&] {
    ledger_->Append("run_b", One(1'000'000), [&](auto result) { large = result; });
    ledger_->Append("run_a", One(), [&](auto result) { other = result; });
    ledger_->Append("run_b", One(), [&](auto result) { small_after = result; });
  });
  EXPECT_EQ(large.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(small_after.status().code(), absl::StatusCode::kAborted);
  EXPECT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(Stored("run_a")->records, 3u);
  EXPECT_EQ(Stored("run_b")->records, 1u);
}

TEST_F(Failure, AnAppendIsAllOrNothing) {
  disk_.LimitLog(300'000);
  std::vector<call::Record> records = One();
  records.push_back(One(1'000'000)[0]);
  EXPECT_EQ(AppendNow(*ledger_, "run_a", records).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Stored("run_a")->records, 1u);
  EXPECT_EQ(OpenNow(*ledger_, "run_c",
                    {{base::DigestOf(std::string(1'000'000, 'p')), std::string(1'000'000, 'p')}})
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Stored("run_c").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(Failure, AFailedSyncIsFatal) {
  disk_.FailSyncs(SQLITE_IOERR_FSYNC);
  const auto failed = AppendNow(*ledger_, "run_a", One());
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kDataLoss);
  disk_.FailSyncs(0);
  ledger_->Reset("run_a");
  EXPECT_EQ(AppendNow(*ledger_, "run_a", One()).status().code(), absl::StatusCode::kDataLoss)
      << "what the disk holds is not known: nothing is retried";
  EXPECT_EQ(AppendNow(*ledger_, "run_b", One()).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(fatal_, 1);
  EXPECT_EQ(why_.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(why_.message(), HasSubstr(path_));

  // As after a restart.
  ledger_.reset();
  OpenLedger();
  const auto stored = Stored("run_a");
  ASSERT_TRUE(stored.ok()) << stored.status();
  const auto after = AppendNow(*ledger_, "run_a", One());
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->first_seq, stored->records + 1);
}

TEST_F(Failure, AFailedWriteIsFatal) {
  disk_.FailWrites(SQLITE_IOERR_WRITE);
  EXPECT_EQ(AppendNow(*ledger_, "run_a", One()).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(fatal_, 1);
}

TEST_F(Failure, ALedgerThatWasMovedIsFatal) {
  // SQLite would go on writing into a file that nobody can find.
  ASSERT_EQ(std::rename(path_.c_str(), folder_.Path("elsewhere.db").c_str()), 0);
  const auto failed = AppendNow(*ledger_, "run_a", One());
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(failed.status().message(), HasSubstr("moved or removed"));
  EXPECT_EQ(fatal_, 1);
}

TEST_F(Failure, AFullDiskAtACheckpointStopsNothing) {
  // Only the log takes writes; the checkpoint has to grow the file itself and cannot.
  disk_.FailDatabaseWrites(SQLITE_FULL);
  for (int i = 0; i < 100; ++i) {
    const auto appended = AppendNow(*ledger_, "run_a", One(200'000));
    ASSERT_TRUE(appended.ok()) << appended.status();
  }
  EXPECT_GT(disk_.failed_database_writes(), 0) << "no checkpoint was tried";
  EXPECT_EQ(fatal_, 0);
  EXPECT_EQ(Stored("run_a")->records, 101u);
}

TEST(FailureDeathTest, WithoutAHandlerTheProcessStops) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        FaultyDisk disk;
        base::TempFolder folder;
        auto ledger = Ledger::Open(folder.Path("ledger.db"));
        disk.FailSyncs(SQLITE_IOERR_FSYNC);
        (void)OpenNow(**ledger, "run_a");
      },
      "tipstaff: ledger .*stopping, as the record can no longer be kept");
}

}  // namespace
}  // namespace tipstaff::ledger
