// Calls whose arguments take long to search for canaries: what else is done meanwhile, and what
// becomes of them. No test waits for a time: the threads of the searches are held, and let go.
#include "mediator/host/call_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <future>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/host/live_run.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/ledger/testing/faulty_disk.h"
#include "mediator/policy/testing/laborious_text.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kPlanted[] = "TIPSTAFF-canary-7f3a91";
constexpr char kSmall[] = R"({"id":"r1","text":"a"})";
const absl::Time kTime = absl::FromUnixSeconds(1'777'000'000);

// More than is searched on the spot.
std::string Large(absl::string_view among = "") {
  std::string text;
  while (text.size() < 20'000) text += "See a/b and c. ";
  return absl::StrCat(R"({"id":"r1","text":")", text, among, "\"}");
}

struct Heard final : Waiter {
  void OnProgress(double, double, const std::string&) override {}
  void OnAnswer(const Answer& answer) override {
    ++times;
    got = answer;
  }
  std::string decision() const { return got ? got->decision_id : "none yet"; }
  std::optional<call::Reason> reason() const {
    return got ? std::make_optional(got->reason) : std::nullopt;
  }
  int times = 0;
  std::optional<Answer> got;
};

class CallQueueTest : public ::testing::Test {
 protected:
  CallQueueTest() {
    disk_.PretendToSync();
    ledger_ = *ledger::Ledger::Open(folder_.Path("ledger.db"), {});
    outbox_.emplace(loop_, *ledger_);
    reader_ = *ledger::Reader::Open(folder_.Path("ledger.db"));
    a_ = OpenRun("run_aaaaaaaaaaaa");
    b_ = OpenRun("run_bbbbbbbbbbbb");
  }
  ~CallQueueTest() override {
    LetGo();
    a_.reset();
    b_.reset();
    outbox_.reset();
    ledger_.reset();  // before the loop and the inbox, which its callbacks reach
  }

  // Says what was called, and answers at once.
  class Backend final : public backend::Backend {
   public:
    explicit Backend(std::vector<std::string>& made, std::string run)
        : made_(made), run_(std::move(run)) {}
    run::StopKind stop_kind() const override { return run::StopKind::kInProcess; }
    void Call(const backend::Request& request, Done done) override {
      made_.push_back(absl::StrCat(run_, "#", request.number));
      call::Outcome outcome;
      outcome.kind = call::OutcomeKind::kOk;
      outcome.result = R"({"content":[]})";
      std::move(done)(std::move(outcome));
    }
    call::Outcome MakeAgain(const backend::Request&, call::OutcomeKind) override { return {}; }
    void Cancel(uint64_t) override {}
    void Stop(uint64_t, Stopped stopped) override { std::move(stopped)(); }

   private:
    std::vector<std::string>& made_;
    const std::string run_;
  };

  std::shared_ptr<LiveRun> OpenRun(const std::string& id) {
    run::Opened opened{.run = id, .channel = "unix:t", .seed = "s", .opened_by = "uid:0"};
    opened.opened_at = kTime;
    opened.expires_at = kTime + absl::Hours(1);
    ledger_->Open(id, {}, {run::EncodeOpened(opened)}, [](const auto&) {});
    ledger_->Flush();
    Backends backends;
    backends["in"] = std::make_unique<Backend>(made_, id.substr(4, 1));
    const std::string planted[] = {kPlanted};
    auto live = std::make_shared<LiveRun>(
        Surroundings{loop_, inbox_, clock_, *ledger_, *outbox_, *reader_, *keys_, *searches_},
        std::move(opened), run::PlayGrant(/*finalize_outside=*/false, planted), std::move(backends),
        "", std::string(32, 'k'));
    live->Start([this](const absl::Status& how) { ended_.push_back(how.code()); });
    return live;
  }

  // Keeps every thread of the searches until LetGo().
  void Hold() {
    const std::string planted[] = {kPlanted};
    const auto grant = run::PlayGrant(false, planted);
    // By how large the arguments are said to be a search begins in another lane.
    for (const size_t bytes : {size_t{0}, size_t{1} << 20, size_t{1} << 30}) {
      searches_->Add({grant, json::MustParse("{}"), bytes,
                      std::make_shared<std::atomic<bool>>(false),
                      [gone = gone_](const policy::CanaryResult&) { gone.wait(); }});
    }
  }
  void LetGo() {
    if (!std::exchange(let_go_, true)) go_.set_value();
  }

  std::shared_ptr<Heard> Call(LiveRun& run, const std::string& id, const std::string& arguments,
                              const std::string& tool = "in.write_it") {
    auto heard = std::make_shared<Heard>();
    last_stream_ = run.Call({id, tool, arguments}, heard);
    return heard;
  }
  void Until(const std::function<bool()>& state) {
    const absl::Time patience = absl::Now() + absl::Minutes(2);
    while (!state()) {
      ASSERT_LT(absl::Now(), patience) << "it does not come about";
      ledger_->Flush();
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds(50));
    }
  }
  // Everything is done that does not wait for a search.
  void Rest() {
    for (int idle = 0; idle < 2;) {
      ledger_->Flush();
      loop_.restart();
      idle = loop_.poll() == 0 ? idle + 1 : 0;
    }
  }
  std::vector<std::string> KindsOf(const LiveRun& run) {
    std::vector<std::string> kinds;
    const auto records = reader_->Records(run.id(), 2, 1000, ledger::Reader::Payload::kFetch);
    EXPECT_TRUE(records.ok()) << records.status();
    if (!records.ok()) return kinds;
    for (const ledger::StoredRecord& stored : *records) {
      kinds.emplace_back(call::RecordKindName(stored.record.kind));
    }
    return kinds;
  }

  ledger::FaultyDisk disk_;
  base::TempFolder folder_;
  const std::unique_ptr<const keys::KeyRing> keys_ =
      keys::KeyRing::OpenOrCreate(folder_.Path("keys")).value();
  base::FakeClock wall_{kTime};
  base::AdvancingClock clock_{wall_};
  boost::asio::io_context loop_{1};
  std::unique_ptr<ledger::Ledger> ledger_;
  std::unique_ptr<ledger::Reader> reader_;
  Inbox inbox_{loop_};
  std::optional<Outbox> outbox_;
  std::promise<void> go_;
  const std::shared_future<void> gone_ = go_.get_future().share();
  bool let_go_ = false;
  std::unique_ptr<CanarySearches> searches_ = std::make_unique<CanarySearches>();
  run::StreamId last_stream_ = 0;
  std::vector<std::string> made_;
  std::vector<absl::StatusCode> ended_;
  std::shared_ptr<LiveRun> a_, b_;
};

