#include "stubs/engine/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(FailCodes, AreThoseThatScriptsCall) {
  const struct {
    const char* reason;
    const char* lua;
    std::vector<std::string> codes;
  } kCases[] = {
      {"both quotes, each once",
       R"(ctx.fail("b", "x") ctx.fail('a', "y") ctx.fail("b", "z"))",
       {"a", "b"}},
      {"blanks and lines between", "ctx.fail (\n  \"a\", s)", {"a"}},
      {"without brackets", R"(fail "a")", {"a"}},
      {"a comment", "-- ctx.fail(\"a\", s)\nctx.fail(\"b\", s)", {"b"}},
      {"a long comment", "--[==[ ctx.fail(\"a\") ]] ]==] ctx.fail(\"b\")", {"b"}},
      {"a text that has it", R"(log('ctx.fail("a", 1)') ctx.fail("b"))", {"b"}},
      {"a long text that has it", "log([[ ctx.fail(\"a\") ]])", {}},
      {"an escaped quote", R"(log("\"") ctx.fail("b"))", {"b"}},
      {"a code that is made up", R"(ctx.fail(code, "a"))", {}},
      {"another function", R"(failure("a"))", {}},
      {"no code", R"(ctx.fail("Not a code"))", {}},
      {"a text without an end", "ctx.fail(\"a", {"a"}},
      {"a comment without an end", "--[[ ctx.fail(\"a\")", {}},
      {"nothing", "", {}},
  };
  for (const auto& c : kCases) EXPECT_EQ(FailCodes(c.lua), c.codes) << c.reason;
}

constexpr char kYaml[] = R"(
stub: small
description: Things.
ids: {kept: "k_{seq}"}
tables: {things: {key: id}, kept: {key: id}}
tools:
  - name: get
    effect: read
    input: {type: object, properties: {id: {type: string}}, required: [id]}
    select: {from: things, where: {id: $args.id}, one: true, not_found: no such thing}
  - name: keep
    effect: write
    input: {type: object, properties: {id: {type: string}}}
    insert: {into: kept, row: {id: $id.kept}}
  - name: add
    effect: write
    input: {type: object, properties: {id: {type: string}}, required: [id]}
    insert: {into: things, row: {id: $args.id}}
  - {name: run, effect: write, input: {type: object}, lua: run.lua}
  - {name: again, effect: write, input: {type: object}, lua: run.lua}
faults:
  - {tool: keep, on_call: [2], error: too_busy}
  - {tool: get, on_call: [3], delay: 1s}
)";

std::vector<std::string> Left(const StubCoverage& coverage) {
  std::vector<std::string> left;
  for (const StubPart& part : coverage.parts()) {
    if (!part.reached) left.push_back(part.ToString());
  }
  return left;
}

TEST(StubCoverage, CountsToolsErrorsAndFaults) {
  const auto stub =
      LoadSmallStub({{"stub.yaml", kYaml},
                     {"run.lua", "return function(ctx) return ctx.fail('late', 'too late') end"}});
  ASSERT_NE(stub, nullptr);
  StubCoverage coverage(stub);
  EXPECT_THAT(Left(coverage),
              UnorderedElementsAre("tool `get`", "error `not_found` of `get`", "tool `keep`",
                                   "tool `add`", "error `already_exists` of `add`", "tool `run`",
                                   "error `late` of `run.lua`", "tool `again`",
                                   "the fault in line 22 (`too_busy` of `keep`)",
                                   "the fault in line 23 (`delay` of `get`)"));
  const auto state = MakeState(stub);
  uint64_t number = 0;
  const auto call = [&](const char* tool, const char* arguments) {
    coverage.Add(tool, state->Call(++number, tool, json::MustParse(arguments)));
  };
  call("nothing", "{}");
  call("get", "{}");  // arguments that the schema refuses reach nothing
  EXPECT_EQ(Left(coverage).size(), coverage.parts().size());
  call("get", R"({"id":"a"})");
  call("keep", "{}");
  call("add", R"({"id":"a"})");
  call("add", R"({"id":"a"})");
  call("run", "{}");
  EXPECT_THAT(Left(coverage),
              ElementsAre("tool `again`", "the fault in line 22 (`too_busy` of `keep`)",
                          "the fault in line 23 (`delay` of `get`)"));
  call("keep", "{}");
  call("get", R"({"id":"a"})");
  call("again", "{}");
  EXPECT_THAT(Left(coverage), IsEmpty());
}

TEST(StubCoverage, AFaultInPlaceOfTheToolDoesNotReachTheTool) {
  const auto stub = LoadSmallStub({{"stub.yaml", R"(
stub: small
description: Always busy.
tables: {things: {key: id}}
tools:
  - {name: list, effect: read, input: {type: object}, select: {from: things}}
faults:
  - {tool: list, error: too_busy}
)"}});
  StubCoverage coverage(stub);
  coverage.Add("list", MakeState(stub)->Call(1, "list", json::MustParse("{}")));
  EXPECT_THAT(Left(coverage), ElementsAre("tool `list`"));
}

}  // namespace
}  // namespace tipstaff::engine
