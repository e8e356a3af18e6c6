#include "mediator/review/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/keys/signed_note.h"
#include "mediator/ledger/testing/appends.h"
#include "mediator/ledger/testing/raw_sql.h"
#include "mediator/run/records.h"

namespace tipstaff::review {
namespace {

using call::RecordKind;
using ledger::AppendNow;
using ledger::MakeRecord;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kSkill[] = "skill: a";

class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    EXPECT_GE(sodium_init(), 0);
    key_ = std::make_unique<keys::PrivateKey>(std::string(32, 's'));
    Fill(path_);
  }

  std::unique_ptr<ledger::Ledger> Start(const std::string& path) {
    return *ledger::Ledger::Open(
        path, {.sign = [this](const std::string& text) { return keys::SignNote(text, *key_); }});
  }
  // run_a and run_b are closed, and had a checkpoint each.
  void Fill(const std::string& path) {
    const auto ledger = Start(path);
    for (const char* run : {"run_a", "run_b"}) {
      run::Opened opened{.run = run};
      opened.skills = {{"a", {"a.yaml", base::ToHex(base::DigestOf(kSkill))}}};
      opened.opened_at = absl::FromUnixMicros(1'767'225'600'000'000);
      auto [done, future] = ledger::Promise();
      ledger->Open(run, {{base::DigestOf(kSkill), kSkill}}, {run::EncodeOpened(opened)},
                   std::move(done));
      ASSERT_TRUE(future.get().ok());
    }
    for (int i = 1; i <= 4; ++i) {
      for (const char* run : {"run_a", "run_b"}) {
        ASSERT_TRUE(AppendNow(*ledger, run,
                              {MakeRecord(RecordKind::kDecided, absl::StrCat("{\"call\":", i, "}"),
                                          absl::StrCat(run, i))})
                        .ok());
      }
    }
    for (const char* run : {"run_a", "run_b"}) {
      ASSERT_TRUE(AppendNow(*ledger, run, {MakeRecord(RecordKind::kClosed, "{}")}).ok());
    }
  }
  Verification Look(VerifyRequest request = {}, bool trust = true) {
    if (trust) {
      const keys::PublicKey key = key_->public_key();
      request.trust.push_back({keys::Thumbprint(key), key});
    }
    const auto reader = *ledger::Reader::Open(path_);
    const absl::StatusOr<Verification> found = Verify(*reader, request);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *found : Verification();
  }
  void Tamper(const std::string& sql) {
    ASSERT_EQ(ledger::RawSql(path_, absl::StrCat("DROP TRIGGER record_is_not_changed;"
                                                 "DROP TRIGGER record_is_not_removed;"
                                                 "DROP TRIGGER run_is_not_changed;"
                                                 "DROP TRIGGER run_is_not_removed;"
                                                 "DROP TRIGGER pinned_is_not_changed;"
                                                 "DROP TRIGGER pinned_is_not_removed;"
                                                 "DROP TRIGGER identity_is_not_changed;"
                                                 "DROP TRIGGER identity_is_not_removed;"
                                                 "DROP TRIGGER identity_is_one;"
                                                 "DROP TRIGGER checkpoint_is_not_changed;"
                                                 "DROP TRIGGER checkpoint_is_not_removed;",
                                                 sql)),
              "");
  }
  std::string NewestNote() {
    return ledger::RawSql(path_, "SELECT note FROM checkpoint ORDER BY number DESC LIMIT 1");
  }

  base::TempFolder folder_;
  std::string path_ = folder_.Path("ledger.db");
  std::unique_ptr<keys::PrivateKey> key_;
};

TEST_F(VerifyTest, IsWholeWhenNobodyTouchedIt) {
  const Verification found = Look();
  EXPECT_TRUE(found.whole()) << testing::PrintToString(found.damage)
                             << testing::PrintToString(found.unknown);
  EXPECT_EQ(found.runs, 2);
  EXPECT_EQ(found.closed, 2);
  EXPECT_EQ(found.records, 12);
  EXPECT_EQ(found.checkpoints, 3);
  EXPECT_THAT(found.signers, ElementsAre(keys::Thumbprint(key_->public_key())));
  EXPECT_TRUE(Look({.run = "run_a"}).whole());
}

TEST_F(VerifyTest, NamesTheDamage) {
  const struct {
    const char* sql;
    const char* found;
    const char* why;
  } kRows[] = {
      {"UPDATE record SET body = replace(body, '2', '3') WHERE run_no = 1 AND seq = 3",
       "run `run_a` record 3: its content", "a flipped byte"},
      {"DELETE FROM record WHERE run_no = 1 AND seq = 3", "run `run_a` record 3 is missing",
       "a removed record"},
      {"DELETE FROM record WHERE run_no = 1 AND seq > 4",
       "run `run_a` record 5 is missing: checkpoint 2 was signed over 6 records",
       "a cut tail of a closed run"},
      {"DELETE FROM record WHERE run_no = 2; DELETE FROM run WHERE run_no = 2",
       "run `run_b` is missing: checkpoint 2 was signed over it", "a run removed whole"},
      {"UPDATE record SET payload = CAST(CASE seq WHEN 2 THEN 'run_a2' ELSE 'run_a1' END AS BLOB) "
       "WHERE run_no = 1 AND seq IN (2, 3)",
       "run `run_a` record 2: its content", "swapped payloads"},
      {"UPDATE record SET seq = 99 WHERE run_no = 1 AND seq = 2;"
       "UPDATE record SET seq = 2 WHERE run_no = 1 AND seq = 3;"
       "UPDATE record SET seq = 3 WHERE run_no = 1 AND seq = 99",
       "run `run_a` record 2: its content", "reordered records"},
      {"UPDATE identity SET id = randomblob(16)", "checkpoint 1: it is of another ledger",
       "checkpoints from another ledger"},
      {"DELETE FROM checkpoint WHERE number = 2", "checkpoint 2 is missing",
       "a removed checkpoint"},
      {"UPDATE checkpoint SET note = replace(note, 'runs 2', 'runs 3') WHERE number = 3",
       "checkpoint 3: the signature by", "a changed checkpoint"},
      {"UPDATE checkpoint SET note = (SELECT note FROM checkpoint WHERE number = 2) "
       "WHERE number = 3",
       "checkpoint 3: it was signed as number 2", "a checkpoint twice"},
      {"UPDATE pinned SET bytes = CAST('skill: b' AS BLOB)",
       "run `run_a` record 1: the content kept for", "another policy than the one that decided"},
      {"UPDATE run SET run_no = 9 WHERE run_no = 1; UPDATE record SET run_no = 9 WHERE run_no = 1",
       "the runs are not in the order", "runs that changed places"},
      {"DELETE FROM pinned", "run `run_a` record 1: the ledger holds no content",
       "a policy that is gone"},
  };
  for (const auto& row : kRows) {
    base::TempFolder other;
    path_ = other.Path("ledger.db");
    Fill(path_);
    Tamper(row.sql);
    const Verification found = Look();
    ASSERT_THAT(found.damage, testing::Not(IsEmpty())) << row.why;
    EXPECT_THAT(found.damage[0], HasSubstr(row.found)) << row.why;
  }
}

// The chain is computed anew from record 3 on: only the checkpoint tells.
TEST_F(VerifyTest, AChainThatWasComputedAnewIsNotWhatWasSigned) {
  base::TempFolder forged;
  const std::string path = forged.Path("ledger.db");
  {
    const auto ledger = *ledger::Ledger::Open(path);
    auto [done, future] = ledger::Promise();
    ledger->Open("run_a", {}, {MakeRecord(RecordKind::kRunOpened, "{\"forged\":1}")},
                 std::move(done));
    ASSERT_TRUE(future.get().ok());
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(AppendNow(*ledger, "run_a", {MakeRecord(RecordKind::kDecided, "{}")}).ok());
    }
    ASSERT_TRUE(AppendNow(*ledger, "run_a", {MakeRecord(RecordKind::kClosed, "{}")}).ok());
  }
  Tamper(absl::StrCat("ATTACH '", path,
                      "' AS f; DELETE FROM record WHERE run_no = 1; INSERT INTO record SELECT "
                      "1000 + position, 1, seq, kind, time_us, hash, body, payload FROM f.record"));
  const Verification found = Look({.run = "run_a"});
  ASSERT_THAT(found.damage, testing::Not(IsEmpty()));
  EXPECT_THAT(found.damage[0], HasSubstr("is not what checkpoint 1 was signed over"));
}

