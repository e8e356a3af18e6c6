#include "mediator/ledger/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/note_text.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/testing/appends.h"

namespace tipstaff::ledger {
namespace {

using call::RecordKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMicros = 1'767'225'600'000'000;
constexpr int64_t kMinute = 60'000'000;

Checkpoint Made() {
  return {.ledger = std::string(32, 'a'),
          .number = 7,
          .previous = base::DigestOf("before"),
          .time = absl::FromUnixMicros(kMicros),
          .runs = 3,
          .state = base::DigestOf("all"),
          .changed = {{"run_a", 12, base::DigestOf("a")}, {"run_b", 1, base::DigestOf("b")}}};
}

TEST(Text, GoesBothWaysInOneForm) {
  const std::string text = ToText(Made());
  const absl::StatusOr<Checkpoint> read = ParseCheckpoint(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, Made());
  const struct {
    const char* from;
    const char* to;
  } kRows[] = {{"checkpoint v1", "checkpoint v2"},
               {"number 7", "number 07"},
               {"number 7", "number -7"},
               {"number 7\n", ""},
               {"runs 3", "runs 3 "},
               {"run run_a 12", "run run_a"},
               {"run run_a", "run  run_a"},
               {"run run_b", "ruh run_b"},
               {"time_us 1", "time_us +1"},
               {"\nrun run_b", "\n\nrun run_b"}};
  for (const auto& row : kRows) {
    const std::string changed = absl::StrReplaceAll(text, {{row.from, row.to}});
    ASSERT_NE(changed, text);
    EXPECT_FALSE(ParseCheckpoint(changed).ok()) << changed;
  }
  EXPECT_FALSE(ParseCheckpoint("").ok());
  EXPECT_FALSE(ParseCheckpoint(text.substr(0, text.size() - 1)).ok());
  EXPECT_FALSE(ParseCheckpoint(text + "more\n").ok());
}

TEST(Heads, TheirDigestIsOfAllInOrder) {
  Heads heads;
  heads.Set({"a", 1, base::DigestOf("1")});
  heads.Set({"b", 2, base::DigestOf("2")});
  Heads later = heads;
  later.Set({"a", 3, base::DigestOf("3")});
  later.Set({"c", 1, base::DigestOf("c")});
  EXPECT_NE(heads.Digest(), later.Digest());
  EXPECT_EQ(heads.Digest({{"a", 3, base::DigestOf("3")}, {"c", 1, base::DigestOf("c")}}),
            later.Digest());
  Heads other_order;
  other_order.Set({"b", 2, base::DigestOf("2")});
  other_order.Set({"a", 1, base::DigestOf("1")});
  EXPECT_NE(other_order.Digest(), heads.Digest());
}

class Writing : public ::testing::Test {
 protected:
  void Start() {
    ledger_.reset();
    ledger_ = *Ledger::Open(path_, {.sign = [](const std::string& text) {
                              return absl::StrCat(text, "\n— test AAAA\n");
                            }});
  }
  void Decide(const std::string& run, int64_t at = kMicros) {
    ASSERT_TRUE(AppendNow(*ledger_, run, {MakeRecord(RecordKind::kDecided, "{}", "", at)}).ok());
  }
  void Close(const std::string& run) {
    ASSERT_TRUE(AppendNow(*ledger_, run, {MakeRecord(RecordKind::kClosed, "{}")}).ok());
  }
  std::vector<Checkpoint> Stored() {
    std::vector<Checkpoint> all;
    const auto reader = *Reader::Open(path_);
    const std::vector<StoredCheckpoint> stored = *reader->Checkpoints(1, 100);
    for (const StoredCheckpoint& one : stored) {
      all.push_back(*ParseCheckpoint(base::TextOfNote(one.note)));
      EXPECT_EQ(all.back().number, one.number);
      EXPECT_EQ(all.back().ledger, *reader->Identity());
    }
    return all;
  }

  base::TempFolder folder_;
  const std::string path_ = folder_.Path("ledger.db");
  std::unique_ptr<Ledger> ledger_;
};

std::vector<std::string> Changed(const Checkpoint& checkpoint) {
  std::vector<std::string> changed;
  for (const RunHead& head : checkpoint.changed) {
    changed.push_back(absl::StrCat(head.run, " ", head.records));
  }
  return changed;
}

TEST_F(Writing, AClosedRunIsCoveredInTheSameTransaction) {
  Start();
  ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());  // the first records bring the first one
  ASSERT_TRUE(OpenNow(*ledger_, "run_b").ok());
  Decide("run_b");
  Close("run_a");
  const std::vector<Checkpoint> stored = Stored();
  ASSERT_EQ(stored.size(), 2);
  EXPECT_THAT(Changed(stored[0]), ElementsAre("run_a 1"));
  EXPECT_THAT(Changed(stored[1]), ElementsAre("run_a 2", "run_b 2"));
  EXPECT_EQ(stored[1].runs, 2);
  EXPECT_EQ(stored[1].previous, base::DigestOf(ToText(stored[0])));
  Heads heads;
  for (const RunHead& head : stored[1].changed) heads.Set(head);
  EXPECT_EQ(stored[1].state, heads.Digest());
  const auto reader = *Reader::Open(path_);
  EXPECT_EQ(stored[1].changed[0].head, reader->FindRun("run_a")->head);
}

TEST_F(Writing, OnceInAWhileAndAtTheEnd) {
  Start();
  ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
  Decide("run_a", kMicros + kMinute);
  EXPECT_EQ(Stored().size(), 1);
  Decide("run_a", kMicros + 6 * kMinute);
  EXPECT_EQ(Stored().size(), 2);
  Decide("run_a", kMicros + 7 * kMinute);
  ledger_.reset();
  ASSERT_EQ(Stored().size(), 3);
  EXPECT_THAT(Changed(Stored()[2]), ElementsAre("run_a 4"));
  Start();
  ledger_.reset();
  EXPECT_EQ(Stored().size(), 3) << "nothing new";
}

TEST_F(Writing, ARestartGoesOnWithWhatIsNotCovered) {
  ledger_ = *Ledger::Open(path_);  // nobody signs
  ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
  Decide("run_a");
  Close("run_a");
  EXPECT_THAT(Stored(), IsEmpty());
  Start();
  ASSERT_TRUE(OpenNow(*ledger_, "run_b").ok());
  ASSERT_EQ(Stored().size(), 1);
  EXPECT_THAT(Changed(Stored()[0]), ElementsAre("run_a 3", "run_b 1"));
  Start();
  Decide("run_b", kMicros + 6 * kMinute);
  ASSERT_EQ(Stored().size(), 2);
  EXPECT_THAT(Changed(Stored()[1]), ElementsAre("run_b 2"));
  EXPECT_EQ(Stored()[1].previous, base::DigestOf(ToText(Stored()[0])));
  EXPECT_EQ(Stored()[1].runs, 2);
}

TEST_F(Writing, ARefusedAppendLeavesNoTrace) {
  Start();
  ASSERT_TRUE(OpenNow(*ledger_, "run_a").ok());
  EXPECT_FALSE(AppendNow(*ledger_, "run_x", {MakeRecord(RecordKind::kClosed, "{}")}).ok());
  EXPECT_FALSE(OpenNow(*ledger_, "run with spaces").ok());
  Close("run_a");
  ASSERT_EQ(Stored().size(), 2);
  EXPECT_THAT(Changed(Stored()[1]), ElementsAre("run_a 2"));
}

}  // namespace
}  // namespace tipstaff::ledger
