// Systems outside the mediator that hang, crash, refuse and act late: what a finalize does then,
// for each way in which a system can be stopped. What took effect is told by the systems' own
// account.
#include <gmock/gmock.h>

#include <csignal>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/run/records.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/work.h"
#include "tests/harness/account.h"

namespace tipstaff::e2e {
namespace {

using harness::Entry;
using ::testing::HasSubstr;

constexpr absl::Duration kPatience = absl::Seconds(60);

std::string Arguments(const std::string& behaviour, const std::string& label = "", int ms = 0) {
  return absl::StrCat(R"({"report_id":"r1","behaviour":")", behaviour, R"(","label":")", label,
                      R"(","ms":)", ms, "}");
}

class OutsideTest : public E2eTest {
 protected:
  void StartWith(const std::string& timeout) {
    harness::MediatorOptions options;
    options.outside = timeout;
    Start(options);
  }
  harness::OpenedRun OpenRun() {
    return Open({"--skill", "outside-work", "--bind", "report_id=r1"});
  }
  std::unique_ptr<Work> Begin() {
    harness::OpenedRun run = OpenRun();
    auto agent = StartAgent(run);
    return std::make_unique<Work>(std::move(run), std::move(agent));
  }
  std::vector<Entry> Account(const harness::OpenedRun& run) {
    return Must(harness::ReadAccount(mediator().accounts(), run.run));
  }
  int Count(const harness::OpenedRun& run, Entry::What what, const std::string& tool) {
    int count = 0;
    for (const Entry& entry : Account(run)) count += entry.what == what && entry.tool == tool;
    return count;
  }
  int Effects(const harness::OpenedRun& run, const std::string& tool) {
    return Count(run, Entry::What::kEffect, tool);
  }
  template <typename Holds>
  bool Await(Holds holds) {
    const absl::Time deadline = absl::Now() + kPatience;
    while (!holds()) {
      if (absl::Now() > deadline) return false;
      absl::SleepFor(absl::Milliseconds(10));
    }
    return true;
  }
  std::string Result(const harness::OpenedRun& run) {
    const json::Document shown = Must(mediator().TipstaffJson({"run", "show", run.run}));
    return std::string(shown.root().StringOr("result", "?"));
  }
  void AwaitAsked(const harness::OpenedRun& run) {
    ASSERT_TRUE(Await([&] { return Count(run, Entry::What::kAsked, "post") == 1; }));
  }

  // Writes that are under way at each kind of system, and a finalize beside each. `again`: the
  // mediator is killed and started again in between.
  void FinalizeWhileWritesHang(bool again);
};

struct Hanging {
  const char* system;
  const char* behaviour;
  int ms;
  const char* result;  // of the run
  int effects;         // of the write, in the end
  int submissions;     // that left
  const char* reason;
};

