// What answers come to, and what calls are sent as.
#include "mediator/upstream/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/call/limits.h"
#include "mediator/json/parse.h"
#include "mediator/upstream/call_request.h"
#include "mediator/upstream/operation.h"
#include "mediator/upstream/pinned_item.h"

namespace tipstaff::upstream {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PinnedItem Item(PinnedItem::Kind kind, const char* json) {
  absl::StatusOr<PinnedItem> item = MakeItem(kind, json);
  EXPECT_TRUE(item.ok()) << item.status();
  return *std::move(item);
}

const PinnedItem& Plain() {
  static const auto* item = new PinnedItem(
      Item(PinnedItem::Kind::kTool,
           R"({"name":"make it","inputSchema":{"type":"object","properties":{"key":{}}}})"));
  return *item;
}

const PinnedItem& Structured() {
  static const auto* item = new PinnedItem(Item(
      PinnedItem::Kind::kTool,
      R"({"name":"s","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"],)"
      R"("properties":{"n":{"type":"integer"}}}})"));
  return *item;
}

call::Outcome Came(const PinnedItem& item, std::string result,
                   call::Kind kind = call::Kind::kTool) {
  return OutcomeOf(item, kind, {.result = std::move(result)}, Secrets());
}

TEST(OutcomeOf, ResultsPassAsTheyCame) {
  const std::string result =
      R"({"content":[{"type":"text","text":"é"}],"_meta":{"x":9007199254740993},"z":[1.5,null]})";
  const call::Outcome outcome = Came(Plain(), result);
  EXPECT_EQ(outcome.kind, call::OutcomeKind::kOk);
  EXPECT_EQ(outcome.result, result);
  const call::Outcome error = Came(Plain(), R"({"content":[],"isError":true})");
  EXPECT_EQ(error.kind, call::OutcomeKind::kToolError) << "an unknown tool of a legacy server, too";
}

TEST(OutcomeOf, WhatIsNoResultIsNotKnown) {
  const struct {
    const PinnedItem& item;
    const char* result;
    const char* note;
  } kRows[] = {
      {Plain(), R"({"content":"x"})", "no `content`, a list"},
      {Structured(), R"({"content":[]})", "lacks the `structuredContent`"},
      {Structured(), R"({"content":[],"structuredContent":{"n":"1"}})", "output schema"},
      {Structured(), R"({"content":[],"structuredContent":[]})", "output schema"},
      {Plain(), R"({"content":[],"content":[]})", "not JSON as it is taken"},
  };
  for (const auto& row : kRows) {
    const call::Outcome outcome = Came(row.item, row.result);
    EXPECT_EQ(outcome.kind, call::OutcomeKind::kUnknown) << row.result;
    EXPECT_THAT(outcome.note, HasSubstr(row.note)) << row.result;
  }
  EXPECT_EQ(Came(Structured(), R"({"content":[],"structuredContent":{"n":1}})").kind,
            call::OutcomeKind::kOk);
  EXPECT_EQ(Came(Structured(), R"({"content":[],"isError":true})").kind,
            call::OutcomeKind::kToolError)
      << "an error need not have it";
}

TEST(OutcomeOf, AResultOfTenMegabytesSaysSo) {
  const call::Outcome outcome = Came(Plain(), absl::StrCat(R"({"content":[{"type":"text","text":")",
                                                           std::string(10 << 20, 'x'), R"("}]})"));
  EXPECT_EQ(outcome.kind, call::OutcomeKind::kToolError);
  EXPECT_THAT(outcome.result, HasSubstr("the call was made; its result has"));
  EXPECT_LT(outcome.result.size(), 1000u);
}

