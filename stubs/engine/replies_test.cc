// Canned answers, and what calls come to that none of them answers.
#include "stubs/engine/replies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/write.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;

// Line 1 is the empty one.
constexpr char kYaml[] = R"(
stub: small
description: Recorded.
tools:
  - name: get
    effect: read
    input: {type: object, properties: {id: {type: string}, size: {type: integer, default: 5}}, required: [id]}
    output: {type: object, properties: {title: {type: string}}, required: [title]}
    replies: replies/get.json
  - name: submit
    effect: finalize
    idempotency_key: key
    input: {type: object, properties: {text: {type: string}, key: {type: string}}}
    replies:
      - {args: {text: done}, result: {accepted: true}}
  - name: say
    effect: write
    input: {type: object}
    replies: [{args: {}, result: plain text}]
unmatched: error
)";
constexpr char kGet[] = R"([
  {"args": {"id": "a"}, "error": "not_ready", "message": "not yet"},
  {"args": {"id": "b", "size": 5}, "result": {"title": "B"}},
  {"args": {"size": 5.0, "id": "a"}, "result": {"title": "A"}},
  {"args": {"id": "a", "size": 7}, "result": {"title": "A7"}}
])";

std::map<std::string, std::string> Files(
    const std::vector<std::pair<absl::string_view, absl::string_view>>& changes = {}) {
  return {{"stub.yaml", absl::StrReplaceAll(kYaml, changes)},
          {"replies/get.json", absl::StrReplaceAll(kGet, changes)}};
}

std::string Say(State& state, uint64_t number, const char* tool, const char* arguments) {
  const Reply reply = state.Call(number, tool, json::MustParse(arguments));
  return reply.kind == call::OutcomeKind::kOk ? json::Canonical(reply.value.root())
                                              : absl::StrCat(reply.error, ": ", reply.message);
}

TEST(Replies, AreGivenInOrderAndTheLastRepeats) {
  const std::unique_ptr<State> state = MakeState(LoadSmallStub(Files()));
  EXPECT_EQ(Say(*state, 1, "get", R"({"id":"a"})"), "not_ready: not yet");
  EXPECT_EQ(Say(*state, 2, "get", R"({"size":7,"id":"a"})"), R"({"title":"A7"})");
  EXPECT_EQ(Say(*state, 3, "get", R"({"size":5,"id":"a"})"), R"({"title":"A"})")
      << "the default is as good as the value";
  EXPECT_EQ(Say(*state, 4, "get", R"({"id":"a"})"), R"({"title":"A"})");
  EXPECT_EQ(Say(*state, 5, "get", R"({"id":"b"})"), R"({"title":"B"})");
  EXPECT_EQ(Say(*state, 6, "say", "{}"), R"("plain text")");
}

TEST(Replies, HowManyWereGivenIsState) {
  const std::shared_ptr<const Stub> stub = LoadSmallStub(Files());
  const std::unique_ptr<State> one = MakeState(stub), other = MakeState(stub);
  Say(*one, 1, "get", R"({"id":"a"})");
  Say(*other, 1, "get", R"({"id":"b"})");
  EXPECT_NE(one->Digest(), other->Digest());
  Say(*one, 2, "get", R"({"id":"b"})");
  Say(*other, 2, "get", R"({"id":"a"})");
  EXPECT_EQ(one->Digest(), other->Digest());
  EXPECT_EQ(Say(*one, 3, "get", R"({"id":"a"})"), Say(*other, 3, "get", R"({"id":"a"})"));
}

TEST(Replies, DoNotCompareTheSubmissionsKey) {
  const std::unique_ptr<State> state = MakeState(LoadSmallStub(Files()));
  EXPECT_EQ(Say(*state, 1, "submit", R"({"text":"done","key":"k1"})"), R"({"accepted":true})");
  EXPECT_EQ(state->Call(2, "submit", json::MustParse(R"({"text":"other"})")).kind,
            call::OutcomeKind::kRefused);
}

TEST(Replies, SayWhatCameNearest) {
  const std::unique_ptr<State> state = MakeState(LoadSmallStub(Files()));
  Reply reply = state->Call(1, "get", json::MustParse(R"({"id":"a","size":8})"));
  EXPECT_EQ(reply.kind, call::OutcomeKind::kToolError);
  EXPECT_EQ(reply.error, "unmatched");
  EXPECT_EQ(reply.message, "no reply is known for these arguments");
  EXPECT_EQ(reply.note,
            "the nearest reply is number 1, whose arguments differ at /size: expected 5, found 8");
  reply = state->Call(2, "say", json::MustParse(R"({"x":1})"));
  EXPECT_THAT(reply.note, HasSubstr("/x: expected nothing, found 1"));
}

