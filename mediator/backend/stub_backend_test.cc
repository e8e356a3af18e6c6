#include "mediator/backend/stub_backend.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"

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

std::shared_ptr<const engine::Stub> LoadReceiver() {
  source::Diagnostics diagnostics;
  auto stub = engine::Stub::Load({"receiver", {{"stub.yaml", R"(
stub: receiver
description: Takes results.
tables: {results: {key: key}}
tools:
  - name: submit
    effect: finalize
    idempotency_key: key
    input: {type: object, properties: {key: {type: string}}}
    insert: {into: results, row: {key: $args.key}}
  - name: list
    effect: read
    input: {type: object}
    select: {from: results}
)"}}},
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

}  // namespace
}  // namespace tipstaff::backend