TEST_F(VerifyTest, SaysWhatCannotBeKnown) {
  const Verification unvouched = Look({}, /*trust=*/false);
  EXPECT_THAT(unvouched.damage, IsEmpty());
  EXPECT_THAT(unvouched.unknown, testing::Contains(HasSubstr("a key that nobody vouched for")));
  EXPECT_THAT(
      unvouched.unknown,
      testing::Contains(HasSubstr("run `run_a`: no checkpoint that counts covers its end")));
  const auto ledger = Start(path_);
  ASSERT_TRUE(ledger::OpenNow(*ledger, "run_c").ok());
  const Verification open = Look();
  EXPECT_THAT(open.damage, IsEmpty());
  EXPECT_THAT(open.unknown, ElementsAre(HasSubstr("run `run_c` is open")));
  EXPECT_TRUE(Look({.run = "run_a"}).whole()) << "another run is";
}

TEST_F(VerifyTest, AnOlderKeyThatNobodyVouchesForIsNoDamage) {
  const auto old_key = std::move(key_);
  key_ = std::make_unique<keys::PrivateKey>(std::string(32, 'n'));
  {
    const auto ledger = Start(path_);
    for (const char* run : {"run_c", "run_d"}) {
      ASSERT_TRUE(ledger::OpenNow(*ledger, run).ok());
      ASSERT_TRUE(AppendNow(*ledger, run, {MakeRecord(RecordKind::kClosed, "{}")}).ok());
    }
  }
  const Verification found = Look();
  EXPECT_THAT(found.damage, IsEmpty());
  EXPECT_THAT(found.unknown,
              testing::Contains(HasSubstr("run `run_a`: no checkpoint that counts")));
  EXPECT_TRUE(Look({.run = "run_d"}).whole());
  const keys::PublicKey old = old_key->public_key();
  EXPECT_TRUE(Look({.trust = {{keys::Thumbprint(old), old}}}).whole());
  // Somebody puts their own in its place: the next one did not follow that.
  const keys::PrivateKey other(std::string(32, 'x'));
  const std::string forged =
      keys::SignNote(ledger::RawSql(path_,
                                    "SELECT substr(note, 1, instr(note, char(10) || char(10))) "
                                    "FROM checkpoint WHERE number = 3") +
                         "run run_x 1 " + std::string(64, '0') + "\n",
                     other);
  Tamper("UPDATE checkpoint SET note = '" + forged + "' WHERE number = 3");
  EXPECT_THAT(
      Look().damage,
      testing::Contains(HasSubstr("checkpoint 4: the checkpoint before it is not the one")));
}

