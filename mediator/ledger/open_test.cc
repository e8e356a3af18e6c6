// Which files can be opened, and which are refused with what words.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/ledger/testing/raw_sql.h"

namespace tipstaff::ledger {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

int ModeOf(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : -1;
}

TEST(Open, MakesAFileOfTheOwnersOwn) {
  base::TempFolder folder;
  const mode_t before = ::umask(0);
  {
    auto ledger = Ledger::Open(folder.Path("ledger.db"));
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    ASSERT_TRUE(OpenNow(**ledger, "run_a").ok());
    EXPECT_EQ((*ledger)->path(), folder.Path("ledger.db"));
    for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
      EXPECT_EQ(ModeOf(folder.Path(absl::StrCat("ledger.db", suffix))), 0600) << suffix;
    }
  }
  ::umask(before);
  EXPECT_EQ(ModeOf(folder.Path("ledger.db-wal")), -1) << "closing leaves one file to copy";
}

TEST(Open, TakesAPathThatLooksLikeAUri) {
  base::TempFolder folder;
  const std::string path = folder.Path("a?mode=memory&b#c%41 d.db");
  { ASSERT_TRUE(OpenNow(**Ledger::Open(path), "run_a").ok()); }
  EXPECT_TRUE((*Reader::Open(path))->FindRun("run_a").ok());
  EXPECT_TRUE(std::filesystem::exists(path));
}

struct Refused {
  const char* name;
  std::function<void(const std::string& path)> make;
  absl::StatusCode writer;
  absl::StatusCode reader;
  const char* reason;
};

void MakeLedger(const std::string& path, const std::string& sql = "") {
  ASSERT_TRUE(OpenNow(**Ledger::Open(path), "run_a").ok());
  if (sql.empty()) return;
  EXPECT_EQ(RawSql(path, sql), "");
}

