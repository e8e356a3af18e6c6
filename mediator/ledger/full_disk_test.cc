// A disk that is full takes nothing new, and the room that was kept takes the end of what has
// begun: docs/decisions/0012.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/ledger/testing/faulty_disk.h"

namespace tipstaff::ledger {
namespace {

namespace fs = std::filesystem;
using call::RecordKind;

constexpr uint64_t kReserve = 16 << 20;  // as the mediator has it

std::string RunName(int number) { return absl::StrCat("run_", 100'000'000'000 + number); }

// Bodies of about the size that those of the mediator have.
std::string BodyOf(size_t bytes) {
  return absl::StrCat(R"({"why":")", std::string(bytes, 'w'), "\"}");
}
call::Record Closing() { return MakeRecord(RecordKind::kClosing, BodyOf(200)); }
std::vector<call::Record> Closed() {
  return {MakeRecord(RecordKind::kCleaned, BodyOf(200)),
          MakeRecord(RecordKind::kClosed, BodyOf(350))};
}
std::vector<call::Record> Outcome(size_t bytes) {
  return {MakeRecord(RecordKind::kOutcome, BodyOf(170), std::string(bytes, 'x'))};
}
std::vector<call::Record> Decided(size_t bytes = 300) {
  return {MakeRecord(RecordKind::kDecided, BodyOf(600), std::string(bytes, 'x'))};
}

class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    disk_.PretendToSync();
    disk_.LimitFolder(folder_.path(), -1);
    OpenLedger(path_);
  }
  void OpenLedger(const std::string& path) {
    ledger_.reset();
    LedgerOptions options;
    options.on_fatal = [](const absl::Status& why) { ADD_FAILURE() << why; };
    options.sign = [](const std::string& text) {
      return absl::StrCat(text, "\n— t ", std::string(100, 's'), "\n");
    };
    options.reserve_bytes = kReserve;
    options.take_room = [this](int fd, uint64_t bytes) { return disk_.TakeRoom(fd, bytes); };
    options.shorten = [this](const std::string&, call::Record& record) {
      ++shortened_;
      record.payload.clear();
      record.body = BodyOf(190);
      return true;
    };
    auto ledger = Ledger::Open(path, std::move(options));
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    ledger_ = *std::move(ledger);
  }
  void OpenRuns(int runs) {
    for (int i = 0; i < runs; ++i) {
      ledger_->Open(RunName(i), {}, {MakeRecord(RecordKind::kRunOpened, BodyOf(800))}, nullptr);
    }
    ledger_->Flush();
  }
  void Fill() {
    ledger_->Flush();
    disk_.FillFolder(folder_.path());
  }
  // As `run close` does it, one after the other.
  void CloseOneByOne(int runs) {
    for (int i = 0; i < runs; ++i) {
      const absl::Status ends = AppendNow(*ledger_, RunName(i), {Closing()}).status();
      const absl::Status closed = AppendNow(*ledger_, RunName(i), Closed()).status();
      ASSERT_TRUE(ends.ok() && closed.ok()) << i << ": " << ends << " " << closed;
    }
  }
  void ExpectAllClosed(const std::string& path, size_t runs) {
    const auto reader = Reader::Open(path);
    ASSERT_TRUE(reader.ok()) << reader.status();
    const auto stored = (*reader)->Runs();
    ASSERT_TRUE(stored.ok()) << stored.status();
    ASSERT_EQ(stored->size(), runs);
    for (const StoredRun& run : *stored) {
      ASSERT_TRUE(run.closed) << run.run;
      if (runs > 10) continue;
      EXPECT_TRUE((*reader)->VerifyRun(run.run).ok());
    }
  }
  void ExpectNothingNew(const std::string& run) {
    EXPECT_TRUE(absl::IsResourceExhausted(AppendNow(*ledger_, run, Decided()).status()));
    ledger_->Reset(run);
  }