TEST(OutcomeOf, ErrorsHaveTheFormOfTheirKind) {
  Link::End end;
  end.error = mcp::Answered::Error{-32602, "no such \x1b thing", ""};
  const call::Outcome tool = OutcomeOf(Plain(), call::Kind::kTool, end, Secrets());
  EXPECT_EQ(tool.kind, call::OutcomeKind::kToolError);
  EXPECT_THAT(tool.result, HasSubstr(R"("isError":true)"));
  EXPECT_THAT(tool.result, Not(HasSubstr("\x1b")));
  const PinnedItem page = Item(PinnedItem::Kind::kResource, R"({"uri":"a://1","name":"p"})");
  const call::Outcome read = OutcomeOf(page, call::Kind::kResource, end, Secrets());
  EXPECT_THAT(read.result, HasSubstr(R"({"error":{"code":-32602,)"));
}

TEST(OutcomeOf, WithoutAnAnswerItMattersWhetherItWasSent) {
  Link::End end;
  end.no_answer = Link::End::NoAnswer{false, "its process exited with 1"};
  EXPECT_EQ(OutcomeOf(Plain(), call::Kind::kTool, end, Secrets()).kind, call::OutcomeKind::kFailed);
  end.no_answer->sent = true;
  const call::Outcome unknown = OutcomeOf(Plain(), call::Kind::kTool, end, Secrets());
  EXPECT_EQ(unknown.kind, call::OutcomeKind::kUnknown);
  EXPECT_EQ(unknown.note, "its process exited with 1");
}

TEST(OutcomeOf, AnAnswerWithTheCredentialIsKeptBack) {
  const Secrets secrets({"Bearer hunter2hunter2"});
  Link::End end;
  end.result = R"({"content":[{"type":"text","text":"you sent hunter2hunter2"}]})";
  const call::Outcome outcome = OutcomeOf(Plain(), call::Kind::kTool, end, secrets);
  EXPECT_EQ(outcome.kind, call::OutcomeKind::kUnknown);
  EXPECT_THAT(absl::StrCat(outcome.result, outcome.note), Not(HasSubstr("hunter2")));
  end.result = R"({"content":[{"type":"text","text":"\u0068unter2hunter2"}]})";
  EXPECT_EQ(OutcomeOf(Plain(), call::Kind::kTool, end, secrets).kind, call::OutcomeKind::kUnknown)
      << "escaped, as the agent's JSON parser would read it back";
  end = {};
  end.error = mcp::Answered::Error{1, "bad token hunter2hunter2", ""};
  EXPECT_THAT(OutcomeOf(Plain(), call::Kind::kTool, end, secrets).result,
              Not(HasSubstr("hunter2")));
}

backend::Request RequestWith(const char* arguments, call::Kind kind = call::Kind::kTool) {
  backend::Request request;
  request.number = 7;
  request.kind = kind;
  request.arguments = json::MustParse(arguments);
  request.canonical = arguments;
  return request;
}

TEST(CallRequestOf, SendsTheBytesThatWereChecked) {
  const mcp::ClientRequest call =
      CallRequestOf(Plain(), RequestWith(R"({"n":9007199254740993})"), "run_a");
  EXPECT_EQ(call.method, "tools/call");
  EXPECT_EQ(call.name, "make it");
  EXPECT_EQ(call.params, R"({"name":"make it","arguments":{"n":9007199254740993}})");
}

TEST(CallRequestOf, AddsTheKeyOfAWrite) {
  PinnedItem item = Plain();
  item.tool.idempotency_key = "key";
  EXPECT_EQ(CallRequestOf(item, RequestWith("{}"), "run_a").params,
            R"({"name":"make it","arguments":{"key":"run_a#7"}})");
  EXPECT_EQ(CallRequestOf(item, RequestWith(R"({"n":1})"), "run_a").params,
            R"({"name":"make it","arguments":{"key":"run_a#7","n":1}})");
}

TEST(CallRequestOf, KnowsEachKind) {
  const PinnedItem page =
      Item(PinnedItem::Kind::kTemplate, R"({"uriTemplate":"a://{x}","name":"p"})");
  const auto read =
      CallRequestOf(page, RequestWith(R"({"uri":"a://1"})", call::Kind::kResource), "r");
  EXPECT_EQ(read.method, "resources/read");
  EXPECT_EQ(read.name, "a://1");
  EXPECT_EQ(read.params, R"({"uri":"a://1"})");
  EXPECT_EQ(
      CallRequestOf(page, RequestWith(R"({"uri":"a://1"})", call::Kind::kSubscription), "r").method,
      "resources/subscribe");
  const PinnedItem guide =
      Item(PinnedItem::Kind::kPrompt, R"({"name":"guide","arguments":[{"name":"topic"}]})");
  EXPECT_EQ(CallRequestOf(guide, RequestWith(R"({"topic":"x"})", call::Kind::kPrompt), "r").params,
            R"({"name":"guide","arguments":{"topic":"x"}})");
  const auto complete =
      CallRequestOf(guide,
                    RequestWith(R"({"argument":"topic","context":{"a":"b"},"value":"t"})",
                                call::Kind::kCompletion),
                    "r");
  EXPECT_EQ(complete.method, "completion/complete");
  EXPECT_EQ(
      complete.params,
      R"({"ref":{"type":"ref/prompt","name":"guide"},"argument":{"name":"topic","value":"t"},)"
      R"("context":{"arguments":{"a":"b"}}})");
}

TEST(TookPlaceOf, BelievesAPlainAnswerOnly) {
  const struct {
    const char* result;
    run::TookPlace took_place;
  } kRows[] = {
      {R"({"content":[],"structuredContent":{"took_place":"done"}})", run::TookPlace::kDone},
      {R"({"content":[{"type":"text","text":"{\"took_place\":\"not_yet\"}"}]})",
       run::TookPlace::kNotYet},
      {R"({"content":[],"structuredContent":{"took_place":"yes"}})", run::TookPlace::kUnknown},
      {R"({"content":[],"isError":true,"structuredContent":{"took_place":"done"}})",
       run::TookPlace::kUnknown},
      {R"({"content":[{"type":"text","text":"done"}]})", run::TookPlace::kUnknown},
      {"[]", run::TookPlace::kUnknown},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(TookPlaceOf({.result = row.result}), row.took_place) << row.result;
  }
}

}  // namespace
}  // namespace tipstaff::upstream
