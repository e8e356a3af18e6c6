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

}  // namespace
}  // namespace tipstaff::backend
