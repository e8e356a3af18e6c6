// With real processes: tests/harness/test_system.cc does what each call tells it to.
#include "mediator/backend/test_system_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/backend/limits.h"
#include "mediator/backend/process_lock.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/json/parse.h"
#include "tests/harness/account.h"

namespace tipstaff::backend {
namespace {

using call::OutcomeKind;
using harness::Entry;
using run::StopKind;
using run::TookPlace;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr absl::Duration kPatience = absl::Seconds(30);
constexpr char kTools[] = R"(tools:
  - {name: look, effect: read, input: {type: object}}
  - name: post
    effect: write
    input: {type: object}
    output: {type: object, properties: {label: {type: string}}, required: [label]}
  - name: submit
    effect: finalize
    input: {type: object, properties: {key: {type: string}}}
    idempotency_key: key
    audience: results.example
)";

class TestSystemBackendTest : public ::testing::Test {
 protected:
  void Start(StopKind stop, absl::Duration timeout = absl::Seconds(60)) {
    Start(stop, {TIPSTAFF_BIN_DIR "/tipstaff-test-system", "--accounts", folder_.path()}, timeout);
  }
  void Start(StopKind stop, std::vector<std::string> command,
             absl::Duration timeout = absl::Seconds(60)) {
    auto system = std::make_shared<TestSystem>();
    system->name = "board";
    system->command = std::move(command);
    system->folder = folder_.path();
    system->stop = stop;
    system->timeout = timeout;
    source::Diagnostics diagnostics;
    system->tools_file = std::make_shared<source::File>(source::File{"tools.yaml", kTools});
    auto tools = engine::LoadToolFile(system->tools_file, diagnostics);
    ASSERT_TRUE(tools) << source::RenderText(diagnostics);
    system->tools = *std::move(tools);
    backend_ = MakeTestSystemBackend(loop_, system, "run_a", lock_);
  }

  static Request RequestOf(uint64_t number, const std::string& behaviour,
                           const std::string& tool = "post", int ms = 0) {
    Request request;
    request.number = number;
    request.tool = tool;
    request.canonical = absl::StrCat(R"({"behaviour":")", behaviour, R"(","ms":)", ms,
                                     R"(,"label":"l)", number, "\"}");
    request.effect = tool == "submit" ? call::Effect::kFinalize
                     : tool == "look" ? call::Effect::kRead
                                      : call::Effect::kWrite;
    if (tool == "submit") {
      request.submission_key = "k1";
      request.canonical.insert(1, R"("key":"k1",)");
    }
    return request;
  }
  using Answer = std::shared_ptr<std::optional<call::Outcome>>;
  Answer Call(const Request& request) {
    auto answer = std::make_shared<std::optional<call::Outcome>>();
    backend_->Call(request, [answer](call::Outcome outcome) {
      EXPECT_FALSE(answer->has_value()) << "answered twice";
      *answer = std::move(outcome);
    });
    return answer;
  }
  Answer Call(uint64_t number, const std::string& behaviour, const std::string& tool = "post") {
    return Call(RequestOf(number, behaviour, tool));
  }