const Refused kRefused[] = {
    {"text",
     [](const std::string& path) {
       (void)base::WriteFile(path,
                             "not a database, just a text"
                             " that is long enough to be "
                             "one hundred bytes or more: "
                             "lorem ipsum dolor sit");
     },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "is not a ledger"},
    {"folder", [](const std::string& path) { std::filesystem::create_directory(path); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "not a regular file"},
    {"other database", [](const std::string& path) { RawSql(path, "CREATE TABLE t (x)"); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "another program's database"},
    {"other application",
     [](const std::string& path) { MakeLedger(path, "PRAGMA application_id = 7"); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "another program's database"},
    {"newer", [](const std::string& path) { MakeLedger(path, "PRAGMA user_version = 1000"); },
     absl::StatusCode::kFailedPrecondition, absl::StatusCode::kFailedPrecondition,
     "use a newer tipstaff"},
    {"version 0", [](const std::string& path) { MakeLedger(path, "PRAGMA user_version = 0"); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "another program's database"},
    {"negative version",
     [](const std::string& path) { MakeLedger(path, "PRAGMA user_version = -1"); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "another program's database"},
    {"no trigger",
     [](const std::string& path) { MakeLedger(path, "DROP TRIGGER record_is_not_changed"); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kOk, "has no trigger record_is_not_changed"},
    {"view for a table",
     [](const std::string& path) {
       MakeLedger(path,
                  "DROP TABLE pinned; CREATE VIEW pinned AS WITH RECURSIVE "
                  "n(digest, bytes) AS (SELECT 1, 1 UNION ALL SELECT digest + 1, 1 FROM n) "
                  "SELECT * FROM n");
     },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "has no table pinned"},
    {"other columns",
     [](const std::string& path) { MakeLedger(path, "ALTER TABLE run ADD COLUMN x TEXT"); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "its table run is different"},
    {"more tables", [](const std::string& path) { MakeLedger(path, "CREATE TABLE more (x)"); },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "has a table more"},
    {"truncated",
     [](const std::string& path) {
       MakeLedger(path);
       std::filesystem::resize_file(path, 1000);
     },
     absl::StatusCode::kDataLoss, absl::StatusCode::kDataLoss, "is not a ledger"},
};

TEST(Open, RefusesWhatIsNoLedgerOfThisVersion) {
  for (const Refused& row : kRefused) {
    base::TempFolder folder;
    const std::string path = folder.Path("ledger.db");
    row.make(path);
    const absl::Status reading = Reader::Open(path).status();
    EXPECT_EQ(reading.code(), row.reader) << row.name << ": " << reading;
    if (!reading.ok()) {
      EXPECT_THAT(reading.message(), AllOf(HasSubstr(row.reason), HasSubstr(path))) << row.name;
    }
    const absl::Status writing = Ledger::Open(path).status();
    EXPECT_EQ(writing.code(), row.writer) << row.name << ": " << writing;
    EXPECT_THAT(writing.message(), AllOf(HasSubstr(row.reason), HasSubstr(path))) << row.name;
  }
}

TEST(Open, LeavesAnotherProgramsDatabaseAsItWas) {
  base::TempFolder folder;
  const std::string path = folder.Path("other.db");
  RawSql(path, "CREATE TABLE t (x)");
  const std::string before = *base::ReadFile(path);
  EXPECT_FALSE(Ledger::Open(path).ok());
  EXPECT_FALSE(Reader::Open(path).ok());
  EXPECT_EQ(*base::ReadFile(path), before);
}

TEST(Open, AnEmptyFileIsANewLedgerForAWriterOnly) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  ASSERT_TRUE(base::WriteFile(path, "").ok());
  const absl::Status reading = Reader::Open(path).status();
  EXPECT_EQ(reading.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(reading.message(), HasSubstr("it is empty"));
  EXPECT_TRUE(Ledger::Open(path).ok());
}

TEST(Open, NamesWhatIsNotThere) {
  base::TempFolder folder;
  const absl::Status no_folder = Ledger::Open(folder.Path("no/ledger.db")).status();
  EXPECT_EQ(no_folder.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(no_folder.message(), HasSubstr(folder.Path("no")));
  const absl::Status no_file = Reader::Open(folder.Path("ledger.db")).status();
  EXPECT_EQ(no_file.code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(folder.Path("ledger.db"))) << "a reader makes nothing";
  EXPECT_EQ(Ledger::Open("").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Open, OneWriterAtATime) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  auto first = Ledger::Open(path);
  ASSERT_TRUE(first.ok()) << first.status();
  std::filesystem::create_symlink(path, folder.Path("alias.db"));
  for (const std::string& name : {path, folder.Path("alias.db")}) {
    const absl::Status second = Ledger::Open(name).status();
    EXPECT_EQ(second.code(), absl::StatusCode::kFailedPrecondition) << name;
    EXPECT_THAT(second.message(), HasSubstr(absl::StrCat("in use by process ", ::getpid())));
  }
  ASSERT_TRUE(OpenNow(**first, "run_a").ok()) << "the first is not disturbed";
  first->reset();
  EXPECT_TRUE(Ledger::Open(path).ok());
}

TEST(Open, AStaleLockFileMeansNothing) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  ASSERT_TRUE(base::WriteFile(path + ".lock", "4194304 left behind", 0600).ok());
  auto ledger = Ledger::Open(path);
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  EXPECT_EQ(*base::ReadFile(path + ".lock"), absl::StrCat(::getpid(), "\n"));
}

TEST(Open, TheFileRefusesChanges) {
  base::TempFolder folder;
  const std::string path = folder.Path("ledger.db");
  MakeLedger(path);
  for (const char* sql :
       {"UPDATE record SET body = '{}'", "DELETE FROM record", "UPDATE run SET run = 'x'",
        "DELETE FROM run", "INSERT INTO pinned VALUES (zeroblob(32), x'00'); DELETE FROM pinned",
        "UPDATE pinned SET bytes = x'01'"}) {
    EXPECT_EQ(RawSql(path, sql), "the ledger is append-only") << sql;
  }
}

}  // namespace
}  // namespace tipstaff::ledger
