#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/ledger/testing/raw_sql.h"

namespace tipstaff::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Payload = Reader::Payload;
using call::RecordKind;

std::vector<uint64_t> Seqs(const absl::StatusOr<std::vector<StoredRecord>>& records) {
  std::vector<uint64_t> seqs;
  if (!records.ok()) return {999};
  for (const StoredRecord& record : *records) seqs.push_back(record.seq);
  return seqs;
}

class Reading : public ::testing::Test {
 protected:
  void SetUp() override {
    ledger_ = *Ledger::Open(path_);
    ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
    ASSERT_TRUE(OpenNow(*ledger_, "run_b").ok());
    ASSERT_TRUE(AppendNow(*ledger_, "run_a",
                          {MakeRecord(RecordKind::kDecided, "{}", std::string(50'000, 'p')),
                           MakeRecord(RecordKind::kOutcome, "{}")})
                    .ok());
    ASSERT_TRUE(AppendNow(*ledger_, "run_b",
                          {MakeRecord(RecordKind::kClosed, "{}", "", 1'900'000'000'000'000)})
                    .ok());
  }
  std::unique_ptr<Reader> Read() { return *Reader::Open(path_); }

  base::TempFolder folder_;
  const std::string path_ = folder_.Path("ledger.db");
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(Reading, ListsRunsInTheOrderOfOpening) {
  const auto runs = Read()->Runs();
  ASSERT_TRUE(runs.ok()) << runs.status();
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].run, "run_a");
  EXPECT_EQ((*runs)[0].records, 3u);
  EXPECT_FALSE((*runs)[0].closed);
  EXPECT_EQ((*runs)[0].opened_at, absl::FromUnixMicros(1'767'225'600'000'000));
  EXPECT_EQ((*runs)[1].run, "run_b");
  EXPECT_TRUE((*runs)[1].closed);
  EXPECT_EQ(Read()->FindRun("run_b")->head, (*runs)[1].head);
  EXPECT_EQ(Read()->FindRun("run_c").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(Reading, TakesAPartOfARunOrOfAll) {
  const auto reader = Read();
  EXPECT_THAT(Seqs(reader->Records("run_a", 1, 100, Payload::kLeave)), ElementsAre(1, 2, 3));
  EXPECT_THAT(Seqs(reader->Records("run_a", 2, 1, Payload::kLeave)), ElementsAre(2));
  EXPECT_THAT(Seqs(reader->Records("run_a", 4, 100, Payload::kLeave)), ElementsAre());
  EXPECT_THAT(Seqs(reader->Records("run_a", UINT64_MAX, SIZE_MAX, Payload::kLeave)), ElementsAre());
  EXPECT_EQ(reader->Records("run_c", 1, 1, Payload::kLeave).status().code(),
            absl::StatusCode::kNotFound);

  const auto all = reader->AllRecords(0, SIZE_MAX, Payload::kLeave);
  ASSERT_EQ(all->size(), 5u);
  EXPECT_EQ((*all)[1].run, "run_b");
  const auto rest = reader->AllRecords((*all)[3].position, 1, Payload::kFetch);
  ASSERT_EQ(rest->size(), 1u);
  EXPECT_EQ((*rest)[0].hash, (*all)[3].hash);
}

TEST_F(Reading, LeavesPayloadsUnlessAskedFor) {
  const auto reader = Read();
  const auto left = reader->Records("run_a", 2, 1, Payload::kLeave);
  EXPECT_EQ((*left)[0].record.payload, "");
  EXPECT_EQ((*left)[0].payload_size, 50'000u);
  EXPECT_EQ(reader->Record("run_a", 2)->record.payload.size(), 50'000u);
  EXPECT_EQ(reader->Record("run_a", 9).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(reader->Record("run_a", 0).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(Reading, KnowsTheNewestTime) {
  EXPECT_EQ(*Read()->NewestTime(), absl::FromUnixMicros(1'900'000'000'000'000));
  const std::string empty = folder_.Path("empty.db");
  { ASSERT_TRUE(Ledger::Open(empty).ok()); }
  EXPECT_EQ(*(*Reader::Open(empty))->NewestTime(), absl::InfinitePast());
  EXPECT_TRUE((*Reader::Open(empty))->Runs()->empty());
}

TEST_F(Reading, SeesWhatIsWrittenMeanwhile) {
  const auto reader = Read();
  std::atomic<bool> stop{false};
  std::thread writing([&] {
    while (!stop) {
      (void)AppendNow(*ledger_, "run_a", {MakeRecord(RecordKind::kDecided, "{}", "payload")});
    }
  });
  uint64_t seen = 0;
  for (int i = 0; i < 100; ++i) {
    const absl::Status verified = reader->VerifyRun("run_a");
    EXPECT_TRUE(verified.ok()) << verified;
    const auto run = reader->FindRun("run_a");
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_GE(run->records, seen);
    seen = run->records;
  }
  stop = true;
  writing.join();
  EXPECT_GE(reader->FindRun("run_a")->records, seen);
}

TEST_F(Reading, HoldsNoTransactionBetweenCalls) {
  const auto reader = Read();
  ASSERT_TRUE(reader->Runs().ok());
  ASSERT_TRUE(reader->Records("run_a", 1, 1, Payload::kFetch).ok());
  ASSERT_TRUE(reader->AllRecords(0, 2, Payload::kLeave).ok());
  ASSERT_TRUE(reader->NewestTime().ok());
  // It would be busy, 1, if a reader still looked at the log.
  EXPECT_EQ(RawSql(path_, "PRAGMA wal_checkpoint(TRUNCATE)"), "0");
}

TEST_F(Reading, WorksWithoutAWriterAndOnACopy) {
  ledger_.reset();
  EXPECT_EQ(Read()->Runs()->size(), 2u);
  const std::string copy = folder_.Path("copy.db");
  std::filesystem::copy_file(path_, copy);
  EXPECT_EQ((*Reader::Open(copy))->Runs()->size(), 2u);
  EXPECT_TRUE((*Reader::Open(copy))->VerifyRun("run_a").ok());
}

// A folder that the process cannot write: as another user when it runs as root.
class Unwritable {
 public:
  explicit Unwritable(const base::TempFolder& folder) : path_(folder.path()) {
    ::chmod(path_.c_str(), 0555);
    if (::geteuid() == 0) dropped_ = ::seteuid(65534) == 0;
  }
  ~Unwritable() {
    if (dropped_ && ::seteuid(0) != 0) std::abort();
    ::chmod(path_.c_str(), 0755);
  }
  bool works() const { return ::access(path_.c_str(), W_OK) != 0 || dropped_; }

 private:
  std::string path_;
  bool dropped_ = false;
};

TEST_F(Reading, WorksInAFolderThatCannotBeWritten) {
  base::TempFolder archive;
  const std::string copy = archive.Path("ledger.db");
  ledger_.reset();
  std::filesystem::copy_file(path_, copy);
  ::chmod(copy.c_str(), 0444);
  std::unique_ptr<Reader> reader;
  {
    const Unwritable unwritable(archive);
    ASSERT_TRUE(unwritable.works());
    auto opened = Reader::Open(copy);
    ASSERT_TRUE(opened.ok()) << opened.status();
    reader = *std::move(opened);
    EXPECT_EQ(reader->Runs()->size(), 2u);
    EXPECT_TRUE(reader->VerifyRun("run_a").ok());
    EXPECT_FALSE(std::filesystem::exists(copy + "-shm"));
  }
  const auto writer = Ledger::Open(copy);
  ASSERT_TRUE(::geteuid() != 0 || writer.ok()) << writer.status();
  if (writer.ok()) {
    EXPECT_EQ(reader->Runs().status().code(), absl::StatusCode::kUnavailable)
        << "what it reads as it lies may change under it now";
  }
}

TEST_F(Reading, DoesNotOverlookRecordsInALogThatItCannotRead) {
  base::TempFolder archive;
  const std::string copy = archive.Path("ledger.db");
  std::filesystem::copy_file(path_, copy);
  std::filesystem::copy_file(path_ + "-wal", copy + "-wal");
  ::chmod(copy.c_str(), 0444);
  ::chmod((copy + "-wal").c_str(), 0444);
  const Unwritable unwritable(archive);
  ASSERT_TRUE(unwritable.works());
  const absl::Status status = Reader::Open(copy).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr("copy both"));
}

TEST_F(Reading, SaysWhenItMayNotRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs a second user";
  ::chmod(folder_.path().c_str(), 0755);
  ASSERT_EQ(::seteuid(65534), 0);
  const absl::Status status = Reader::Open(path_).status();
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
}

}  // namespace
}  // namespace tipstaff::ledger
