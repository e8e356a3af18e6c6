#include "mediator/ledger/migrations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"

namespace tipstaff::ledger {
namespace {

using ::testing::HasSubstr;

// The released migrations and one to come.
std::vector<Migration> WithNext(const char* sql) {
  std::vector<Migration> migrations(Migrations().begin(), Migrations().end());
  migrations.push_back({migrations.back().version + 1, "next.sql", sql});
  return migrations;
}

class Migrating : public ::testing::Test {
 protected:
  void SetUp() override {
    { ASSERT_TRUE(OpenNow(**Ledger::Open(path_), "run_a").ok()); }
    database_ = *Database::Open(path_, Database::Mode::kWrite, absl::Seconds(1));
  }

  base::TempFolder folder_;
  const std::string path_ = folder_.Path("ledger.db");
  std::unique_ptr<Database> database_;
};

TEST(Migrations, AreNumberedFromOne) {
  int expected = 1;
  for (const Migration& migration : Migrations()) EXPECT_EQ(migration.version, expected++);
  EXPECT_GE(expected, 2);
}

TEST_F(Migrating, BringsAnOlderLedgerForwardWithItsRecords) {
  const std::vector<Migration> next = WithNext("CREATE TABLE next (text TEXT) STRICT;");
  const int version = Migrations().back().version;
  EXPECT_EQ(*LedgerVersion(*database_, next, path_), version);
  ASSERT_TRUE(Migrate(*database_, next, path_).ok());
  EXPECT_EQ(*LedgerVersion(*database_, next, path_), version + 1);
  EXPECT_TRUE(CheckSchema(*database_, next, Objects::kAll, path_).ok());
  EXPECT_EQ(*database_->Ask("SELECT count(*) FROM record"), "1");
  ASSERT_TRUE(Migrate(*database_, next, path_).ok()) << "again, nothing is to be done";

  const absl::Status older = Ledger::Open(path_).status();
  EXPECT_EQ(older.code(), absl::StatusCode::kFailedPrecondition)
      << "a program that does not know the format keeps its hands off";
  EXPECT_THAT(older.message(), HasSubstr("has format 3, this program knows up to 2"));
}

TEST_F(Migrating, AFailedMigrationChangesNothing) {
  const std::vector<Migration> next =
      WithNext("CREATE TABLE next (text TEXT) STRICT; CREATE TABLE run (x);");
  EXPECT_EQ(Migrate(*database_, next, path_).code(), absl::StatusCode::kInternal);
  EXPECT_FALSE(database_->in_transaction());
  EXPECT_TRUE(CheckSchema(*database_, Migrations(), Objects::kAll, path_).ok());
  EXPECT_TRUE(Ledger::Open(path_).ok());
}

}  // namespace
}  // namespace tipstaff::ledger