TEST_F(CallQueueTest, OtherRunsCallsAreMadeMeanwhile) {
  Hold();
  const auto large = Call(*a_, "c1", Large());
  for (int i = 0; i < 50; ++i) {
    const auto small = Call(*b_, absl::StrCat("s", i), kSmall);
    Until([&] { return small->got.has_value(); });
    EXPECT_EQ(small->reason(), call::Reason::kPermitted);
  }
  Rest();
  EXPECT_FALSE(large->got.has_value());
  EXPECT_THAT(KindsOf(*a_), IsEmpty()) << "nothing is on record before it is decided";
  LetGo();
  Until([&] { return large->got.has_value(); });
  EXPECT_EQ(large->reason(), call::Reason::kPermitted);
}

TEST_F(CallQueueTest, WhatIsFoundIsDeniedHoweverItWasSearched) {
  const auto at_once = Call(*a_, "c1", absl::StrCat(R"({"id":"r1","text":")", kPlanted, "\"}"));
  const auto later = Call(*a_, "c2", Large(kPlanted));
  Until([&] { return later->got.has_value(); });
  EXPECT_EQ(at_once->reason(), call::Reason::kCanary);
  EXPECT_EQ(later->reason(), call::Reason::kCanary);
  EXPECT_FALSE(later->got->retry);
  EXPECT_THAT(KindsOf(*a_), ElementsAre("decided", "decided"));
  EXPECT_THAT(made_, IsEmpty());
}

// What needs no search takes none: a tool that there is not, and what is no call.
TEST_F(CallQueueTest, OnlyWhatIsDecidedByItIsSearched) {
  Hold();
  const auto unknown = Call(*a_, "c1", Large(), "in.nothing");
  const auto malformed = Call(*a_, "c2", Large() + "x");
  Until([&] { return unknown->got.has_value() && malformed->got.has_value(); });
  EXPECT_EQ(unknown->reason(), call::Reason::kUnknownTool);
  EXPECT_EQ(malformed->reason(), call::Reason::kMalformed);
}

