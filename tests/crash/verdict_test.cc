// What the hammer believes must be able to fail: each promise, broken.
#include "tests/crash/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::crash {
namespace {

using call::Effect;
using call::OutcomeKind;
using harness::Entry;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kAsked = Entry::What::kAsked;
constexpr auto kEffect = Entry::What::kEffect;
constexpr auto kRefused = Entry::What::kRefused;

Entry Post(Entry::What what, uint64_t call) { return {what, "run_a", call, "post", "", "", false}; }
Entry Submit(Entry::What what, uint64_t call, const std::string& key = "k") {
  return {what, "run_a", call, "submit", key, "", true};
}

// A write, two results and a denied call.
Decisions Usual() {
  return {{1, {"killable.post", true, "permitted", Effect::kWrite, OutcomeKind::kUnknown}},
          {2, {"receiver.submit", true, "permitted", Effect::kFinalize, OutcomeKind::kOk}},
          {3, {"receiver.submit", true, "permitted", Effect::kFinalize, OutcomeKind::kRefused}},
          {4, {"killable.post", false, "run_final", Effect::kWrite, std::nullopt}}};
}

TEST(Verdict, KeepsQuietWhereEveryPromiseWasKept) {
  const std::vector<Entry> accounts[] = {
      {Post(kAsked, 1), Post(kEffect, 1), Submit(kAsked, 2), Submit(kEffect, 2)},
      {Submit(kAsked, 3, "x"), Submit(kRefused, 3, "x"), Post(kAsked, 1), Post(kEffect, 1),
       Submit(kAsked, 2), Submit(kEffect, 2)},
      {Submit(kAsked, 2), Submit(kAsked, 2), Submit(kEffect, 2)},
  };
  for (const std::vector<Entry>& account : accounts) {
    EXPECT_THAT(Judge(Usual(), account,
                      {{1, "permitted", false}, {2, "permitted", true}, {4, "run_final", false}}),
                IsEmpty());
  }
}

TEST(Verdict, NamesEachPromiseThatIsBroken) {
  const Entry sent = Submit(kAsked, 2), taken = Submit(kEffect, 2);
  const struct {
    std::vector<Entry> account;
    std::vector<Acknowledged> acknowledged;
    const char* broken;
  } kCases[] = {
      {{sent, taken, Post(kAsked, 9)}, {}, "call 9 was sent without a decision"},
      {{Post(kAsked, 4), sent, taken}, {}, "call 4 was sent without a decision"},
      {{Post(kEffect, 4), sent, taken}, {}, "call 4 took effect without a decision"},
      {{Post(kAsked, 2), sent, taken},
       {},
       "call 2 was sent as `post`, decided as `receiver.submit`"},
      {{sent, Post(kEffect, 1), taken}, {}, "call 1 took effect after a result was sent"},
      {{sent, taken, Post(kEffect, 1)}, {}, "call 1 took effect after a result was sent"},
      {{Post(kAsked, 1), Post(kAsked, 1), sent, taken}, {}, "call 1 was sent twice"},
      {{Submit(kAsked, 3, "x"), sent, taken},
       {},
       "call 2 is a result that was sent while an earlier one may be accepted"},
      {{Submit(kAsked, 3, "x"), Submit(kEffect, 3, "x"), Submit(kRefused, 3, "x"), sent, taken},
       {},
       "call 2 is a second accepted result"},
      {{sent}, {}, "call 2 is ok on record and never took effect"},
      {{sent, taken}, {{7, "permitted", true}}, "call 7 was acknowledged and is missing"},
      {{sent, taken},
       {{4, "permitted", false}},
       "call 4 was acknowledged as permitted and is on record as run_final"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Judge(Usual(), c.account, c.acknowledged), ElementsAre(c.broken));
  }
  Decisions lost = Usual();
  lost[1].outcome.reset();
  EXPECT_THAT(Judge(lost, {sent, taken}, {{1, "permitted", true}}),
              ElementsAre("call 1 was acknowledged as done and has no outcome"));
}

// A write that is held, and two more of the same arguments.
Decisions Asked(bool approved, uint64_t second_uses, uint64_t third_uses) {
  const Decision write = {.tool = "killable.post",
                          .allowed = true,
                          .reason = "permitted",
                          .effect = Effect::kWrite,
                          .asks = true};
  Decision held = write, second = write, third = write;
  held.allowed = false;
  held.reason = "approval_pending";
  held.approved = approved;
  second.uses = second_uses;
  third.uses = third_uses;
  third.allowed = third_uses != 0;
  return {{1, held}, {2, second}, {3, third}};
}

TEST(Verdict, AnApprovalIsOnRecordAndUsedOnce) {
  const std::vector<Acknowledged> told = {{.number = 1, .approved = true}};
  EXPECT_THAT(Judge(Asked(true, 1, 0), {}, told), IsEmpty());
  EXPECT_THAT(Judge(Asked(true, 1, 1), {}, told),
              ElementsAre("call 3 used the approval of call 1 again"));
  EXPECT_THAT(Judge(Asked(true, 0, 0), {}, told),
              ElementsAre("call 2 used an approval that nobody gave"));
  EXPECT_THAT(Judge(Asked(false, 1, 0), {}, told),
              ElementsAre("call 2 used an approval that nobody gave",
                          "call 1 was approved, which is not on record"));
}

}  // namespace
}  // namespace tipstaff::crash
