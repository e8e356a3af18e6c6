#include "mediator/call/call.h"

#include <gtest/gtest.h>

#include "mediator/call/outcome.h"
#include "mediator/call/record.h"
#include "mediator/json/parse.h"

namespace tipstaff::call {
namespace {

TEST(Reason, NamesGoBothWays) {
  for (int i = 0; i <= static_cast<int>(Reason::kUndecided); ++i) {
    const Reason reason = static_cast<Reason>(i);
    EXPECT_EQ(ParseReason(ReasonName(reason)), reason);
    EXPECT_FALSE(ReasonSentence(reason).empty());
  }
  EXPECT_FALSE(ParseReason("allowed").has_value());
  EXPECT_EQ(ReasonName(Reason::kUndecided), "undecided");
  EXPECT_EQ(ParseVerdict("hold"), Verdict::kHold);
  EXPECT_FALSE(ParseVerdict("").has_value());
}

TEST(Names, AreAsTheLimitsSay) {
  EXPECT_TRUE(IsToolName("reports.get_report"));
  EXPECT_TRUE(IsToolName(std::string(64, 'a')));
  EXPECT_FALSE(IsToolName(std::string(65, 'a')));
  EXPECT_FALSE(IsToolName(""));
  EXPECT_FALSE(
      IsToolName("r\xd0\xb5"
                 "ad"))
      << "a Cyrillic e";
  EXPECT_FALSE(IsToolName("a b"));
  EXPECT_TRUE(IsCallId("k3:1"));
  EXPECT_FALSE(IsCallId("a/b"));
}

TEST(Outcome, NamesGoBothWays) {
  for (int i = 0; i <= static_cast<int>(OutcomeKind::kUnknown); ++i) {
    const OutcomeKind kind = static_cast<OutcomeKind>(i);
    EXPECT_EQ(ParseOutcomeKind(OutcomeKindName(kind)), kind);
  }
  EXPECT_EQ(ParseEffect("finalize"), Effect::kFinalize);
  EXPECT_FALSE(ParseEffect("Read").has_value());
}

TEST(Outcome, ErrorResultIsACallToolResult) {
  const json::Document result = json::MustParse(ErrorResult("a \"b\"\n"));
  EXPECT_TRUE(result.root().BoolOr("isError", false));
  EXPECT_EQ(result.root().Find("content").At(0).StringOr("text", ""), "a \"b\"\n");
}

TEST(Record, KindsHaveNamesAndNumbers) {
  EXPECT_EQ(RecordKindName(RecordKind::kRunOpened), "run_opened");
  EXPECT_EQ(RecordKindName(RecordKind::kClosed), "closed");
  EXPECT_EQ(RecordKindFromNumber(16), RecordKind::kClosed);
  EXPECT_EQ(RecordKindFromNumber(17), RecordKind::kClosing);
  EXPECT_EQ(RecordKindName(RecordKind::kClosing), "closing");
  EXPECT_FALSE(RecordKindFromNumber(0).has_value());
  EXPECT_FALSE(RecordKindFromNumber(18).has_value());
}

}  // namespace
}  // namespace tipstaff::call
