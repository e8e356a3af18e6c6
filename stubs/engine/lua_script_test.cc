// What scripts can do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

struct Case {
  const char* name;
  const char* body;
  const char* result;  // canonical
  const char* arguments = "{}";
};

class Script : public ::testing::TestWithParam<Case> {};

TEST_P(Script, Gives) {
  const Reply reply = RunBody(GetParam().body, GetParam().arguments);
  ASSERT_EQ(reply.kind, call::OutcomeKind::kOk) << reply.message;
  EXPECT_EQ(json::Canonical(reply.value.root()), GetParam().result);
}

constexpr Case kCases[] = {
    // Values go in and out exactly.
    {"Values", "return ctx.ok(args)",
     R"({"a":[],"b":{},"c":null,"d":[null,true,{"x":[]}],"e":0.5,"f":"é\u0000"})",
     R"({"a":[],"b":{},"c":null,"d":[null,true,{"x":[]}],"e":0.5,"f":"é\u0000"})"},
    {"Integers", "return ctx.ok{a = args.a, b = args.b, c = args.a + 1}",
     R"({"a":9007199254740993,"b":-9223372036854775808,"c":9007199254740994})",
     R"({"a":9007199254740993,"b":-9223372036854775808})"},
    {"WholeFloats", "return ctx.ok{a = 4 / 2, b = 2^53}", R"({"a":2,"b":9007199254740992})"},
    {"Null", "return ctx.ok{is = args.a == ctx.null, absent = args.b == nil, s = tostring(args.a)}",
     R"({"absent":true,"is":true,"s":"null"})", R"({"a":null})"},
    {"Lists", "return ctx.ok{a = ctx.array{}, b = {}, c = {1}, d = ctx.array()}",
     R"({"a":[],"b":{},"c":[1],"d":[]})"},
    {"ListThatShrinks", "table.remove(args.l) return ctx.ok(args)", R"({"l":[]})", R"({"l":[1]})"},
    {"ManyAnswersKeys", "local t = {} for i = 1, 9 do t['k' .. (10 - i)] = i end return ctx.ok(t)",
     R"({"k1":9,"k2":8,"k3":7,"k4":6,"k5":5,"k6":4,"k7":3,"k8":2,"k9":1})"},
    // The libraries are the same everywhere.
    {"PairsInOrder",
     "local s = '' for k, v in pairs{b = 1, a = 2, [3] = 3, [1] = 4, [2.5] = 5, z = 6} do "
     "s = s .. tostring(k) .. '=' .. v .. ' ' end return ctx.ok{s = s}",
     R"({"s":"1=4 2.5=5 3=3 a=2 b=1 z=6 "})"},
    {"PairsWhileRemoving",
     "local t = {a = 1, b = 2, c = 3} local s = '' for k in pairs(t) do s = s .. k t.b = nil end "
     "return ctx.ok{s = s}",
     R"({"s":"ac"})"},
    {"SortIsStable",
     "local t = {} for i = 1, 300 do t[i] = {k = i % 3, i = i} end\n"
     "table.sort(t, function(a, b) return a.k < b.k end)\n"
     "local good = true for i = 2, 300 do\n"
     "  if t[i - 1].k > t[i].k or (t[i - 1].k == t[i].k and t[i - 1].i > t[i].i) then good = false "
     "end end return ctx.ok{good = good, n = #t, first = t[1].i}",
     R"({"first":3,"good":true,"n":300})"},
    {"SortByValue",
     "local t = {'c', 'a', 'b'} table.sort(t) local u = {3, 1, 2.5, 2, 1} table.sort(u) "
     "return ctx.ok{t = t, u = u}",
     R"({"t":["a","b","c"],"u":[1,1,2,2.5,3]})"},
    {"SortNothing", "local t = ctx.array{} table.sort(t) return ctx.ok{t = t}", R"({"t":[]})"},
    {"InsertAndRemove",
     "local t = {1, 2} table.insert(t, 3) table.insert(t, 1, 0) local x = table.remove(t, 2) "
     "local y = table.remove({}) return ctx.ok{t = t, x = x, y = y == nil}",
     R"({"t":[0,2,3],"x":1,"y":true})"},
    {"Find",
     "local a, b = ('a.b.c'):find('.', 1) local c = ('a.b.c'):find('.', 3) local d = "
     "('abc'):find('.') local e = ('abc'):find('', 4) local f = ('abc'):find('', 5) "
     "local g = ('abcabc'):find('b', -3) return ctx.ok{l = {a, b, c, tostring(d), e, tostring(f), "
     "g}}",
     R"({"l":[2,2,4,"nil",4,"nil",5]})"},
    {"Format", "return ctx.ok{s = ('%05d|%s|%q|%5.1f|%%'):format(42, true, 'a\"', 2.25)}",
     R"({"s":"00042|true|\"a\\\"\"|  2.2|%"})"},
    {"ToString",
     "return ctx.ok{a = tostring({}), b = tostring(print), c = tostring(ctx.ok), "
     "d = tostring(1.5), e = tostring(10 // 1)}",
     R"({"a":"table","b":"nil","c":"function","d":"1.5","e":"10"})"},
    {"Utf8",
     "return ctx.ok{n = utf8.len('héllo'), c = utf8.char(233), o = utf8.offset('héllo', 3)}",
     R"({"c":"é","n":5,"o":4})"},
    {"Math",
     "return ctx.ok{a = math.maxinteger, b = math.floor(2.7), c = math.max(1, 3, 2), "
     "d = math.tointeger(3.0), e = math.type(1)}",
     R"({"a":9223372036854775807,"b":2,"c":3,"d":3,"e":"integer"})"},
    // ctx.
    {"Time", "return ctx.ok{now = ctx.now(), tool = ctx.tool}",
     R"({"now":"2026-05-01T09:00:00Z","tool":"run"})"},
    {"Ids", "return ctx.ok{a = ctx.id('thing'), b = ctx.id('thing')}",
     R"({"a":"thing_001","b":"thing_002"})"},
    {"Rows",
     "local t = ctx.tables.things return ctx.ok{get = t:get('b').n, none = t:get('z') == nil, "
     "rows = #t:rows(), found = t:find{tags = {contains = 'x'}}, many = #t:find{n = {at_least = 1, "
     "at_most = 1}}, any = t:find{id = {['in'] = {'b', 'z'}}}[1].id, all = #t:find{}}",
     R"({"all":2,"any":"b","found":[{"id":"a","n":1,"tags":["x","y"]}],"get":2,"many":1,)"
     R"("none":true,"rows":2})"},
    {"RowsAreCopies", "ctx.tables.things:get('a').n = 99 return ctx.ok(ctx.tables.things:get('a'))",
     R"({"id":"a","n":1,"tags":["x","y"]})"},
    {"Fixture",
     "ctx.tables.things:delete('a') return ctx.ok{a = ctx.fixture('things', 'a').n, "
     "b = ctx.fixture('things', 'z') == nil}",
     R"({"a":1,"b":true})"},
    {"Update", "return ctx.ok(ctx.tables.things:update('a', {n = ctx.null, more = {1}}))",
     R"({"id":"a","more":[1],"n":null,"tags":["x","y"]})"},
    {"Text",
     "local t = ctx.text return ctx.ok{a = t.trim('  x \\n'), b = t.starts_with('abc', 'ab'), "
     "c = t.ends_with('abc', 'ab'), d = t.contains('Hello', 'ELL'), e = t.split('a,b,,', ','), "
     "f = t.replace('a.b.c', '.', '-'), g = t.matches('rep_ab12', '^rep_[a-z0-9]+$'), "
     "h = t.matches('x\\n', '^x$')}",
     R"({"a":"x","b":true,"c":false,"d":true,"e":["a","b","",""],"f":"a-b-c","g":true,"h":false})"},
};