TEST_F(CallQueueTest, CallsOfARunKeepTheirOrder) {
  Hold();
  const auto first = Call(*a_, "c1", Large());
  const auto second = Call(*a_, "c2", kSmall);
  const auto third = Call(*a_, "c3", Large());
  Rest();
  EXPECT_FALSE(second->got.has_value()) << "it came after what is searched";
  LetGo();
  Until([&] { return third->got.has_value(); });
  EXPECT_EQ(first->decision(), "run_aaaaaaaaaaaa#1");
  EXPECT_EQ(second->decision(), "run_aaaaaaaaaaaa#2");
  EXPECT_EQ(third->decision(), "run_aaaaaaaaaaaa#3");
  EXPECT_THAT(made_, ElementsAre("a#1", "a#2", "a#3"));
}

TEST_F(CallQueueTest, RunsTakeTurns) {
  Hold();
  std::vector<std::shared_ptr<Heard>> many;
  for (int i = 0; i < 5; ++i) many.push_back(Call(*a_, absl::StrCat("c", i), Large()));
  const auto one = Call(*b_, "c1", Large());
  LetGo();
  Until([&] { return one->got.has_value() && many.back()->got.has_value(); });
  ASSERT_EQ(made_.size(), 6u);
  EXPECT_TRUE(made_[0] == "b#1" || made_[1] == "b#1") << "it waited for one of the other run's";
}

TEST_F(CallQueueTest, TheSameCallAgainIsMadeOnce) {
  Hold();
  const auto first = Call(*a_, "c1", Large());
  const auto again = Call(*a_, "c1", Large());
  const auto other = Call(*a_, "c1", kSmall);
  LetGo();
  Until([&] { return first->got && again->got && other->got; });
  EXPECT_EQ(first->reason(), call::Reason::kPermitted);
  EXPECT_EQ(again->decision(), first->decision());
  EXPECT_EQ(other->reason(), call::Reason::kCallIdReused);
  EXPECT_THAT(made_, ElementsAre("a#1"));
  // From now on it takes no search.
  Hold();
  const auto late = Call(*a_, "c1", Large());
  Until([&] { return late->got.has_value(); });
  EXPECT_EQ(late->decision(), first->decision());
  EXPECT_EQ(made_.size(), 1u);
}

TEST_F(CallQueueTest, NothingIsLeftOfACallThatIsCancelledMeanwhile) {
  Hold();
  const auto gone = Call(*a_, "c1", Large());
  const run::StreamId searched = last_stream_;
  const auto behind = Call(*a_, "c2", Large());
  const run::StreamId waiting = last_stream_;
  const auto stays = Call(*a_, "c3", kSmall);
  a_->Cancel(waiting);
  a_->Cancel(searched);
  Until([&] { return stays->got.has_value(); });
  EXPECT_EQ(stays->decision(), "run_aaaaaaaaaaaa#1");
  LetGo();
  const auto again = Call(*a_, "c1", Large());
  Until([&] { return again->got.has_value(); });
  EXPECT_EQ(again->decision(), "run_aaaaaaaaaaaa#2") << "as if it had not come before";
  EXPECT_THAT(made_, ElementsAre("a#1", "a#2"));
  EXPECT_FALSE(gone->got.has_value() || behind->got.has_value());
}

TEST_F(CallQueueTest, ARunThatIsRevokedMeanwhileRefuses) {
  Hold();
  const auto first = Call(*a_, "c1", Large());
  const auto second = Call(*a_, "c2", kSmall);
  a_->Close("uid:0", "over", /*revoke=*/true);
  Until([&] { return first->got && second->got && !ended_.empty(); });
  EXPECT_EQ(first->reason(), call::Reason::kRunRevoked);
  EXPECT_EQ(second->reason(), call::Reason::kRunRevoked);
  EXPECT_THAT(ended_, ElementsAre(absl::StatusCode::kOk));
  LetGo();
  const auto other = Call(*b_, "c1", Large());
  Until([&] { return other->got.has_value(); });
  EXPECT_THAT(made_, ElementsAre("b#1"));
  EXPECT_EQ(first->times, 1);
}

TEST_F(CallQueueTest, ARunThatExpiresMeanwhileRefuses) {
  Hold();
  const auto call = Call(*a_, "c1", Large());
  wall_.Advance(absl::Hours(2));
  a_->Cancel(/*stream=*/12345);  // whatever happens next
  Until([&] { return call->got.has_value(); });
  EXPECT_EQ(call->reason(), call::Reason::kRunExpired);
  EXPECT_THAT(made_, IsEmpty());
}

