// What an author is told when nothing fitted, and that agents are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kYaml[] = R"(
stub: small
description: Things.
tables: {things: {key: id}, kept: {key: id}}
fixtures: {things: fixtures/things.yaml}
tools:
  - name: get
    effect: read
    input: {type: object, properties: {id: {type: string}}, required: [id]}
    select: {from: things, where: {id: $args.id}, one: true, not_found: no such thing}
  - name: find
    effect: read
    input:
      type: object
      properties: {owner: {type: string}, rank: {type: integer}, state: {enum: [open, closed]}}
      additionalProperties: false
    select: {from: things, where: {owner: $args.owner, rank: {at_least: $args.rank}}}
  - name: change
    effect: write
    input:
      type: object
      properties: {id: {type: string}, to: {type: object, properties: {street: {type: string}}, required: [street], additionalProperties: false}}
      required: [id]
    update: {table: things, key: $args.id, set: {rank: 9}, not_found: no such thing}
  - name: drop
    effect: write
    input: {type: object, properties: {id: {type: string}}, required: [id]}
    delete: {table: kept, key: $args.id, not_found: no such thing}
  - {name: run, effect: write, input: {type: object}, lua: run.lua}
)";
constexpr char kThings[] = R"([{"id":"thing_0001","owner":"ann","rank":1},
  {"id":"thing_0002","owner":"bob","rank":5},{"id":"other","owner":"bob","rank":7}])";
constexpr char kScript[] = R"(
return function(ctx, args)
  if ctx.tables.things:get("thing_002") == nil then
    ctx.tables.things:find{owner = "ann", rank = 2}
    return ctx.fail("not_found", "no such thing")
  end
end)";

struct Row {
  const char* reason;
  const char* tool;
  const char* arguments;
  const char* note;
};

std::unique_ptr<State> ForAuthor(std::shared_ptr<const Stub> stub) {
  return State::Create(std::move(stub), {"s", "small", {}, /*for_author=*/true}).value();
}

class NearMiss : public ::testing::TestWithParam<Row> {};

TEST_P(NearMiss, IsInTheNoteAndNotInTheMessage) {
  const auto stub = LoadSmallStub(
      {{"stub.yaml", kYaml}, {"run.lua", kScript}, {"fixtures/things.yaml", kThings}});
  ASSERT_NE(stub, nullptr);
  const Reply reply =
      ForAuthor(stub)->Call(1, GetParam().tool, json::MustParse(GetParam().arguments));
  EXPECT_THAT(reply.note, HasSubstr(GetParam().note)) << GetParam().reason;
  EXPECT_THAT(reply.message, Not(HasSubstr(GetParam().note))) << GetParam().reason;
}

INSTANTIATE_TEST_SUITE_P(
    All, NearMiss,
    ::testing::Values(
        Row{"a key with one letter missing", "get", R"({"id":"thing_002"})",
            "in `things` the nearest row is `thing_0002`, which fails `id` equals \"thing_002\""},
        Row{"a key like no other", "get", R"({"id":"zzzzzzzz"})",
            "`things` has no row `zzzzzzzz`: it has `other`, `thing_0001` and `thing_0002`"},
        Row{"the key of an update", "change", R"({"id":"thing_0003"})",
            "`things` has no row `thing_0003`: did you mean `thing_0001`?"},
        Row{"an empty table", "drop", R"({"id":"x"})", "`kept` has no row `x`: the table is empty"},
        Row{"a list without a row", "find", R"({"owner":"bob","rank":8})",
            "the nearest row is `other`, which fails `rank` at_least 8 (it has 7)"},
        Row{"a script that looked for a key", "run", "{}",
            "`things` has no row `thing_002`: did you mean `thing_0002`?"},
        Row{"and for rows", "run", "{}", "which fails `rank` equals 2 (it has 1)"},
        Row{"an argument by another name", "find", R"({"ownr":"ann"})",
            "`find` has no argument `ownr`: did you mean `owner`?"},
        Row{"one that is like no other", "find", R"({"colour":"red"})",
            "not given are `owner`, `rank` and `state`"},
        Row{"a missing one, given by another name", "get", R"({"identifier":"a"})",
            "`get` takes `id`, and `identifier` was given"},
        Row{"a missing one", "get", "{}", "`get` needs `id` too"},
        Row{"one within another", "change", R"({"id":"a","to":{"stret":"x"}})",
            "`stret` was given"},
        Row{"a value that is not allowed", "find", R"({"state":"clsed"})",
            "`state` is one of \"open\", \"closed\": did you mean `closed`?"},
        Row{"a number in quotes", "find", R"({"rank":"3"})",
            "`rank` is a text that reads as integer: write it without quotes"}));

TEST(NearMissNote, IsEmptyWhereSomethingFitted) {
  const auto stub = LoadSmallStub(
      {{"stub.yaml", kYaml}, {"run.lua", kScript}, {"fixtures/things.yaml", kThings}});
  const auto state = ForAuthor(stub);
  EXPECT_EQ(state->Call(1, "find", json::MustParse(R"({"owner":"bob"})")).note, "");
  EXPECT_EQ(state->Call(2, "get", json::MustParse(R"({"id":"other"})")).note, "");
  const json::Document nobody = json::MustParse(R"({"owner":"nobody"})");
  EXPECT_NE(state->Call(3, "find", nobody).note, "");
  EXPECT_EQ(MakeState(stub)->Call(1, "find", nobody).note, "") << "in a run nobody reads it";
}

// Hostile calls can make tables large, and every failure looks for what came nearest.
TEST(NearMissNote, IsCutHoweverLongTheTexts) {
  const auto state = MakeState(LoadSmallStub(
      {{"stub.yaml", kYaml}, {"run.lua", kScript}, {"fixtures/things.yaml", kThings}}));
  const std::string text(100'000, 'x');
  const Reply reply = state->Call(1, "get", json::MustParse("{\"id\":\"" + text + "\"}"));
  EXPECT_EQ(reply.error, "not_found");
  EXPECT_LT(reply.note.size(), 1000u);
}

}  // namespace
}  // namespace tipstaff::engine