INSTANTIATE_TEST_SUITE_P(All, Script, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Script, AMissingBindingIsNullSoThatNoRowPassesForIt) {
  const char* body =
      "local mine = ctx.tables.things:find{id = ctx.run.bindings.owner}\n"
      "local names = 0 for _ in pairs(ctx.run.bindings) do names = names + 1 end\n"
      "return ctx.ok{mine = mine, names = names, null = ctx.run.bindings.owner == ctx.null}";
  EXPECT_EQ(json::Canonical(RunBody(body).value.root()), R"({"mine":[],"names":0,"null":true})");
}

TEST(ScriptLimits, AnIntegerOverInt64IsTheCallersMistake) {
  const Reply reply = RunBody("return ctx.ok(args)", R"({"n":[{"m":18446744073709551615}]})");
  EXPECT_EQ(reply.kind, call::OutcomeKind::kToolError);
  EXPECT_EQ(reply.error, "invalid_arguments");
}

TEST(ScriptLimits, HostileArgumentsAreJustData) {
  const std::string deep =
      std::string(R"({"a":)") + std::string(31, '[') + std::string(31, ']') + "}";
  EXPECT_EQ(RunBody("return ctx.ok(args)", deep.c_str()).kind, call::OutcomeKind::kOk);
  const Reply keys = RunBody("return ctx.ok(args)", R"({"__index":1,"__gc":{"__call":2},"1":3})");
  EXPECT_EQ(json::Canonical(keys.value.root()), R"({"1":3,"__gc":{"__call":2},"__index":1})");
}

