// A result, and the token that the mediator sends with it: to the receiver and to nobody else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/backend/stub_backend.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/host/live_run.h"
#include "mediator/host/tokens.h"
#include "mediator/json/parse.h"
#include "mediator/run/testing/playbook.h"

namespace tipstaff::host {
namespace {

using call::OutcomeKind;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kRun[] = "run_abcdefghijkl";
constexpr char kAudience[] = "results.example";
constexpr char kText[] = R"({"id":"r1","text":"a"})";
const absl::Time kTime = absl::FromUnixSeconds(1'777'000'000);

// What the stub's writes answer shows how many calls it has counted.
constexpr char kStub[] = R"(
stub: inside
description: Takes a result.
ids: {row: "row_{seq:04}"}
tables: {rows: {key: id, capture: true}}
tools:
  - name: write_it
    effect: write
    input: {type: object, properties: {id: {type: string}, text: {type: string}}}
    insert: {into: rows, row: {id: $id.row, at: $now}}
  - name: finalize_it
    effect: finalize
    audience: results.example
    input: {type: object, properties: {id: {type: string}, text: {type: string}}}
    insert: {into: rows, row: {id: $id.row, at: $now}}
)";

std::unique_ptr<backend::Backend> StubWith(std::optional<backend::TokenCheck> check) {
  source::Diagnostics diagnostics;
  const auto stub = engine::Stub::Load({"inside", {{"stub.yaml", kStub}}}, diagnostics);
  EXPECT_NE(stub, nullptr) << source::RenderText(diagnostics);
  auto state = engine::State::Create(stub, {.seed = "s", .backend = "in"});
  return std::make_unique<backend::StubBackend>(stub, *std::move(state), std::move(check));
}

// A receiver outside, which keeps what it was sent.
class KeepingBackend final : public backend::Backend {
 public:
  explicit KeepingBackend(std::vector<backend::Request>& sent) : sent_(sent) {}
  run::StopKind stop_kind() const override { return run::StopKind::kNone; }
  std::string Audience(absl::string_view tool) const override {
    return tool == "finalize_it" ? kAudience : "";
  }
  void Call(const backend::Request& request, Done done) override {
    sent_.push_back(request);
    call::Outcome outcome;
    outcome.kind = OutcomeKind::kOk;
    outcome.result = R"({"content":[]})";
    std::move(done)(std::move(outcome));
  }
  void Cancel(uint64_t) override {}
  void Stop(uint64_t, Stopped stopped) override { std::move(stopped)(); }

 private:
  std::vector<backend::Request>& sent_;
};

// A receiver that refuses results, and tells whoever asks the token that came with the last one.
class TellingBackend final : public backend::Backend {
 public:
  explicit TellingBackend(OutcomeKind says) : says_(says) {}
  run::StopKind stop_kind() const override { return run::StopKind::kNone; }
  std::string Audience(absl::string_view tool) const override {
    return tool == "finalize_it" ? kAudience : "";
  }
  void Call(const backend::Request& request, Done done) override {
    const bool submits = request.effect == call::Effect::kFinalize;
    if (submits) token_ = request.token;
    call::Outcome outcome;
    outcome.kind = submits ? OutcomeKind::kRefused : says_;
    outcome.result =
        submits ? call::ErrorResult("refused")
                : absl::StrCat(R"({"content":[{"type":"text","text":"it was )", token_, R"(."}]})");
    std::move(done)(std::move(outcome));
  }
  void Cancel(uint64_t) override {}
  void Stop(uint64_t, Stopped stopped) override { std::move(stopped)(); }
  const std::string& token() const { return token_; }

