// Changes behind the ledger's back, and whether verification names the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/ledger/testing/raw_sql.h"

namespace tipstaff::ledger {
namespace {

using ::testing::HasSubstr;
using Payload = Reader::Payload;
using call::RecordKind;

constexpr absl::string_view kPinnedText = "skill: report-triage";

// run_a: seq 1 to 6, of which 2 to 5 have a payload; run_b: two records in between.
void MakeLedger(const std::string& path) {
  const auto ledger = Ledger::Open(path);
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  ASSERT_TRUE(
      OpenNow(**ledger, "run_a", {{base::DigestOf(kPinnedText), std::string(kPinnedText)}}).ok());
  ASSERT_TRUE(OpenNow(**ledger, "run_b").ok());
  for (int i = 2; i <= 5; ++i) {
    ASSERT_TRUE(AppendNow(**ledger, "run_a",
                          {MakeRecord(RecordKind::kDecided, absl::StrCat("{\"call\":\"c", i, "\"}"),
                                      std::string(5000, static_cast<char>('0' + i)))})
                    .ok());
  }
  ASSERT_TRUE(AppendNow(**ledger, "run_b", {MakeRecord(RecordKind::kDecided, "{}")}).ok());
  ASSERT_TRUE(AppendNow(**ledger, "run_a", {MakeRecord(RecordKind::kClosed, "{}")}).ok());
}

constexpr const char* kDropTriggers =
    "DROP TRIGGER record_is_not_changed; DROP TRIGGER record_is_not_removed;"
    "DROP TRIGGER run_is_not_changed; DROP TRIGGER run_is_not_removed;"
    "DROP TRIGGER pinned_is_not_changed; PRAGMA ignore_check_constraints = ON;";

struct Tampering {
  const char* name;
  const char* sql;
  const char* found;
};

#define OF_A(seq) "WHERE run_no = 1 AND seq = " #seq
const Tampering kTamperings[] = {
    {"body", "UPDATE record SET body = '{\"call\":\"cX\"}' " OF_A(3), "run `run_a` record 3: its"},
    {"kind", "UPDATE record SET kind = 5 " OF_A(3), "run `run_a` record 3: its content"},
    {"no such kind", "UPDATE record SET kind = 300 " OF_A(3), "record 3: there is no kind 300"},
    {"time", "UPDATE record SET time_us = time_us + 1 " OF_A(6), "run `run_a` record 6: its"},
    {"payload of another record",
     "UPDATE record SET payload = (SELECT payload FROM record " OF_A(5) ") " OF_A(4),
     "run `run_a` record 4: its content"},
    {"payload removed", "UPDATE record SET payload = NULL " OF_A(2), "record 2: its content"},
    {"payload added", "UPDATE record SET payload = x'00' " OF_A(6), "record 6: its content"},
    {"hash", "UPDATE record SET hash = zeroblob(32) " OF_A(2), "record 2: its content"},
    {"short hash", "UPDATE record SET hash = x'00' " OF_A(2), "record 2: its hash is not 32"},
    {"first removed", "DELETE FROM record " OF_A(1), "run `run_a` record 1 is missing"},
    {"removed", "DELETE FROM record " OF_A(3), "run `run_a` record 3 is missing: record 4"},
    {"removed and renumbered",
     "DELETE FROM record " OF_A(3) "; UPDATE record SET seq = seq - 1 WHERE run_no = 1 AND seq > 3",
     "run `run_a` record 3: its content, or the record before it"},
    {"all removed", "DELETE FROM record WHERE run_no = 1", "record 1 is missing"},
    {"record 0 added",
     "INSERT INTO record SELECT 100, 1, 0, kind, time_us, hash, body, NULL FROM record " OF_A(1),
     "record 0 stands there"},
    {"from another run", "UPDATE record SET run_no = 1, seq = 7 WHERE run_no = 2 AND seq = 2",
     "run `run_a` record 7: its content"},
    {"swapped",
     "UPDATE record SET seq = 99 " OF_A(3) "; UPDATE record SET seq = 3 " OF_A(
         4) "; UPDATE record SET seq = 4 " OF_A(99),
     "run `run_a` record 3: its content"},
    {"moved", "UPDATE record SET position = 1000 " OF_A(3), "record 4: it was moved before"},
    {"copied into a new table",
     "CREATE TABLE kept AS SELECT * FROM record WHERE NOT (run_no = 1 AND seq = 4);"
     "DELETE FROM record; INSERT INTO record SELECT * FROM kept; DROP TABLE kept",
     "run `run_a` record 4 is missing"},
};

TEST(Tamper, VerificationNamesTheRecord) {
  for (const Tampering& row : kTamperings) {
    base::TempFolder folder;
    const std::string path = folder.Path("ledger.db");
    MakeLedger(path);
    ASSERT_TRUE((*Reader::Open(path))->VerifyRun("run_a").ok());
    ASSERT_EQ(RawSql(path, absl::StrCat(kDropTriggers, row.sql)), "") << row.name;
    const auto reader = Reader::Open(path);
    ASSERT_TRUE(reader.ok()) << row.name << ": " << reader.status();
    const absl::Status verified = (*reader)->VerifyRun("run_a");
    EXPECT_EQ(verified.code(), absl::StatusCode::kDataLoss) << row.name;
    EXPECT_THAT(verified.message(), HasSubstr(row.found)) << row.name;
  }
}

TEST(Tamper, ARunOfAnotherNameIsAnotherChain) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  MakeLedger(path);
  ASSERT_EQ(RawSql(path, absl::StrCat(kDropTriggers,
                                      "UPDATE run SET run = 'run_z' WHERE "
                                      "run = 'run_a'")),
            "");
  const absl::Status verified = (*Reader::Open(path))->VerifyRun("run_z");
  EXPECT_EQ(verified.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(verified.message(), HasSubstr("record 1: its content"));
}

TEST(Tamper, RecordsMissingAtTheEndAreNotSeen) {
  // The header says so; this pins what the caller has to compare with a checkpoint.
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  MakeLedger(path);
  ASSERT_EQ(RawSql(path, absl::StrCat(kDropTriggers, "DELETE FROM record " OF_A(6))), "");
  const auto reader = Reader::Open(path);
  EXPECT_TRUE((*reader)->VerifyRun("run_a").ok());
  EXPECT_EQ((*reader)->FindRun("run_a")->records, 5u);
  EXPECT_FALSE((*reader)->FindRun("run_a")->closed);
}

TEST(Tamper, RecordsWithoutTheirRunAreNotHidden) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  MakeLedger(path);
  ASSERT_EQ(RawSql(path, absl::StrCat(kDropTriggers, "DELETE FROM run WHERE run_no = 1")), "");
  const auto all = (*Reader::Open(path))->AllRecords(0, 100, Payload::kLeave);
  EXPECT_EQ(all.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(all.status().message(), HasSubstr("position 1 belongs to no run"));
}

TEST(Tamper, PinnedContentIsRehashed) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  MakeLedger(path);
  ASSERT_EQ(RawSql(path, absl::StrCat(kDropTriggers, "UPDATE pinned SET bytes = x'00'")), "");
  EXPECT_EQ((*Reader::Open(path))->PinnedContent(base::DigestOf(kPinnedText)).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(Tamper, OneByteInTheFile) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  MakeLedger(path);
  std::string bytes = *base::ReadFile(path);
  const size_t at = bytes.find("{\"call\":\"c4\"}");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 9] ^= 1;
  ASSERT_TRUE(base::WriteFile(path, bytes).ok());
  const absl::Status verified = (*Reader::Open(path))->VerifyRun("run_a");
  EXPECT_EQ(verified.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(verified.message(), HasSubstr("run `run_a` record 4: its content"));
}

// Whatever the bytes are, reading ends with records that verify or with an error that says why.
TEST(Tamper, RandomDamageIsNeverACrashOrAWrongRecord) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  MakeLedger(path);
  const std::string whole = *base::ReadFile(path);
  const auto expected = (*Reader::Open(path))->Records("run_a", 1, 100, Payload::kFetch);
  std::mt19937 random(20260501);
  const auto below = [&](size_t bound) { return random() % bound; };
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    const size_t at = below(bytes.size());
    const size_t length = 1 + below(round % 3 == 0 ? 2000 : 4);
    for (size_t i = at; i < std::min(at + length, bytes.size()); ++i) bytes[i] = char(random());
    if (round % 10 == 0) bytes.resize(below(bytes.size()));
    ASSERT_TRUE(base::WriteFile(path, bytes).ok());
    const auto reader = Reader::Open(path);
    absl::Status status = reader.status();
    if (status.ok()) {
      (void)(*reader)->Runs();
      (void)(*reader)->AllRecords(0, 100, Payload::kFetch);
      status = (*reader)->VerifyRun("run_a");
    }
    if (!status.ok()) {
      ++refused;
      EXPECT_FALSE(status.message().empty());
      EXPECT_NE(status.code(), absl::StatusCode::kInternal) << round << ": " << status;
      continue;
    }
    const auto found = (*reader)->Records("run_a", 1, 100, Payload::kFetch);
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_LE(found->size(), expected->size());
    for (size_t i = 0; i < found->size(); ++i) {
      EXPECT_EQ((*found)[i].record.body, (*expected)[i].record.body) << round;
      EXPECT_EQ((*found)[i].record.payload, (*expected)[i].record.payload) << round;
    }
  }
  EXPECT_GT(refused, 100) << "the damage did not hit anything";
}

}  // namespace
}  // namespace tipstaff::ledger