TEST(ScriptLimits, AreEachCallsOwn) {
  const std::unique_ptr<State> state =
      MakeState(ScriptStub("return function(ctx, args)\nfor i = 1, 800000 do end\n"
                           "local part = ('x'):rep(1 << 16)\n"
                           "return ctx.ok{n = #part:rep(32) + #part:rep(33)}\nend"));
  for (int i = 1; i <= 12; ++i) {
    const Reply reply = state->Call(i, "run", json::MustParse("{}"));
    ASSERT_EQ(reply.kind, call::OutcomeKind::kOk) << "call " << i << ": " << reply.message;
  }
}

// A call that starts from an image has less left of the limits, as the one that made it had.
TEST(ScriptLimits, CountWhatTheScriptDoesBeforeItReturnsItsFunction) {
  const std::unique_ptr<State> state = MakeState(
      ScriptStub("local function work(steps, texts)\n  for i = 1, steps do end\n"
                 "  local part = ('x'):rep(1 << 16)\n  for i = 1, texts do part:rep(40) end\nend\n"
                 "work(1200000, 4)\nreturn function(ctx, args)\n"
                 "  work(args.steps, args.texts)\n  return ctx.ok{}\nend"));
  int number = 0;
  for (int round = 0; round < 3; ++round) {
    const Reply less = state->Call(++number, "run", json::MustParse(R"({"steps":1,"texts":1})"));
    EXPECT_EQ(less.kind, call::OutcomeKind::kOk) << less.message;
    const Reply steps =
        state->Call(++number, "run", json::MustParse(R"({"steps":1200000,"texts":1})"));
    EXPECT_THAT(steps.message, ::testing::HasSubstr("too many instructions"));
    const Reply texts = state->Call(++number, "run", json::MustParse(R"({"steps":1,"texts":9})"));
    EXPECT_THAT(texts.message, ::testing::HasSubstr("too much memory"));
  }
}

TEST(ScriptLimits, AFailedCallLeavesNothingToTheNext) {
  const std::unique_ptr<State> state = MakeState(ScriptStub(
      "local seen = {}\nreturn function(ctx, args)\n  seen[#seen + 1] = args\n"
      "  if args.how == 'error' then error('no') end\n"
      "  if args.how == 'memory' then local t = {} while true do t[#t + 1] = {t} end end\n"
      "  if args.how == 'stack' then local function f() return 1 + f() end f() end\n"
      "  if args.how == 'steps' then while true do end end\n"
      "  return ctx.ok{seen = #seen}\nend"));
  int number = 0;
  for (const char* how : {"error", "memory", "stack", "steps", "memory"}) {
    const Reply bad =
        state->Call(++number, "run", json::MustParse(std::string(R"({"how":")") + how + "\"}"));
    EXPECT_EQ(bad.kind, call::OutcomeKind::kStubError) << how;
    const Reply good = state->Call(++number, "run", json::MustParse("{}"));
    ASSERT_EQ(good.kind, call::OutcomeKind::kOk) << "after " << how << ": " << good.message;
    EXPECT_EQ(json::Canonical(good.value.root()), R"({"seen":1})") << "after " << how;
  }
}

TEST(Patterns, MatchTheSameWhenTheyAreKeptAndWhenNot) {
  // More than are kept, one that is too long to keep, and one that is none.
  const Reply reply = RunBody(
      "local good = true for round = 1, 3 do for i = 10, 29 do\n"
      "  good = good and ctx.text.matches('x' .. i, '^x' .. i .. '$')\n"
      "  good = good and not ctx.text.matches('x' .. i + 1, '^x' .. i .. '$')\n"
      "  good = good and ctx.text.matches(('a'):rep(400), '^' .. ('a'):rep(400) .. '$')\n"
      "end end return ctx.ok{good = good}");
  EXPECT_EQ(json::Canonical(reply.value.root()), R"({"good":true})") << reply.message;
  const std::unique_ptr<State> state = MakeState(ScriptStub(
      "return function(ctx, args) return ctx.ok{m = ctx.text.matches('x', args.p)} end"));
  for (int i = 1; i <= 3; ++i) {
    const Reply bad = state->Call(i, "run", json::MustParse(R"({"p":"("})"));
    EXPECT_EQ(bad.kind, call::OutcomeKind::kStubError);
    EXPECT_THAT(bad.message, ::testing::HasSubstr("matches:"));
  }
}

TEST(ScriptLimits, LogIsBoundedAndComesWithErrors) {
  const Reply reply = RunBody("for i = 1, 1000 do ctx.log(('x'):rep(5000)) end error('no')");
  EXPECT_EQ(reply.kind, call::OutcomeKind::kStubError);
  EXPECT_EQ(reply.log.size(), 100u);
  EXPECT_EQ(reply.log[0].size(), 1000u);
}

TEST(ScriptLimits, ALongSentenceIsCut) {
  const Reply reply = RunBody("return ctx.fail('long', ('é'):rep(5000))");
  EXPECT_EQ(reply.error, "long");
  EXPECT_EQ(reply.message.size(), 2000u);
}

}  // namespace
}  // namespace tipstaff::engine