constexpr Hanging kHanging[] = {
    {"killable", "slow", 100'000, "accepted", 0, 1, "killed, and gone: it never takes effect"},
    {"queryable", "hang_after", 0, "accepted", 1, 1, "asked: it took place"},
    {"queryable", "hang", 0, "held", 0, 0, "asked: not yet, which promises nothing"},
    {"unstoppable", "outside", 33'000, "held", 1, 0, "nobody knows, and it does act in the end"},
};

void OutsideTest::FinalizeWhileWritesHang(bool again) {
  StartWith("60s");
  std::vector<std::unique_ptr<Work>> writers, finalizers;
  for (const Hanging& c : kHanging) {
    SCOPED_TRACE(c.reason);
    writers.push_back(Begin());
    finalizers.push_back(
        std::make_unique<Work>(writers.back()->run, StartAgent(writers.back()->run)));
    writers.back()->Begin(absl::StrCat(c.system, "_post"), Arguments(c.behaviour, "w", c.ms));
    AwaitAsked(writers.back()->run);
  }
  ASSERT_TRUE(Await([&] { return Effects(writers[1]->run, "post") == 1; }));
  if (again) {
    mediator().Kill();
    Must(mediator().StartAgain());
  }
  for (const auto& work : finalizers) work->Begin("receiver_submit", Arguments("ok", "result"));
  for (size_t i = 0; i < std::size(kHanging); ++i) {
    const Hanging& c = kHanging[i];
    SCOPED_TRACE(c.reason);
    const auto& finalized = finalizers[i]->Wait();
    ASSERT_TRUE(finalized.ok()) << finalized.status();
    EXPECT_EQ(Result(writers[i]->run), c.result) << finalized->text;
    EXPECT_EQ(finalized->is_error, std::string(c.result) != "accepted") << finalized->text;
    EXPECT_TRUE(Await([&] { return Effects(writers[i]->run, "post") == c.effects; }));
    EXPECT_EQ(Effects(writers[i]->run, "submit"), c.submissions);
    EXPECT_EQ(Count(writers[i]->run, Entry::What::kAsked, "post"), 1) << "sent once";
    EXPECT_EQ(finalizers[i]->Call("killable_post", Arguments("ok")).reason, "run_final");
  }
}

TEST_F(OutsideTest, AFinalizeStopsWritesThatHang) { FinalizeWhileWritesHang(/*again=*/false); }

TEST_F(OutsideTest, AFinalizeStopsWritesThatHungBeforeACrash) {
  FinalizeWhileWritesHang(/*again=*/true);
}

TEST_F(OutsideTest, AHeldResultIsAPersonsToDecide) {
  StartWith("200ms");
  const auto work = Begin();
  const harness::CallResult hung = work->Call("unstoppable_post", Arguments("outside", "w", 1000));
  EXPECT_TRUE(hung.is_error);
  EXPECT_EQ(hung.reason, "permitted");
  EXPECT_THAT(hung.text, HasSubstr("not known"));
  EXPECT_THAT(work->Call("receiver_submit", Arguments("ok")).text, HasSubstr("held"));
  EXPECT_EQ(Result(work->run), "held");
  EXPECT_EQ(Count(work->run, Entry::What::kAsked, "submit"), 0);
  ASSERT_TRUE(Await([&] { return Effects(work->run, "post") == 1; })) << "it did act";
  const harness::Finished resolved =
      Tipstaff({"run", "resolve", work->run.run, "--as", "over", "--why", "the board shows it"});
  EXPECT_EQ(resolved.status, 0) << resolved.err;
  EXPECT_FALSE(work->Call("receiver_submit", Arguments("ok", "again")).is_error);
  EXPECT_EQ(Result(work->run), "accepted");
}

TEST_F(OutsideTest, ACrashOfAKillableSystemEndsItsWrites) {
  StartWith("60s");
  const auto work = Begin();
  for (const char* behaviour : {"crash_before", "crash_after", "garbage"}) {
    const harness::CallResult lost = work->Call("killable_post", Arguments(behaviour, behaviour));
    EXPECT_TRUE(lost.is_error) << behaviour;
    EXPECT_THAT(lost.text, HasSubstr("not known")) << behaviour;
  }
  EXPECT_FALSE(work->Call("killable_post", Arguments("ok")).is_error) << "a new process";
  EXPECT_FALSE(work->Call("receiver_submit", Arguments("ok")).is_error) << "nothing is waited for";
  EXPECT_EQ(Result(work->run), "accepted");
  EXPECT_EQ(Effects(work->run, "post"), 2) << "crash_after and ok";
  const harness::Finished shown = Tipstaff({"show", work->run.run + "#1"});
  EXPECT_THAT(shown.out, HasSubstr("its process exited with 1"));
}

TEST_F(OutsideTest, ARefusedFinalizeLeavesTheRunOpen) {
  StartWith("60s");
  const auto work = Begin();
  EXPECT_TRUE(work->Call("receiver_submit", Arguments("refuse", "first")).is_error);
  EXPECT_EQ(Result(work->run), "none");
  EXPECT_FALSE(work->Call("unstoppable_post", Arguments("ok")).is_error);
  EXPECT_TRUE(work->Call("receiver_submit", Arguments("failed", "second")).is_error);
  EXPECT_EQ(Result(work->run), "none") << "it failed before anything took effect";
  EXPECT_FALSE(work->Call("receiver_submit", Arguments("ok", "third")).is_error);
  EXPECT_EQ(Result(work->run), "accepted");
  EXPECT_FALSE(work->Call("receiver_submit", Arguments("ok", "third")).is_error) << "the receipt";
  std::set<std::string> keys;
  for (const Entry& entry : Account(work->run)) {
    if (entry.what == Entry::What::kAsked && entry.finalizes) keys.insert(entry.key);
  }
  EXPECT_EQ(keys.size(), 3u) << "each result has a key of its own";
}

// The receiver dies after it took the result. Delivered again, it knows the key.
TEST_F(OutsideTest, AnUnknownResultIsDeliveredAgainUnderItsKey) {
  StartWith("60s");
  const auto work = Begin();
  EXPECT_THAT(work->Call("receiver_submit", Arguments("crash_after,ok", "result")).text,
              HasSubstr("not known"));
  EXPECT_EQ(Result(work->run), "unknown");
  EXPECT_EQ(work->Call("killable_post", Arguments("ok")).reason, "run_final");
  EXPECT_TRUE(Await([&] { return Result(work->run) == "accepted"; }));
  EXPECT_EQ(Count(work->run, Entry::What::kAsked, "submit"), 2);
  EXPECT_EQ(Effects(work->run, "submit"), 1);
  const std::vector<Entry> account = Account(work->run);
  EXPECT_EQ(account.front().key, account.back().key);
  EXPECT_EQ(account.front().key.size(), 64u);
}

TEST_F(OutsideTest, NothingOfARunIsLeftBehind) {
  StartWith("60s");
  const auto work = Begin();
  work->Begin("killable_post", Arguments("hang"));
  AwaitAsked(work->run);
  const harness::Finished closed = Tipstaff({"run", "close", work->run.run});
  EXPECT_EQ(closed.status, 0) << closed.err;
  const std::vector<ledger::StoredRecord> records = Records(work->run.run);
  const call::Record& cleaned = records[records.size() - 2].record;
  EXPECT_EQ(cleaned.kind, call::RecordKind::kCleaned);
  EXPECT_THAT(cleaned.body, HasSubstr("processes of killable"));
  EXPECT_EQ(Effects(work->run, "post"), 0);
}

// What a run opened with is what it goes on with, whatever the files say by then; and what is
// decided again needs no process.
TEST_F(OutsideTest, WhatARunUsesIsPinned) {
  StartWith("60s");
  const auto work = Begin();
  EXPECT_FALSE(work->Call("killable_post", Arguments("ok", "before")).is_error);
  mediator().Kill();
  const std::string config = mediator().options().folder + "/tipstaff.yaml";
  std::string text = Must(base::ReadFile(config));
  text.resize(text.find("upstreams:"));
  Must(base::WriteFile(config, text));
  Must(mediator().StartAgain());
  EXPECT_FALSE(work->Call("killable_post", Arguments("ok", "after")).is_error);
  EXPECT_EQ(Effects(work->run, "post"), 2);
  const harness::Finished why = Tipstaff({"why", work->run.run + "#1"});
  EXPECT_EQ(why.status, 0) << why.err;
  EXPECT_THAT(why.out, HasSubstr("post-killable"));
  ExpectFails(Tipstaff({"run", "open", "--skill", "outside-work", "--bind", "report_id=r1"}), 2,
              {"there is no upstream `killable`", "`upstreams` in tipstaff.yaml"});
}

TEST_F(OutsideTest, CheckReadsTheFilesOfTools) {
  StartWith("60s");
  const std::string config = mediator().options().folder + "/tipstaff.yaml";
  EXPECT_EQ(Tipstaff({"check", config}).status, 0);
  EXPECT_EQ(Tipstaff({"test", TIPSTAFF_SOURCE_DIR "/tests/e2e/outside/policies"}).status, 0);
  Must(base::WriteFile(Path("bad.yaml"), "tools:\n  - {name: a, effect: send, input: {}}\n"));
  Must(base::WriteFile(Path("tipstaff.yaml"),
                       "upstreams: {b: {test_system: {command: [b], tools: bad.yaml, "
                       "stop: none}}}\n"));
  const harness::Finished checked = Tipstaff({"check", config});
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.out, HasSubstr("bad.yaml:2:23"));
  EXPECT_THAT(checked.out, HasSubstr("unknown effect `send`"));
}

}  // namespace
}  // namespace tipstaff::e2e