 private:
  const OutcomeKind says_;
  std::string token_;
};

// Keys that sign nothing.
class NoKeys final : public keys::KeyRing {
 public:
  absl::StatusOr<std::string> Mint(const keys::RunClaims&) const override { return Refusal(); }
  absl::StatusOr<keys::RunClaims> Verify(absl::string_view, absl::string_view,
                                         absl::Time) const override {
    return Refusal();
  }
  absl::StatusOr<std::string> MintSubmission(const keys::SubmissionClaims&) const override {
    return Refusal();
  }
  absl::StatusOr<keys::SubmissionClaims> VerifySubmission(absl::string_view, absl::string_view,
                                                          absl::Time) const override {
    return Refusal();
  }
  std::string SignNote(absl::string_view) const override { return ""; }
  std::string SignEnvelope(absl::string_view, absl::string_view) const override { return ""; }
  std::string Jwks() const override { return R"({"keys":[]})"; }
  const std::string& current() const override { return current_; }

 private:
  static absl::Status Refusal() { return absl::InvalidArgumentError("these keys sign nothing"); }
  const std::string current_;
};

struct Heard final : Waiter {
  void OnProgress(double, double, const std::string&) override {}
  void OnAnswer(const Answer& answer) override { got = answer; }
  std::optional<Answer> got;
};

class SubmissionTokenTest : public ::testing::Test {
 protected:
  SubmissionTokenTest() {
    opened_.bindings = json::MustParse(R"({"id":"r1","tenant":"acme"})");
    opened_.opened_at = kTime;
    opened_.expires_at = kTime + absl::Hours(1);
    ledger_ = *ledger::Ledger::Open(folder_.Path("ledger.db"), {});
    outbox_.emplace(loop_, *ledger_);
    reader_ = *ledger::Reader::Open(folder_.Path("ledger.db"));
    ledger_->Open(kRun, {}, {run::EncodeOpened(opened_)}, [](const auto&) {});
    ledger_->Flush();
  }
  ~SubmissionTokenTest() override {
    live_.reset();
    outbox_.reset();
    ledger_.reset();  // before the loop and the inbox, which its callbacks reach
  }

  std::unique_ptr<keys::KeyRing> Keys(const std::string& name) {
    return keys::KeyRing::OpenOrCreate(folder_.Path(name)).value();
  }
  backend::TokenCheck CheckWith(const keys::KeyRing& keys) {
    const keys::RunClaims claims = RunTokenClaims(opened_, "tipstaff:test");
    return {keys, clock_, claims.run, claims.scope, claims.tenant};
  }

  // The run, with this backend as the one that receives results; whatever is on record is restored.
  absl::Status Begin(const keys::KeyRing& keys, std::unique_ptr<backend::Backend> receiver,
                     bool outside = false) {
    live_.reset();
    Backends backends;
    backends[outside ? "out" : "in"] = std::move(receiver);
    live_ = std::make_shared<LiveRun>(
        Surroundings{loop_, inbox_, clock_, *ledger_, *outbox_, *reader_, keys, searches_}, opened_,
        run::PlayGrant(outside), std::move(backends), "", std::string(32, 'k'));
    ledger_->Reset(kRun);
    std::vector<ledger::StoredRecord> records = Records();
    records.erase(records.begin());
    if (const absl::Status restored = live_->Restore(records); !restored.ok()) return restored;
    live_->Start([](const absl::Status&) {});
    Rest();
    return absl::OkStatus();
  }

  Answer Call(const std::string& id, const std::string& tool) {
    auto heard = std::make_shared<Heard>();
    live_->Call({id, tool, kText}, heard);
    Rest();
    return heard->got.value_or(Answer{.result = "no answer"});
  }
  void Rest() {
    for (int idle = 0; idle < 2;) {
      ledger_->Flush();
      loop_.restart();
      idle = loop_.poll() == 0 ? idle + 1 : 0;
    }
  }
  std::vector<ledger::StoredRecord> Records() {
    return *reader_->Records(kRun, 1, 1000, ledger::Reader::Payload::kFetch);
  }
  std::optional<run::Settled> LastOutcome() {
    std::optional<run::Settled> last;
    for (const ledger::StoredRecord& stored : Records()) {
      if (stored.record.kind == call::RecordKind::kOutcome)
        last = *run::DecodeSettled(stored.record);
    }
    return last;
  }
  void ExpectOnNoRecord(const std::string& token) {
    const std::vector<std::string> parts = absl::StrSplit(token, '.');
    ASSERT_EQ(parts.size(), 3u);
    for (const ledger::StoredRecord& stored : Records()) {
      for (const std::string& part : parts) {
        EXPECT_THAT(stored.record.body, Not(HasSubstr(part)));
        EXPECT_THAT(stored.record.payload, Not(HasSubstr(part)));
      }
    }
  }