  // Lets the loop turn until it holds; false when it does not in time.
  template <typename Holds>
  bool Await(Holds holds) {
    const absl::Time deadline = absl::Now() + kPatience;
    while (!holds()) {
      if (absl::Now() > deadline) return false;
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  call::Outcome Outcome(const Answer& answer) {
    EXPECT_TRUE(Await([&] { return answer->has_value(); })) << "no answer";
    return answer->value_or(call::Outcome());
  }
  int Count(Entry::What what) {
    const auto entries = harness::ReadAccount(folder_.path(), "run_a");
    EXPECT_TRUE(entries.ok()) << entries.status();
    return static_cast<int>(
        std::count_if(entries->begin(), entries->end(),
                      [what](const Entry& entry) { return entry.what == what; }));
  }
  int Effects() { return Count(Entry::What::kEffect); }
  bool Stopped(uint64_t number) {
    bool stopped = false;
    backend_->Stop(number, [&stopped] { stopped = true; });
    return Await([&] { return stopped; });
  }
  TookPlace Asked(uint64_t number) {
    std::optional<TookPlace> answer;
    backend_->Query(number, [&](TookPlace took_place) { answer = took_place; });
    EXPECT_TRUE(Await([&] { return answer.has_value(); })) << "no answer to a query";
    return answer.value_or(TookPlace::kUnknown);
  }
  // In the end: a call that comes while the process is being ended fails.
  bool TakesCalls() {
    return Await([&] { return Outcome(Call(9, "ok")).kind == OutcomeKind::kOk; });
  }
  bool AllGone() { return TakeProcessLock(lock_).ok(); }

  base::TempFolder folder_;
  const std::string lock_ = ProcessLockPath(folder_.path(), "board");
  boost::asio::io_context loop_;
  std::unique_ptr<Backend> backend_;
};

TEST_F(TestSystemBackendTest, EachWayOfACall) {
  const struct {
    const char* behaviour;
    const char* tool;
    OutcomeKind kind;
    int effects;       // after the answer
    const char* note;  // for the operator
  } kCases[] = {
      {"ok", "post", OutcomeKind::kOk, 1, ""},
      {"ok", "look", OutcomeKind::kOk, 0, ""},
      {"slow", "post", OutcomeKind::kOk, 1, ""},
      {"twice", "post", OutcomeKind::kOk, 1, ""},
      {"failed", "post", OutcomeKind::kFailed, 0, ""},
      {"refuse", "post", OutcomeKind::kToolError, 0, ""},
      {"refuse", "submit", OutcomeKind::kRefused, 0, ""},
      {"ok", "submit", OutcomeKind::kOk, 1, ""},
      {"crash_before", "post", OutcomeKind::kUnknown, 0, "its process exited with 1"},
      {"crash_after", "post", OutcomeKind::kUnknown, 1, "its process exited with 1"},
      {"garbage", "post", OutcomeKind::kUnknown, 0, "its process said "},
      {"huge", "post", OutcomeKind::kUnknown, 0, "said a line of more than 1048576 bytes"},
      {"other_id", "post", OutcomeKind::kUnknown, 0, "answered what it was not asked"},
      {"mute", "post", OutcomeKind::kUnknown, 0, "closed its output"},
      {"bad_output", "post", OutcomeKind::kUnknown, 1, "other than its `output` declares"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(absl::StrCat(c.behaviour, " of ", c.tool));
    backend_.reset();
    ASSERT_TRUE(AllGone());
    std::remove(folder_.Path("run_a.account").c_str());
    Start(StopKind::kNone);
    const call::Outcome outcome = Outcome(Call(1, c.behaviour, c.tool));
    EXPECT_EQ(outcome.kind, c.kind) << call::OutcomeKindName(outcome.kind) << outcome.note;
    EXPECT_EQ(Effects(), c.effects);
    EXPECT_THAT(outcome.note, HasSubstr(c.note));
    ASSERT_NE(outcome.result, "");
    EXPECT_EQ(json::MustParse(outcome.result).root().BoolOr("isError", false),
              c.kind != OutcomeKind::kOk);
    // The same one, or a new one, takes the next call.
    EXPECT_TRUE(TakesCalls());
  }
}

TEST_F(TestSystemBackendTest, AnAnswerIsTheResult) {
  Start(StopKind::kNone);
  const json::Document result = json::MustParse(Outcome(Call(5, "ok")).result);
  EXPECT_EQ(result.root().Find("structuredContent").StringOr("label", ""), "l5");
}

TEST_F(TestSystemBackendTest, TheToolsSayForWhomTokensAre) {
  Start(StopKind::kNone);
  EXPECT_EQ(backend_->Audience("submit"), "results.example");
  EXPECT_EQ(backend_->Audience("post"), "");
  EXPECT_EQ(backend_->Audience("none"), "");
}

TEST_F(TestSystemBackendTest, OneThatIsSilentIsGivenUpOn) {
  Start(StopKind::kNone, absl::Milliseconds(50));
  const call::Outcome outcome = Outcome(Call(1, "hang"));
  EXPECT_EQ(outcome.kind, OutcomeKind::kUnknown);
  EXPECT_EQ(outcome.note, "it did not answer in time");
  EXPECT_GE(outcome.duration, absl::Milliseconds(50));
}

// It was left running: every later call waited for it, and was unknown, too.
TEST_F(TestSystemBackendTest, AKillableOneThatIsSilentIsReplaced) {
  Start(StopKind::kKillable, absl::Seconds(1));
  const Answer other = Call(RequestOf(1, "slow", "post", 3'600'000));
  const call::Outcome outcome = Outcome(Call(2, "hang"));
  EXPECT_EQ(outcome.kind, OutcomeKind::kUnknown);
  EXPECT_EQ(outcome.note, "its process did not answer in time");
  EXPECT_GE(outcome.duration, absl::Seconds(1));
  EXPECT_TRUE(AllGone()) << "nothing of it takes effect any more";
  EXPECT_EQ(Outcome(other).kind, OutcomeKind::kUnknown);
  EXPECT_EQ(Outcome(Call(3, "ok")).kind, OutcomeKind::kOk) << "a new process";
}

TEST_F(TestSystemBackendTest, OneThatIsNotKillableMayAnswerLate) {
  Start(StopKind::kNone, absl::Seconds(1));
  // It answers once it is told that nobody waits any more.
  EXPECT_EQ(Outcome(Call(1, "cancellable")).note, "it did not answer in time");
  EXPECT_EQ(Outcome(Call(2, "ok")).kind, OutcomeKind::kOk);
  EXPECT_FALSE(AllGone());
}

// What was answered is not asked any more: it was dropped in silence, however often it came.
TEST_F(TestSystemBackendTest, OneThatAnswersAgainIsEnded) {
  Start(StopKind::kNone);
  const Answer other = Call(1, "hang");
  EXPECT_EQ(Outcome(Call(2, "twice")).kind, OutcomeKind::kOk);
  EXPECT_EQ(Outcome(other).note, "its process answered what it was not asked");
  EXPECT_TRUE(TakesCalls()) << "a new process";
}

// Calls were written to it, and waited for.
TEST_F(TestSystemBackendTest, OneThatClosesItsInputIsAskedNoMore) {
  Start(StopKind::kNone, {"sh", "-c", "read line; exec 0<&-; touch closed; sleep 1000"});
  const Answer first = Call(1, "ok");
  const std::string closed = folder_.Path("closed");
  ASSERT_TRUE(Await([&] { return std::filesystem::exists(closed); }));
  const Answer second = Call(2, "ok");
  ASSERT_TRUE(second->has_value()) << "nothing of it was sent";
  EXPECT_EQ((*second)->kind, OutcomeKind::kFailed);
  EXPECT_EQ(Outcome(first).kind, OutcomeKind::kUnknown);
  EXPECT_EQ((*first)->note, "its process closed its input");
  EXPECT_TRUE(AllGone());
}

TEST_F(TestSystemBackendTest, AClosedInputIsSeenWithoutAnotherCall) {
  Start(StopKind::kNone, {"sh", "-c", "exec 0<&-; sleep 1000"});
  const Answer answer = Call(1, "ok");  // written before, perhaps, and lost
  ASSERT_TRUE(Await([&] { return answer->has_value(); }));
  EXPECT_THAT((*answer)->note, HasSubstr("closed its input"));
}

TEST_F(TestSystemBackendTest, ACancelIsPassedOn) {
  Start(StopKind::kNone);
  const Answer answer = Call(1, "cancellable"), other = Call(2, "hang");
  ASSERT_TRUE(Await([&] { return Count(Entry::What::kAsked) == 2; }));
  EXPECT_FALSE(answer->has_value());
  backend_->Cancel(1);
  EXPECT_EQ(Outcome(answer).kind, OutcomeKind::kFailed);
  EXPECT_FALSE(other->has_value());
}

TEST_F(TestSystemBackendTest, ACrashTakesTheOtherCallsWithIt) {
  Start(StopKind::kNone);
  const Answer other = Call(1, "hang");
  ASSERT_TRUE(Await([&] { return Count(Entry::What::kAsked) == 1; }));
  EXPECT_EQ(Outcome(Call(2, "crash_after")).kind, OutcomeKind::kUnknown);
  EXPECT_EQ(Outcome(other).kind, OutcomeKind::kUnknown);
  EXPECT_TRUE(AllGone()) << "unknown only once nothing runs";
}

TEST_F(TestSystemBackendTest, WhatIsKilledIsGoneBeforeItIsStopped) {
  Start(StopKind::kKillable);
  const Answer answer = Call(RequestOf(1, "slow", "post", 3'600'000));
  ASSERT_TRUE(Await([&] { return Count(Entry::What::kAsked) == 1; }));
  EXPECT_FALSE(AllGone());
  ASSERT_TRUE(Stopped(1));
  EXPECT_TRUE(AllGone());
  EXPECT_EQ(Outcome(answer).kind, OutcomeKind::kUnknown);
  EXPECT_EQ(Effects(), 0);
  ASSERT_TRUE(Stopped(1)) << "where nothing runs any more";
  EXPECT_EQ(Outcome(Call(2, "ok")).kind, OutcomeKind::kOk) << "a new process";
  ASSERT_TRUE(Stopped(2)) << "of a call that was answered";
  EXPECT_TRUE(AllGone());
}

TEST_F(TestSystemBackendTest, WhatAProgramStartedIsKilledWithIt) {
  // The shell ends at once; its child is in a session of its own and has its descriptors.
  Start(StopKind::kKillable, {"sh", "-c", "setsid sleep 1000 & read line; exit 0"});
  const Answer answer = Call(1, "ok");
  EXPECT_EQ(Outcome(answer).note, "its process exited with 0");
  EXPECT_TRUE(AllGone());
}

TEST_F(TestSystemBackendTest, DestructionLeavesNothing) {
  Start(StopKind::kKillable, {"sh", "-c", "trap '' TERM HUP; setsid sleep 1000 & sleep 1000"});
  const Answer answer = Call(1, "ok");
  EXPECT_FALSE(AllGone());
  backend_.reset();
  EXPECT_TRUE(AllGone());
  loop_.restart();
  loop_.poll();
  EXPECT_FALSE(answer->has_value()) << "no callback comes after the end";
}

TEST_F(TestSystemBackendTest, ACallbackMayDestroyIt) {
  for (const char* behaviour : {"ok", "crash_after", "garbage"}) {
    SCOPED_TRACE(behaviour);
    Start(StopKind::kNone);
    const Answer other = Call(1, "hang");
    bool done = false;
    backend_->Call(RequestOf(2, behaviour), [&](call::Outcome) {
      backend_.reset();
      done = true;
    });
    if (std::string(behaviour) != "ok") {
      // Of two that end together the first one's destroys it.
      EXPECT_TRUE(Await([&] { return done || other->has_value(); }));
      backend_.reset();
    } else {
      EXPECT_TRUE(Await([&] { return done; }));
      EXPECT_FALSE(other->has_value());
    }
    EXPECT_TRUE(AllGone());
  }
}

TEST_F(TestSystemBackendTest, AQueryableSystemIsAsked) {
  Start(StopKind::kQueryable, absl::Milliseconds(50));
  EXPECT_EQ(Outcome(Call(1, "hang_after")).kind, OutcomeKind::kUnknown);
  EXPECT_EQ(Outcome(Call(2, "hang")).kind, OutcomeKind::kUnknown);
  EXPECT_EQ(Asked(1), TookPlace::kDone);
  EXPECT_EQ(Asked(2), TookPlace::kNotYet);
  EXPECT_EQ(Asked(3), TookPlace::kNotYet) << "never heard of";
  EXPECT_EQ(Outcome(Call(4, "crash_after")).kind, OutcomeKind::kUnknown);
  EXPECT_EQ(Asked(4), TookPlace::kDone) << "by a new process";
}

TEST_F(TestSystemBackendTest, TheOthersDoNotKnow) {
  for (const StopKind stop : {StopKind::kKillable, StopKind::kNone}) {
    Start(stop);
    EXPECT_EQ(Outcome(Call(1, "ok")).kind, OutcomeKind::kOk);
    EXPECT_EQ(Asked(1), TookPlace::kUnknown);
    backend_.reset();
  }
}

TEST_F(TestSystemBackendTest, ADeliveryIsRepeatedUnderItsKey) {
  Start(StopKind::kNone, absl::Milliseconds(100));
  EXPECT_EQ(backend_->KeyArgument("submit"), "key");
  EXPECT_EQ(backend_->KeyArgument("post"), "");
  EXPECT_EQ(backend_->KeyArgument("none"), "");
  EXPECT_EQ(Outcome(Call(1, "hang_after,ok", "submit")).kind, OutcomeKind::kUnknown);
  EXPECT_EQ(Outcome(Call(1, "hang_after,ok", "submit")).kind, OutcomeKind::kOk);
  EXPECT_EQ(Count(Entry::What::kAsked), 2);
  EXPECT_EQ(Effects(), 1);
}

// What the first delivery comes to is not the second one's answer.
TEST_F(TestSystemBackendTest, ALateAnswerToAnEarlierDeliveryIsNotTaken) {
  Start(StopKind::kNone);
  const Answer first = Call(1, "cancellable,hang", "submit");
  ASSERT_TRUE(Await([&] { return Count(Entry::What::kAsked) == 1; }));
  backend_->Cancel(1);
  const Answer second = Call(1, "cancellable,hang", "submit");
  ASSERT_TRUE(Await([&] { return Count(Entry::What::kAsked) == 2; }));
  EXPECT_EQ(Outcome(Call(2, "ok")).kind, OutcomeKind::kOk) << "by now the first was answered";
  EXPECT_FALSE(first->has_value());
  EXPECT_FALSE(second->has_value());
}

TEST_F(TestSystemBackendTest, WhatCannotBeStartedFailsBeforeAnythingHappens) {
  Start(StopKind::kKillable, {"./no-such-program"});
  const call::Outcome outcome = Outcome(Call(1, "ok"));
  EXPECT_EQ(outcome.kind, OutcomeKind::kFailed);
  EXPECT_THAT(outcome.note, HasSubstr("cannot start `./no-such-program`"));
  EXPECT_TRUE(Stopped(1));
}

TEST_F(TestSystemBackendTest, OneThatDoesNotReadIsNotWaitedFor) {
  Start(StopKind::kKillable, {"sleep", "1000"});
  std::vector<Answer> answers;
  Request request = RequestOf(1, "ok");
  request.canonical = absl::StrCat(R"({"label":")", std::string(1 << 20, 'x'), "\"}");
  for (; request.number < 10; ++request.number) answers.push_back(Call(request));
  EXPECT_FALSE(answers.front()->has_value());
  ASSERT_TRUE(answers.back()->has_value());
  EXPECT_EQ((*answers.back())->kind, OutcomeKind::kFailed);
  EXPECT_EQ((*answers.back())->note, "it does not read");
}

}  // namespace
}  // namespace tipstaff::backend
