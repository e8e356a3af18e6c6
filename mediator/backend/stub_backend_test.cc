#include "mediator/backend/stub_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/base/utf8.h"
#include "mediator/json/parse.h"
#include "mediator/run/submission.h"

namespace tipstaff::backend {
namespace {

TEST(ToOutcome, GivesTheValueTwice) {
  engine::Reply reply;
  reply.kind = call::OutcomeKind::kOk;
  reply.value = json::MustParse(R"({"id":"a\"b"})");
  reply.changes = {{"t", "1", "delete", {}}};
  const call::Outcome outcome = ToOutcome(reply);
  const json::Document result = json::MustParse(outcome.result);
  EXPECT_EQ(result.root().Find("structuredContent").StringOr("id", ""), "a\"b");
  EXPECT_EQ(result.root().Find("content").At(0).StringOr("text", ""), R"({"id":"a\"b"})");
  EXPECT_FALSE(result.root().Find("isError").exists());
  EXPECT_EQ(outcome.changes, R"({"t":[{"key":"1","op":"delete"}]})");
}

TEST(ToOutcome, ArraysAreTextOnly) {
  engine::Reply reply;
  reply.kind = call::OutcomeKind::kOk;
  reply.value = json::MustParse("[1,2]");
  const json::Document result = json::MustParse(ToOutcome(reply).result);
  EXPECT_FALSE(result.root().Find("structuredContent").exists());
  EXPECT_EQ(result.root().Find("content").At(0).StringOr("text", ""), "[1,2]");
}