  base::TempFolder folder_;
  const std::unique_ptr<keys::KeyRing> keys_ = Keys("keys");
  const base::FakeClock wall_{kTime};
  base::AdvancingClock clock_{wall_};
  run::Opened opened_{.run = kRun, .channel = "unix:t", .seed = "s", .opened_by = "uid:0"};
  boost::asio::io_context loop_{1};
  std::unique_ptr<ledger::Ledger> ledger_;
  std::unique_ptr<ledger::Reader> reader_;
  Inbox inbox_{loop_};
  std::optional<Outbox> outbox_;
  CanarySearches searches_;
  std::shared_ptr<LiveRun> live_;
};

TEST_F(SubmissionTokenTest, GoesToTheReceiverAlone) {
  std::vector<backend::Request> sent;
  ASSERT_TRUE(Begin(*keys_, std::make_unique<KeepingBackend>(sent), true).ok());
  EXPECT_EQ(Call("c1", "out.write_it").reason, call::Reason::kPermitted);
  const Answer answer = Call("c2", "out.finalize_it");
  EXPECT_EQ(answer.reason, call::Reason::kPermitted);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].token, "") << "a write has none";
  const std::string& token = sent[1].token;
  const auto claims = keys_->VerifySubmission(token, kAudience, kTime);
  ASSERT_TRUE(claims.ok()) << claims.status();
  const keys::RunClaims of_run = RunTokenClaims(opened_, "tipstaff:test");
  EXPECT_EQ(claims->run, kRun);
  EXPECT_EQ(claims->scope, of_run.scope);
  EXPECT_EQ(claims->scope, R"({"id":"r1","tenant":"acme"})");
  EXPECT_EQ(claims->tenant, "acme");
  EXPECT_EQ(claims->key, sent[1].submission_key);
  EXPECT_EQ(claims->issued, kTime);
  EXPECT_EQ(claims->expires, kTime + absl::Minutes(5));
  EXPECT_EQ(sent[1].canonical, kText) << "it is beside the arguments, not in them";
  EXPECT_THAT(answer.result, Not(HasSubstr(token)));
  ExpectOnNoRecord(token);
}

class TellingTest : public SubmissionTokenTest,
                    public ::testing::WithParamInterface<OutcomeKind> {};

TEST_P(TellingTest, DoesNotComeBackWithALaterAnswer) {
  auto backend = std::make_unique<TellingBackend>(GetParam());
  const TellingBackend& telling = *backend;
  ASSERT_TRUE(Begin(*keys_, std::move(backend), true).ok());
  Call("c1", "out.finalize_it");
  EXPECT_EQ(live_->state().result(), run::Result::kNone) << "it was refused";
  const Answer answer = Call("c2", "out.write_it");
  EXPECT_EQ(LastOutcome()->outcome.kind, OutcomeKind::kUnknown);
  EXPECT_EQ(LastOutcome()->outcome.note, "it answered with a submission token");
  EXPECT_THAT(answer.result, Not(HasSubstr(telling.token())));
  ExpectOnNoRecord(telling.token());
}
INSTANTIATE_TEST_SUITE_P(All, TellingTest,
                         ::testing::Values(OutcomeKind::kOk, OutcomeKind::kToolError));

