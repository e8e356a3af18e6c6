#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/testing/temp_folder.h"
#include "mediator/review/filter.h"
#include "mediator/review/print.h"
#include "mediator/review/timeline.h"

namespace tipstaff::review {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kRun[] = "run_abcdefghijkl";
const absl::Time kTime = absl::FromUnixSeconds(1'777'000'000);

run::Decided MakeDecided(uint64_t number, const std::string& tool, call::Reason reason) {
  run::Decided decided;
  decided.number = number;
  decided.call_id = std::to_string(number);
  decided.tool = tool;
  decided.decision.verdict =
      reason == call::Reason::kPermitted ? call::Verdict::kAllow : call::Verdict::kDeny;
  decided.decision.reason = reason;
  decided.time = kTime;
  return decided;
}

TEST(DecisionId, IsRunAndNumber) {
  EXPECT_EQ(ParseDecisionId("run_abcdefghijkl#12")->number, 12);
  EXPECT_EQ(ParseDecisionId("run_abcdefghijkl#12")->run, kRun);
  for (const char* bad : {"", "run_abcdefghijkl", "run_abcdefghijkl#", "run_abcdefghijkl#0",
                          "run_abcdefghijkl#-1", "x#1", "run_abcdefghijkl#1x"}) {
    EXPECT_FALSE(ParseDecisionId(bad).has_value()) << bad;
  }
}

TEST(Filter, KeepsWhatAllTermsHoldFor) {
  const Row mail{kRun, MakeDecided(1, "mail.send_message", call::Reason::kOutOfScope), {}};
  const Row read{kRun, MakeDecided(2, "reports.get_report", call::Reason::kPermitted), {}};
  const auto matches = [](std::vector<std::string> terms, const Row& row) {
    const absl::StatusOr<Filter> filter = Filter::Parse(terms);
    EXPECT_TRUE(filter.ok()) << filter.status();
    return filter.ok() && filter->Matches(row);
  };
  EXPECT_TRUE(matches({}, mail));
  EXPECT_TRUE(matches({"verdict:deny"}, mail));
  EXPECT_FALSE(matches({"verdict:deny"}, read));
  EXPECT_TRUE(matches({"-verdict:deny"}, read));
  EXPECT_TRUE(matches({"tool:mail.*", "reason:out_of_scope"}, mail));
  EXPECT_FALSE(matches({"tool:mail.*", "reason:permitted"}, mail));
  EXPECT_TRUE(matches({"outcome:none"}, mail));
}

TEST(Filter, RefusesWhatWouldSilentlyMatchNothing) {
  const auto error = [](const std::string& term) {
    return std::string(Filter::Parse({term}).status().message());
  };
  EXPECT_THAT(error("verdict"), HasSubstr("key:pattern"));
  EXPECT_THAT(error("verdict:denied"), HasSubstr("no verdict `denied`"));
  EXPECT_THAT(error("verdit:deny"), HasSubstr("did you mean `verdict`?"));
  EXPECT_THAT(error("reason:scope"), HasSubstr("no reason `scope`"));
}

TEST(Filter, StarsMatchAnyRun) {
  const auto matches = [](const std::string& pattern, const std::string& tool) {
    const Row row{kRun, MakeDecided(1, tool, call::Reason::kPermitted), {}};
    return Filter::Parse({"tool:" + pattern})->Matches(row);
  };
  EXPECT_TRUE(matches("*.delete_*", "mail.delete_all"));
  EXPECT_FALSE(matches("*.delete_*", "mail.undelete"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "aXbYbZc"));
  EXPECT_FALSE(matches("a", "ab"));
}

class TimelineTest : public ::testing::Test {
 protected:
  void Append(std::vector<call::Record> records) {
    ledger_->Append(kRun, std::move(records),
                    [](absl::StatusOr<ledger::Appended> done) { EXPECT_TRUE(done.ok()); });
  }

  void SetUp() override {
    auto opened = ledger::Ledger::Open(folder_.Path("l.db"));
    ASSERT_TRUE(opened.ok()) << opened.status();
    ledger_ = *std::move(opened);
    ledger_->Open(kRun, {}, {{call::RecordKind::kRunOpened, kTime, "{}", ""}},
                  [](absl::StatusOr<ledger::Appended> done) { EXPECT_TRUE(done.ok()); });
  }

  base::TempFolder folder_;
  std::unique_ptr<ledger::Ledger> ledger_;
};

TEST_F(TimelineTest, JoinsOutcomesOverPages) {
  constexpr int kCalls = 1200;
  for (int i = 1; i <= kCalls; ++i) {
    Append({run::EncodeDecided(MakeDecided(i, "a.b", call::Reason::kPermitted))});
    run::Settled settled;
    settled.number = i;
    settled.outcome.kind = call::OutcomeKind::kOk;
    settled.time = kTime;
    Append({run::EncodeSettled(settled)});
  }
  ledger_->Flush();
  auto reader = ledger::Reader::Open(folder_.Path("l.db"));
  ASSERT_TRUE(reader.ok()) << reader.status();
  for (const char* run : {"", kRun}) {
    Timeline timeline(**reader, run, ledger::Reader::Payload::kLeave);
    uint64_t expected = 1;
    for (;;) {
      const auto rows = timeline.Next();
      ASSERT_TRUE(rows.ok()) << rows.status();
      if (rows->empty()) break;
      for (const Row& row : *rows) {
        EXPECT_EQ(row.decided.number, expected++);
        EXPECT_TRUE(row.settled.has_value()) << row.id();
      }
    }
    EXPECT_EQ(expected, kCalls + 1);
  }
  EXPECT_EQ(FindRow(**reader, {kRun, 777})->decided.number, 777);
  EXPECT_EQ(FindRow(**reader, {kRun, kCalls + 1}).status().code(), absl::StatusCode::kNotFound);
}

// A result that is held, hours later resolved, delivered, unknown and resolved again.
TEST_F(TimelineTest, ShowsWhatBecameOfAResultHoweverLateItWas) {
  run::Decided finalize = MakeDecided(1, "a.submit", call::Reason::kPermitted);
  finalize.decision.effect = call::Effect::kFinalize;
  run::Settled settled;
  settled.number = 1;
  settled.outcome.kind = call::OutcomeKind::kUnknown;
  settled.time = kTime;
  using call::RecordKind;
  Append({run::EncodeDecided(finalize), run::EncodeStep(RecordKind::kSealing, 1, kTime),
          run::EncodeStep(RecordKind::kSubmitting, 1, kTime), run::EncodeSettled(settled),
          run::EncodeStep(RecordKind::kUnknown, 1, kTime)});
  for (int i = 2; i < 1200; ++i) {
    Append({run::EncodeDecided(MakeDecided(i, "a.read", call::Reason::kPermitted))});
  }
  settled.outcome.kind = call::OutcomeKind::kOk;
  Append({run::EncodeSettled(settled),
          run::EncodeResolved({1, run::Resolution::kAccepted, "uid:0", "asked\x1b[2J"}, kTime)});
  ledger_->Flush();
  auto reader = ledger::Reader::Open(folder_.Path("l.db"));
  ASSERT_TRUE(reader.ok()) << reader.status();
  const absl::StatusOr<Row> row = FindRow(**reader, {kRun, 1});
  ASSERT_TRUE(row.ok()) << row.status();
  std::vector<std::string> kinds;
  for (const Step& step : row->steps) kinds.emplace_back(call::RecordKindName(step.kind));
  EXPECT_THAT(kinds, ElementsAre("sealing", "submitting", "unknown", "resolved"));
  EXPECT_EQ(row->settled->outcome.kind, call::OutcomeKind::kOk);
  EXPECT_THAT(Details(*row), HasSubstr("as accepted by uid:0: asked\\x1b[2J"));
  EXPECT_THAT(RowJson(*row), HasSubstr(R"("as":"accepted","by":"uid:0","why":"asked)"));
  Timeline timeline(**reader, kRun, ledger::Reader::Payload::kLeave);
  EXPECT_THAT(timeline.Next()->front().steps, ::testing::SizeIs(3)) << "within a page";
}

TEST(Print, EscapesWhatCameFromOutside) {
  Row row{kRun, MakeDecided(3, "mail.send_message", call::Reason::kOutOfScope), {}};
  row.decided.arguments = "{\"to\":\"\x1b[2J\"}";
  row.decided.arguments_size = row.decided.arguments.size();
  call::Nearest near;
  near.permission = "note";
  near.pointer = "/to/0";
  near.expected = "one of reviewers";
  near.found = "\"evil\xe2\x80\xae@x\"";
  row.decided.decision.nearest = near;
  EXPECT_THAT(TableLine(row), HasSubstr("run_abcdefghijkl#3"));
  EXPECT_THAT(TableLine(row), HasSubstr("out_of_scope"));
  EXPECT_THAT(TableLine(row), HasSubstr("\\u{202e}"));
  EXPECT_THAT(Details(row), HasSubstr("\\x1b[2J"));
  EXPECT_THAT(Details(row), Not(HasSubstr("\x1b")));
  EXPECT_THAT(RowJson(row), HasSubstr(R"("reason":"out_of_scope")"));
}

TEST(Print, SaysThatAResultWasLeftOut) {
  Row row{kRun, MakeDecided(3, "mail.send_message", call::Reason::kPermitted), run::Settled{}};
  row.settled->outcome.kind = call::OutcomeKind::kOk;
  row.settled->result_size = 2 << 20;
  EXPECT_THAT(RowJson(row, /*whole=*/true), Not(HasSubstr("result_left_out")));
  row.settled->result_left_out = true;
  EXPECT_THAT(Details(row), HasSubstr("not kept, as the disk was full (2.0 MiB)"));
  EXPECT_THAT(RowJson(row, /*whole=*/true), HasSubstr(R"("result_left_out":true)"));
  EXPECT_THAT(RowJson(row, /*whole=*/true), Not(HasSubstr(R"("result":)")));
}

TEST(Print, DetailsListWhatAStubChanged) {
  Row row{kRun, MakeDecided(3, "mail.send_message", call::Reason::kPermitted), run::Settled{}};
  row.settled->outcome.kind = call::OutcomeKind::kOk;
  row.settled->outcome.changes =
      R"({"outbox":[{"key":"msg_1","op":"insert","row":{"id":"msg_1"}}]})";
  EXPECT_THAT(Details(row), HasSubstr("outbox: insert msg_1"));
}

}  // namespace
}  // namespace tipstaff::review