  FaultyDisk disk_;
  base::TempFolder folder_;
  const std::string path_ = folder_.Path("ledger.db"), reserve_ = path_ + "-reserve";
  std::unique_ptr<Ledger> ledger_;
  std::atomic<int> shortened_{0};
};

TEST_F(FullDisk, StillTakesTheEndOfRunsAndNothingNew) {
  OpenRuns(3);
  Fill();
  for (int i = 0; i < 3; ++i) ExpectNothingNew(RunName(i));
  EXPECT_EQ(fs::file_size(reserve_), kReserve) << "kept for what ends something";
  CloseOneByOne(2);
  EXPECT_LT(fs::file_size(reserve_), kReserve);
  EXPECT_FALSE(ledger_->TakesNew()) << "while the reserve is not whole";
  EXPECT_GE(fs::file_size(reserve_), kReserve - (1 << 20)) << "no more is given up than it takes";
  ExpectNothingNew(RunName(2));

  disk_.LimitFolder(folder_.path(), -1);
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  absl::Status again;
  do {
    again = AppendNow(*ledger_, RunName(2), Decided()).status();
    if (!again.ok()) ledger_->Reset(RunName(2)), absl::SleepFor(absl::Milliseconds(50));
  } while (!again.ok() && absl::Now() < deadline);
  EXPECT_TRUE(again.ok()) << again;
  EXPECT_EQ(fs::file_size(reserve_), kReserve) << "kept again";
}

// Whoever asks first need not let a commit fail, which ends what else the run has in flight.
TEST_F(FullDisk, IsKnownBeforeSomethingNewFails) {
  OpenRuns(1);
  EXPECT_TRUE(ledger_->TakesNew());
  Fill();
  ExpectNothingNew(RunName(0));
  EXPECT_FALSE(ledger_->TakesNew());
  ledger_.reset();
  OpenLedger(path_);
  EXPECT_FALSE(ledger_->TakesNew()) << "also after a restart";

  disk_.LimitFolder(folder_.path(), -1);
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  while (!ledger_->TakesNew() && absl::Now() < deadline) absl::SleepFor(absl::Milliseconds(20));
  EXPECT_TRUE(ledger_->TakesNew()) << "nothing has to be appended for that";
  EXPECT_TRUE(AppendNow(*ledger_, RunName(0), Decided()).ok());
  EXPECT_EQ(fs::file_size(reserve_), kReserve);
}

// The file was there after a restart and was not used: no run could be closed.
TEST_F(FullDisk, ACleanRestartGoesOnWithWhatIsKept) {
  OpenRuns(3);
  AppendNow(*ledger_, RunName(0), Decided()).IgnoreError();
  Fill();
  ledger_.reset();  // the last checkpoint is written too
  // Others take what the log has given back.
  disk_.FillFolder(folder_.path());
  OpenLedger(path_);
  ExpectNothingNew(RunName(0));
  CloseOneByOne(3);
  ledger_.reset();
  disk_.FillFolder(folder_.path());
  ExpectAllClosed(path_, 3);
  const auto reader = Reader::Open(path_);
  const auto notes = (*reader)->Checkpoints(1, 100);
  EXPECT_EQ(notes->size(), 5u) << "the first, one at the stop, one for each run that was closed";
}

TEST_F(FullDisk, ARestartAfterAKillGoesOnWithWhatIsKept) {
  OpenRuns(3);
  // What a kill leaves.
  const base::TempFolder left;
  const std::string path = left.Path("ledger.db");
  for (const char* end : {"", "-wal"}) fs::copy_file(path_ + end, path + end);
  std::ofstream(path + "-reserve") << std::string(kReserve, '\0');
  fs::permissions(path + "-reserve", fs::perms::owner_read | fs::perms::owner_write);
  ledger_.reset();
  disk_.FillFolder(left.path());
  OpenLedger(path);
  for (int i = 0; i < 3; ++i) {
    const absl::Status closed = AppendNow(*ledger_, RunName(i), Closed()).status();
    EXPECT_TRUE(closed.ok()) << closed;
  }
  ledger_.reset();
  ExpectAllClosed(path, 3);
}

TEST_F(FullDisk, ALedgerWhosePlaceForRoomIsTakenIsNotOpened) {
  OpenRuns(1);
  ledger_.reset();
  fs::remove(reserve_);
  std::ofstream(folder_.Path("other")) << "content";
  fs::create_symlink(folder_.Path("other"), reserve_);
  const auto opened = Ledger::Open(path_, {.reserve_bytes = kReserve});
  EXPECT_EQ(opened.status().code(), absl::StatusCode::kFailedPrecondition) << opened.status();
  EXPECT_THAT(opened.status().message(), ::testing::HasSubstr("move it away"));
  fs::remove(reserve_);
  OpenLedger(path_);
  EXPECT_EQ(fs::file_size(reserve_), kReserve);
}

// A megabyte of results of calls in flight took all that was kept for closing.
TEST_F(FullDisk, LargeResultsAreLeftOutAndSmallOnesKept) {
  OpenRuns(2);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(AppendNow(*ledger_, RunName(0), Decided()).ok());
  Fill();
  for (int i = 0; i < 30; ++i) {
    const absl::Status settled = AppendNow(*ledger_, RunName(0), Outcome(1'000'000)).status();
    ASSERT_TRUE(settled.ok()) << i << ": " << settled;
  }
  EXPECT_EQ(shortened_, 30);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(AppendNow(*ledger_, RunName(0), Outcome(300)).ok());
  EXPECT_EQ(shortened_, 30);
  EXPECT_GE(fs::file_size(reserve_), kReserve - (2 << 20));
  const auto reader = Reader::Open(path_);
  const auto records = (*reader)->Records(RunName(0), 42, 100, Reader::Payload::kFetch);
  ASSERT_EQ(records->size(), 40u);
  EXPECT_EQ(records->front().record.payload, "");
  EXPECT_EQ(records->back().record.payload.size(), 300u);
  CloseOneByOne(2);
  ExpectAllClosed(path_, 2);
}

// With room for it a result is kept, whatever its size; the disk is full for what comes next.
TEST_F(FullDisk, WithRoomLargeResultsAreKept) {
  OpenRuns(1);
  disk_.LimitFolder(folder_.path(), FaultyDisk::UsedOf(folder_.path()) + 1'500'000);
  EXPECT_TRUE(AppendNow(*ledger_, RunName(0), Outcome(1'000'000)).ok());
  EXPECT_EQ(shortened_, 0);
  EXPECT_TRUE(AppendNow(*ledger_, RunName(0), Outcome(1'000'000)).ok());
  EXPECT_EQ(shortened_, 1);
}

// What makes a result sent is about a call that is on record already; its decision is not.
TEST_F(FullDisk, WhatHasBegunGoesOnAndWhatHasNotDoesNot) {
  OpenRuns(1);
  Fill();
  struct Row {
    RecordKind kind;
    bool taken;
    const char* why;
  };
  const Row rows[] = {
      {RecordKind::kDecided, false, "a new call"},
      {RecordKind::kSealing, false, "a result would be submitted"},
      {RecordKind::kSubmitting, false, "a result would be submitted"},
      {RecordKind::kApproval, false, "a call would be let in"},
      {RecordKind::kDispatched, true, "it was sent already"},
      {RecordKind::kOutcome, true, "of a call in flight"},
      {RecordKind::kAccepted, true, "of a result in flight"},
      {RecordKind::kRefused, true, "of a result in flight"},
      {RecordKind::kUnknown, true, "of a result in flight"},
      {RecordKind::kHeld, true, "of a result in flight"},
      {RecordKind::kResolved, true, "a person ends what is held"},
      {RecordKind::kExpired, true, "the run ends"},
      {RecordKind::kRevoked, true, "the run ends"},
      {RecordKind::kClosing, true, "the run ends"},
      {RecordKind::kCleaned, true, "the run ends"},
  };
  for (const Row& row : rows) {
    const auto one = MakeRecord(row.kind, "{}");
    const absl::Status status = AppendNow(*ledger_, RunName(0), {one}).status();
    EXPECT_EQ(status.code(),
              row.taken ? absl::StatusCode::kOk : absl::StatusCode::kResourceExhausted)
        << call::RecordKindName(row.kind) << ": " << row.why << ": " << status;
    ledger_->Reset(RunName(0));
    const auto decided = MakeRecord(RecordKind::kDecided, "{}");
    EXPECT_TRUE(absl::IsResourceExhausted(AppendNow(*ledger_, RunName(0), {decided, one}).status()))
        << "with a new call";
    ledger_->Reset(RunName(0));
  }
}

struct Before {
  const char* name;
  int results;  // of 8 MB, in the log and not in the file when the disk becomes full
};

class ManyRuns : public FullDisk, public ::testing::WithParamInterface<Before> {};

// As many runs as may be open, each with as many calls in flight as it may have: what they say of
// their end fits, and all are closed one after the other.
TEST_P(ManyRuns, AllOfThemCanBeClosed) {
  constexpr int kRuns = 1000, kCalls = 16;
  OpenRuns(kRuns);
  for (int i = 0; i < kRuns; ++i) {
    for (int call = 0; call < kCalls; ++call) ledger_->Append(RunName(i), Decided(), nullptr);
  }
  ledger_->Flush();
  // The log cannot go into the file any more.
  disk_.FailDatabaseWrites(SQLITE_FULL);
  for (int i = 0; i < GetParam().results; ++i) {
    ASSERT_TRUE(AppendNow(*ledger_, RunName(i), Outcome(8 << 20)).ok());
  }
  Fill();
  disk_.FailDatabaseWrites(0);
  std::atomic<int> failed{0};
  for (int call = 0; call < kCalls; ++call) {
    for (int i = 0; i < kRuns; ++i) {
      ledger_->Append(RunName(i), Outcome(call == 0 ? 100'000 : 300),
                      [&failed](const auto& done) { failed += done.ok() ? 0 : 1; });
    }
  }
  ledger_->Flush();
  EXPECT_EQ(failed, 0);
  EXPECT_GT(shortened_, kRuns * 9 / 10) << "a few may fit into the log as it is";
  CloseOneByOne(kRuns);
  EXPECT_GE(fs::file_size(reserve_), 1u << 20) << "with something to spare";
  ledger_.reset();
  ExpectAllClosed(path_, kRuns);
}

INSTANTIATE_TEST_SUITE_P(With, ManyRuns,
                         ::testing::Values(Before{"AnEmptyLog", 0},
                                           Before{"ALargeResultInTheLog", 1}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tipstaff::ledger