TEST_F(SubmissionTokenTest, AStubTakesIt) {
  ASSERT_TRUE(Begin(*keys_, StubWith(CheckWith(*keys_))).ok());
  EXPECT_EQ(Call("c1", "in.finalize_it").reason, call::Reason::kPermitted);
  EXPECT_EQ(LastOutcome()->outcome.kind, OutcomeKind::kOk) << LastOutcome()->outcome.note;
  EXPECT_EQ(live_->state().result(), run::Result::kAccepted);
}

TEST_F(SubmissionTokenTest, AStubThatTurnsItAwayIsMadeAgainWithoutThatCall) {
  const auto others = Keys("others");
  ASSERT_TRUE(Begin(*keys_, StubWith(CheckWith(*others))).ok());
  Call("c1", "in.write_it");
  const Answer refused = Call("c2", "in.finalize_it");
  EXPECT_THAT(refused.result, HasSubstr("invalid_token: "));
  ASSERT_TRUE(LastOutcome());
  EXPECT_EQ(LastOutcome()->outcome.kind, OutcomeKind::kRefused);
  EXPECT_EQ(LastOutcome()->outcome.note,
            "submission token refused: its key is not one of the mediator's");
  EXPECT_EQ(live_->state().result(), run::Result::kNone) << "a definite refusal";
  EXPECT_EQ(Call("c3", "in.write_it").reason, call::Reason::kPermitted);
  const absl::Status again = Begin(*keys_, StubWith(CheckWith(*others)));
  EXPECT_TRUE(again.ok()) << again;
}

TEST_F(SubmissionTokenTest, WhatAStubTookIsMadeAgainWithoutKeys) {
  ASSERT_TRUE(Begin(*keys_, StubWith(CheckWith(*keys_))).ok());
  Call("c1", "in.write_it");
  Call("c2", "in.finalize_it");
  const NoKeys none;
  const absl::Status again = Begin(none, StubWith(std::nullopt));
  EXPECT_TRUE(again.ok()) << again;
  EXPECT_EQ(live_->state().result(), run::Result::kAccepted);
  live_.reset();
}

TEST_F(SubmissionTokenTest, NothingIsSentWithoutOne) {
  std::vector<backend::Request> sent;
  const NoKeys none;
  ASSERT_TRUE(Begin(none, std::make_unique<KeepingBackend>(sent), true).ok());
  const Answer answer = Call("c1", "out.finalize_it");
  EXPECT_THAT(answer.result, HasSubstr("no token could be made"));
  EXPECT_TRUE(sent.empty());
  EXPECT_EQ(LastOutcome()->outcome.kind, OutcomeKind::kFailed);
  EXPECT_EQ(LastOutcome()->outcome.note, "these keys sign nothing");
  EXPECT_EQ(live_->state().result(), run::Result::kNone) << "the guest may try again";
  live_.reset();
}

// Whatever the bindings are, a run that could be opened can submit.
TEST(Tokens, AreSmallEnoughWithLongBindings) {
  base::TempFolder folder;
  const auto keys = keys::KeyRing::OpenOrCreate(folder.Path("keys")).value();
  for (const size_t size : {100u, 256u, 257u, 900u, 5000u}) {
    run::Opened opened{.run = kRun, .opened_at = kTime, .expires_at = kTime + absl::Hours(1)};
    opened.bindings =
        json::MustParse(absl::StrCat(R"({"id":"r1","tenant":")", std::string(size, 't'), "\"}"));
    EXPECT_TRUE(keys->Mint(RunTokenClaims(opened, "tipstaff:test")).ok()) << size;
    const auto token = keys->MintSubmission(
        SubmissionTokenClaims(opened, std::string(255, 'a'), std::string(64, 'f'), kTime));
    EXPECT_TRUE(token.ok()) << size << token.status();
  }
}

}  // namespace
}  // namespace tipstaff::host