// The run cannot go on before it is restored: whoever waits may ask again.
TEST_F(CallQueueTest, ARunThatBreaksMeanwhileAnswers) {
  Hold();
  disk_.FailWrites(SQLITE_FULL);
  const auto small = Call(*a_, "c1", kSmall);
  const auto large = Call(*a_, "c2", Large());
  std::optional<absl::StatusCode> asked;
  a_->Preview({"c3", "in.write_it", Large()}, [&](const absl::StatusOr<call::Decision>& decision) {
    asked = decision.status().code();
  });
  Until([&] { return small->got && large->got && asked; });
  EXPECT_EQ(large->reason(), call::Reason::kUndecided);
  EXPECT_TRUE(large->got->retry);
  EXPECT_EQ(asked, absl::StatusCode::kUnavailable);
  EXPECT_THAT(ended_, ElementsAre(absl::StatusCode::kUnavailable));
  disk_.FailWrites(0);
}

TEST_F(CallQueueTest, WhatIsOnlyAskedAboutIsSearchedElsewhereToo) {
  Hold();
  std::optional<call::Reason> found, passes;
  a_->Preview({"c1", "in.write_it", Large(kPlanted)},
              [&](const absl::StatusOr<call::Decision>& decision) { found = decision->reason; });
  a_->Preview({"c1", "in.write_it", Large()},
              [&](const absl::StatusOr<call::Decision>& decision) { passes = decision->reason; });
  const auto small = Call(*b_, "s1", kSmall);
  Until([&] { return small->got.has_value(); });
  Rest();
  EXPECT_FALSE(found.has_value());
  LetGo();
  Until([&] { return found && passes; });
  EXPECT_EQ(found, call::Reason::kCanary);
  EXPECT_EQ(passes, call::Reason::kPermitted);
  EXPECT_THAT(KindsOf(*a_), IsEmpty());
}

// Without a search that is held: one of seconds is under way, or waits, when all ends.
TEST_F(CallQueueTest, TheMediatorEndsMeanwhile) {
  const auto large = Call(*a_, "c1", Large());
  const auto other = Call(*b_, "c1", Large());
  a_.reset();
  b_.reset();
  searches_.reset();
  Rest();
  EXPECT_FALSE(large->got.has_value() || other->got.has_value());
  EXPECT_THAT(made_, IsEmpty());
}

TEST(CanarySearches, GivesUpWhatIsUnderWayAndWhatWaits) {
  const std::string planted[] = {kPlanted};
  const auto grant = run::PlayGrant(false, planted);
  json::Builder builder;
  builder.StartObject().Field("text", policy::LaboriousText()).EndObject();
  const json::Document laborious = *std::move(builder).Build();
  std::atomic<int> done = 0;
  std::vector<std::shared_ptr<std::atomic<bool>>> given_up;
  {
    CanarySearches searches;
    for (int i = 0; i < 3; ++i) {
      given_up.push_back(std::make_shared<std::atomic<bool>>(false));
      searches.Add({grant, laborious, size_t{1} << 30, given_up.back(),
                    [&done](const policy::CanaryResult&) { ++done; }});
    }
    *given_up[0] = true;
    // Another lane's go on.
    std::promise<bool> found;
    searches.Add({grant, json::MustParse(R"({"a":"TIPSTAFF-canary-7f3a91"})"), 40,
                  std::make_shared<std::atomic<bool>>(false),
                  [&found](const policy::CanaryResult& result) {
                    found.set_value(result.sighting().has_value());
                  }});
    EXPECT_TRUE(found.get_future().get());
  }
  EXPECT_EQ(done, 0) << "each would take seconds";
}

// What a lane has too little room for goes to the next: the answer is the same.
TEST(CanarySearches, GoesThroughTheLanes) {
  const std::string planted[] = {kPlanted};
  const auto grant = run::PlayGrant(false, planted);
  const std::string text = policy::LaboriousText().substr(0, 60'000);
  CanarySearches searches;
  for (const bool holds : {false, true}) {
    json::Builder builder;
    builder.StartObject().Field("text", text + (holds ? kPlanted : "")).EndObject();
    const json::Document arguments = *std::move(builder).Build();
    ASSERT_FALSE(grant->canaries().SearchWithin(8 << 20, arguments.root()).has_value())
        << "it is for the last lane";
    std::promise<bool> found;
    searches.Add({grant, arguments, /*bytes=*/1, std::make_shared<std::atomic<bool>>(false),
                  [&found](const policy::CanaryResult& result) {
                    found.set_value(result.sighting().has_value() && result.sighting()->certain);
                  }});
    EXPECT_EQ(found.get_future().get(), holds);
  }
}

}  // namespace
}  // namespace tipstaff::host