TEST(Unmatched, IsWhatTheStubSays) {
  std::unique_ptr<State> state = MakeState(LoadSmallStub(
      Files({{"unmatched: error", "unmatched: {error: quota, message: none left}"}})));
  EXPECT_EQ(Say(*state, 1, "get", R"({"id":"z"})"), "quota: none left");
  state = MakeState(
      LoadSmallStub(Files({{"unmatched: error", "unmatched: {result: {title: any}}"},
                           {"effect: finalize\n    idempotency_key: key", "effect: write"}})));
  EXPECT_EQ(Say(*state, 1, "get", R"({"id":"z"})"), R"({"title":"any"})");
  EXPECT_EQ(Say(*state, 2, "gett", "{}"),
            "unknown_tool: there is no tool `gett`: did you mean `get`?");
}

TEST(Replies, AreCheckedWhenTheStubIsLoaded) {
  const struct {
    const char* reason;
    absl::string_view from, to;
    const char* code;
    const char* words;
    const char* place;
  } kMistakes[] = {
      {"no file", "replies/get.json", "replies/got.json", "S001",
       "did you mean `replies/get.json`?", "stub.yaml:9"},
      {"a result of another shape", R"({"title": "B"})", R"({"titel": "B"})", "S021",
       "the result does not pass `output` at `/title`", "replies/get.json:3:46"},
      {"neither", R"(, "result": {"title": "B"})", "", "S010", "neither `result` nor `error`",
       "replies/get.json:3:3"},
      {"both", R"("result": {"title": "B"})", R"("result": {"title": "B"}, "error": "x")", "S010",
       "both `result` and `error`", "replies/get.json:3:3"},
      {"a message of a result", R"("result": {"title": "B"})",
       R"("result": {"title": "B"}, "message": "x")", "S010", "`message` without `error`",
       "replies/get.json:3"},
      {"an unknown key", R"("args": {"id": "b")", R"("arg": {"id": "b")", "S002",
       "did you mean `args`?", "replies/get.json:3"},
      {"no arguments", R"("args": {"id": "b", "size": 5}, )", "", "S004", "`args`",
       "replies/get.json:3"},
      {"arguments that are none", R"({"id": "b", "size": 5})", "[1]", "S003", "`args` must be",
       "replies/get.json:3"},
      {"a bad code", "\"not_ready\"", "\"Not Ready\"", "S005", "bad error code",
       "replies/get.json:2"},
      {"an empty list", "[{args: {}, result: plain text}]", "[]", "S021", "without a reply",
       "stub.yaml:19"},
      {"content that is none", "result: plain text", "content: {content: [{text: x}]}", "S021",
       "no CallToolResult", "stub.yaml:19"},
      {"content and a result", "result: plain text", "result: x, content: {content: []}", "S010",
       "both `result` and `content`", "stub.yaml:19"},
      {"another kind", "[{args: {}, result: plain text}]", "{}", "S003", "must be a sequence",
       "stub.yaml:19"},
      {"a result beside", "    replies: replies/get.json",
       "    replies: replies/get.json\n    result: {x: 1}", "S010", "`result` says nothing beside",
       "stub.yaml:10"},
      {"unmatched of another kind", "unmatched: error", "unmatched: [error]", "S003",
       "`unmatched` must be a mapping", "stub.yaml:20"},
      {"unmatched without an answer", "unmatched: error", "unmatched: {}", "S010",
       "neither `result` nor `error`", "stub.yaml:20"},
      {"unmatched that accepts results", "unmatched: error", "unmatched: {result: {title: x}}",
       "S021", "a result of a run would be accepted", "stub.yaml:20"},
      {"unmatched of another shape", "unmatched: error", "unmatched: {result: {}}", "S021",
       "does not pass `output` at `/title`", "stub.yaml:20"},
  };
  for (const auto& c : kMistakes) {
    std::string text;
    EXPECT_EQ(LoadSmallStub(Files({{c.from, c.to}}), &text), nullptr) << c.reason;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("error[", c.code, "]"))) << c.reason;
    EXPECT_THAT(text, HasSubstr(c.words)) << c.reason;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("--> small/", c.place))) << c.reason;
  }
}

TEST(Replies, WarnOfWhatNoCallGets) {
  std::string text;
  EXPECT_NE(LoadSmallStub(Files({{R"({"id": "b", "size": 5})", R"({"id": 7})"}}), &text), nullptr);
  EXPECT_THAT(text, HasSubstr("warning[S021]: no call gets this reply, as `input` refuses"));
  EXPECT_NE(
      LoadSmallStub({{"stub.yaml",
                      "stub: small\ndescription: d\ntools:\n  - {name: x, effect: read, input: "
                      "{type: object}, lua: x.lua}\nunmatched: {error: none}\n"},
                     {"x.lua", "return function(ctx) return ctx.ok{} end"}},
                    &text),
      nullptr);
  EXPECT_THAT(text, HasSubstr("warning[S016]: nothing uses `unmatched`"));
}

}  // namespace
}  // namespace tipstaff::engine