TEST_F(VerifyTest, ACheckpointKeptElsewhereTellsOfARewrite) {
  const std::string note = NewestNote();
  const Verification same = Look({.outside = note});
  EXPECT_TRUE(same.whole());
  EXPECT_TRUE(same.outside);
  const std::string older = ledger::RawSql(path_, "SELECT note FROM checkpoint WHERE number = 1");
  EXPECT_TRUE(Look({.outside = older}).whole()) << "runs have grown since";
  // The key's holder takes a run away, and signs the rest anew.
  const std::string triggers = ledger::RawSql(
      path_, "SELECT group_concat(sql, ';') FROM sqlite_schema WHERE type = 'trigger'");
  Tamper(
      "DELETE FROM record WHERE run_no = 2; DELETE FROM run WHERE run_no = 2;"
      "DELETE FROM checkpoint");
  ASSERT_EQ(ledger::RawSql(path_, triggers), "");
  { ASSERT_TRUE(ledger::OpenNow(*Start(path_), "run_c").ok()); }
  EXPECT_THAT(Look().damage, IsEmpty()) << "nothing here tells";
  const Verification told = Look({.outside = note});
  EXPECT_FALSE(told.outside);
  EXPECT_THAT(told.damage, testing::Contains(HasSubstr("run `run_b` is missing")));
}

TEST_F(VerifyTest, RefusesWhatIsNoNote) {
  const auto reader = *ledger::Reader::Open(path_);
  EXPECT_EQ(Verify(*reader, {.outside = "x"}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Verify(*reader, {.run = "run_x"}).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tipstaff::review