TEST(ToOutcome, ATruncatedResultHasNoStructuredContent) {
  engine::Reply reply;
  reply.kind = call::OutcomeKind::kOk;
  reply.value = json::MustParse(R"("{\"id\":")");
  const json::Document result = json::MustParse(ToOutcome(reply).result);
  EXPECT_FALSE(result.root().Find("structuredContent").exists());
  EXPECT_EQ(result.root().Find("content").At(0).StringOr("text", ""), "{\"id\":");
}

TEST(ToOutcome, ATimeOutIsUnknownAndTheStubsOwn) {
  engine::Reply reply;
  reply.kind = call::OutcomeKind::kUnknown;
  reply.error = "timed_out";
  reply.message = "the tool did not answer in time";
  reply.note = "fault of stub.yaml:12: time-out after the effect";
  reply.changes = {{"t", "1", "delete", {}}};
  const call::Outcome outcome = ToOutcome(reply);
  EXPECT_EQ(outcome.kind, call::OutcomeKind::kUnknown);
  EXPECT_TRUE(outcome.timed_out) << "so that it is made again after a restart";
  EXPECT_EQ(outcome.changes, R"({"t":[{"key":"1","op":"delete"}]})");
  EXPECT_EQ(outcome.note, "fault of stub.yaml:12: time-out after the effect");
  const json::Document result = json::MustParse(outcome.result);
  EXPECT_TRUE(result.root().BoolOr("isError", false));
  EXPECT_EQ(result.root().Find("content").At(0).StringOr("text", ""),
            "timed_out: the tool did not answer in time");
}

TEST(ToOutcome, ErrorsAreMarkedAndAScriptsMessageStaysInside) {
  engine::Reply reply;
  reply.kind = call::OutcomeKind::kToolError;
  reply.error = "not_found";
  reply.message = "no such report";
  json::Document result = json::MustParse(ToOutcome(reply).result);
  EXPECT_TRUE(result.root().BoolOr("isError", false));
  EXPECT_EQ(result.root().Find("content").At(0).StringOr("text", ""), "not_found: no such report");

  reply.kind = call::OutcomeKind::kStubError;
  reply.message = "send.lua:3: secret path";
  reply.log = {"seen"};
  EXPECT_EQ(ToOutcome(reply).note, "send.lua:3: secret path\nseen");
  result = json::MustParse(ToOutcome(reply).result);
  EXPECT_EQ(result.root().Find("content").At(0).StringOr("text", ""), "the tool failed");
}

// A note that cannot be read back would make the run unreadable.
TEST(ToOutcome, WhatAScriptLogsIsCutBetweenCharacters) {
  for (const char* before : {"", "x"}) {
    engine::Reply reply;
    reply.kind = call::OutcomeKind::kOk;
    reply.value = json::MustParse("{}");
    for (int line = 0; line < 5; ++line) {
      reply.log.push_back(before);
      for (int i = 0; i < 500; ++i) reply.log.back() += "é";
    }
    const std::string note = ToOutcome(reply).note;
    EXPECT_TRUE(base::IsUtf8(note));
    EXPECT_GT(note.size(), 4000u);
  }
}

// `more` stands among the keys of its finalizing tool.
std::shared_ptr<const engine::Stub> LoadReceiver(const std::string& more = "") {
  source::Diagnostics diagnostics;
  auto stub = engine::Stub::Load({"receiver",
                                  {{"stub.yaml", absl::StrCat(R"(
stub: receiver
description: Takes results.
tables: {results: {key: key}}
tools:
  - name: submit
    effect: finalize
    idempotency_key: key
)",
                                                              more, R"(
    input: {type: object, properties: {key: {type: string}}}
    insert: {into: results, row: {key: $args.key}}
  - name: list
    effect: read
    input: {type: object}
    select: {from: results}
)")}}},
                                 diagnostics);
  EXPECT_NE(stub, nullptr) << source::RenderText(diagnostics);
  return stub;
}

TEST(StubBackend, SaysWhichArgumentTakesTheKey) {
  const std::shared_ptr<const engine::Stub> stub = LoadReceiver();
  ASSERT_NE(stub, nullptr);
  StubBackend backend(stub, *engine::State::Create(stub, {.seed = "s", .backend = "r"}));
  EXPECT_EQ(backend.KeyArgument("submit"), "key");
  EXPECT_EQ(backend.KeyArgument("list"), "");
  EXPECT_EQ(backend.KeyArgument("none"), "");
}

// Only queryable backends know.
TEST(StubBackend, DoesNotKnowOfAnOperation) {
  const std::shared_ptr<const engine::Stub> stub = LoadReceiver();
  ASSERT_NE(stub, nullptr);
  StubBackend backend(stub, *engine::State::Create(stub, {.seed = "s", .backend = "r"}));
  std::optional<run::TookPlace> answer;
  backend.Query(1, [&answer](run::TookPlace took_place) { answer = took_place; });
  EXPECT_EQ(answer, run::TookPlace::kUnknown);
}

// A stub that receives results for an audience, and what it is asked.
class ReceivingStub : public ::testing::Test {
 protected:
  static constexpr char kRun[] = "run_aaaaaaaaaaaa";
  std::unique_ptr<StubBackend> Make(std::optional<TokenCheck> check) {
    const auto stub = LoadReceiver("    audience: results.example");
    auto state = engine::State::Create(stub, {.seed = "s", .backend = "r"});
    return std::make_unique<StubBackend>(stub, *std::move(state), std::move(check));
  }
  TokenCheck Check() { return {*keys_, clock_, kRun, "{}", ""}; }
  std::string Minted(const std::string& key) {
    const absl::Time now = clock_.Now();
    return *keys_->MintSubmission(
        {"results.example", kRun, "{}", "", key, now, now + absl::Minutes(5), "t"});
  }
  static Request Submission(uint64_t number, const std::string& key, const std::string& token) {
    return {.number = number,
            .tool = "submit",
            .arguments = run::WithKey(json::MustParse("{}"), "key", key),
            .effect = call::Effect::kFinalize,
            .submission_key = key,
            .token = token};
  }
  static call::Outcome Call(StubBackend& backend, const Request& request) {
    call::Outcome got;
    backend.Call(request, [&got](call::Outcome outcome) { got = std::move(outcome); });
    return got;
  }

  base::TempFolder folder_;
  const std::unique_ptr<keys::KeyRing> keys_ =
      keys::KeyRing::OpenOrCreate(folder_.Path("keys")).value();
  const base::FakeClock clock_{absl::FromUnixSeconds(1'777'000'000)};
};

TEST_F(ReceivingStub, TakesAResultWithItsToken) {
  const auto backend = Make(Check());
  EXPECT_EQ(backend->Audience("submit"), "results.example");
  EXPECT_EQ(backend->Audience("list"), "");
  EXPECT_EQ(backend->Audience("none"), "");
  EXPECT_EQ(Call(*backend, Submission(1, "k1", Minted("k1"))).kind, call::OutcomeKind::kOk);
  EXPECT_EQ(Call(*backend, {.number = 2, .tool = "list", .arguments = json::MustParse("{}")}).kind,
            call::OutcomeKind::kOk)
      << "no other tool needs one";
}

TEST_F(ReceivingStub, RefusesAResultWithAnotherOrNone) {
  const auto backend = Make(Check());
  const std::string before = backend->state().Digest();
  for (const std::string& token : {std::string(), Minted("another")}) {
    const call::Outcome outcome = Call(*backend, Submission(1, "k1", token));
    EXPECT_EQ(outcome.kind, call::OutcomeKind::kRefused);
    EXPECT_TRUE(outcome.turned_away);
    EXPECT_THAT(outcome.note, ::testing::StartsWith("submission token refused: "));
    EXPECT_THAT(outcome.result, ::testing::HasSubstr("invalid_token: "));
    EXPECT_EQ(outcome.changes, "");
  }
  EXPECT_EQ(backend->state().Digest(), before) << "not even its clock has moved";
}

TEST_F(ReceivingStub, TakesNothingWhereNothingCanCheck) {
  const auto backend = Make(std::nullopt);
  const call::Outcome outcome = Call(*backend, Submission(1, "k1", Minted("k1")));
  EXPECT_EQ(outcome.kind, call::OutcomeKind::kRefused);
  EXPECT_TRUE(outcome.turned_away);
}

TEST_F(ReceivingStub, IsMadeAgainWithoutAToken) {
  const auto before = Make(Check());
  const call::Outcome first = Call(*before, Submission(1, "k1", Minted("k1")));
  const auto after = Make(std::nullopt);
  const call::Outcome again = after->MakeAgain(Submission(1, "k1", ""), call::OutcomeKind::kOk);
  EXPECT_EQ(again.kind, call::OutcomeKind::kOk);
  EXPECT_EQ(again.result, first.result);
  EXPECT_EQ(again.changes, first.changes);
  EXPECT_EQ(after->state().Digest(), before->state().Digest());
}

}  // namespace
}  // namespace tipstaff::backend
