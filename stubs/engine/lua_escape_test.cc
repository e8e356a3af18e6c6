// Scripts that try to get out, to go on for ever or to take all memory: each ends as a stub error
// within 100 ms and 32 MiB, says where, and leaves the tables as they were.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "mediator/json/write.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Case {
  const char* name;
  const char* body;
  const char* message;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kUnderSanitizer = true;  // whose own memory is larger
#else
constexpr bool kUnderSanitizer = false;
#endif

// The most memory that this process held since ForgetPeakOfMemory(), in bytes.
int64_t PeakOfMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stoll(line.substr(6)) * 1024;
  }
  ADD_FAILURE() << "no VmHWM in /proc/self/status";
  return 0;
}
void ForgetPeakOfMemory() { std::ofstream("/proc/self/clear_refs") << "5"; }

class Escape : public ::testing::TestWithParam<Case> {};

TEST_P(Escape, EndsAsAStubErrorAndChangesNothing) {
  const std::string script = std::string("return function(ctx, args)\n") +
                             "ctx.tables.kept:insert{id = ctx.id('thing')}\ndo " + GetParam().body +
                             "\nend\nreturn ctx.ok{}\nend";
  const std::unique_ptr<State> state = MakeState(ScriptStub(script));
  const std::string before = state->Table("kept")->root().size() == 0 ? "empty" : "not empty";
  ForgetPeakOfMemory();
  const int64_t memory = PeakOfMemory();
  const absl::Time start = absl::Now();
  const Reply reply = state->Call(1, "run", json::MustParse("{}"));
  // 100 ms in a release build on a quiet machine; sanitizers and neighbours are slow.
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
  if (!kUnderSanitizer) {
    EXPECT_LT(PeakOfMemory() - memory, 32 << 20);
  }
  EXPECT_EQ(reply.kind, call::OutcomeKind::kStubError);
  EXPECT_EQ(reply.error, "stub_error");
  EXPECT_THAT(reply.message, StartsWith("run.lua:"));
  // A slow program may be out of time before it is out of memory.
  const bool out_of_time = absl::EndsWith(reply.message, "the script ran for too long");
  if (!kUnderSanitizer || !out_of_time) {
    EXPECT_THAT(reply.message, HasSubstr(GetParam().message));
  }
  EXPECT_TRUE(reply.changes.empty());
  EXPECT_EQ(before, "empty");
  EXPECT_EQ(state->Table("kept")->root().size(), 0u);
}

constexpr Case kCases[] = {
    // What is not there.
    {"Os", "os.exit(1)", "nil value (global 'os')"},
    {"Io", "io.open('/etc/passwd')", "nil value (global 'io')"},
    {"Require", "require('os')", "nil value (global 'require')"},
    {"Load", "load('return 1')()", "nil value (global 'load')"},
    {"LoadFile", "loadfile('/etc/passwd')", "nil value (global 'loadfile')"},
    {"LoadString", "loadstring('x')", "nil value (global 'loadstring')"},
    {"DoFile", "dofile('x.lua')", "nil value (global 'dofile')"},
    {"Debug", "debug.getregistry()", "nil value (global 'debug')"},
    {"Package", "package.loadlib('x', 'y')", "nil value (global 'package')"},
    {"CollectGarbage", "collectgarbage('stop')", "nil value (global 'collectgarbage')"},
    {"SetMetatable", "setmetatable({}, {})", "nil value (global 'setmetatable')"},
    {"GetMetatable", "getmetatable('').__index = nil", "nil value (global 'getmetatable')"},
    {"RawSet", "rawset(string, 'len', nil)", "nil value (global 'rawset')"},
    {"GlobalTable", "_G.os = 1", "nil value (global '_G')"},
    {"Coroutine", "coroutine.wrap(function() end)()", "nil value (global 'coroutine')"},
    {"ProtectedCall", "pcall(error)", "nil value (global 'pcall')"},
    {"Print", "print('x')", "nil value (global 'print')"},
    {"Next", "next({})", "nil value (global 'next')"},
    {"Dump", "string.dump(function() end)", "nil value (field 'dump')"},
    {"Gsub", "('x'):gsub('x', 'y')", "nil value (method 'gsub')"},
    {"Match", "('x'):match('x')", "nil value (method 'match')"},
    {"Gmatch", "string.gmatch('x', 'x')", "nil value (field 'gmatch')"},
    {"Pack", "string.pack('i4', 1)", "nil value (field 'pack')"},
    {"MathRandom", "math.random()", "nil value (field 'random')"},
    {"TableMove", "table.move({}, 1, 1 << 60, 2)", "nil value (field 'move')"},
    // What would not end.
    {"EndlessLoop", "while true do end", "too many instructions"},
    {"EndlessGoto", "::again:: goto again", "too many instructions"},
    {"EndlessRecursion", "local function f() return 1 + f() end f()", "too much memory"},
    {"EndlessTailCall", "local function f() return f() end f()", "too many instructions"},
    {"EndlessSort",
     "local t = {} for i = 1, 1000 do t[i] = i end\n"
     "table.sort(t, function() while true do end end)",
     "too many instructions"},
    {"DeepSort", "local function f() table.sort({2, 1}, function() f() return true end) end f()",
     "stack overflow"},
    {"EmptyRepeat", "for i = 1, 1000 do (''):rep(1 << 62) end error('came back at once')",
     "came back at once"},
    {"LongCompare",
     "local a, b = ('x'):rep(1 << 21), ('x'):rep(1 << 20) .. ('x'):rep(1 << 20)\n"
     "while true do if a ~= b then break end end",
     "ran for too"},
    {"InsertAtTheFront",
     "local t = {} for i = 1, 100000 do t[i] = 0 end\n"
     "for i = 1, 100000 do table.insert(t, 1, i) end",
     "ran for too"},
    {"LongCompareOfOrder",
     "local a = ('x'):rep(1 << 22) local b = a .. 'y'\nwhile true do if b < a then break end end",
     "ran for too"},
    {"EndlessUtf8", "local s = ('é'):rep(1 << 20) while true do utf8.len(s) end", "ran for too"},
    {"EndlessUnpack", "while true do table.unpack({}, 1, 100000) end", "too many results"},
    {"EndlessBytes", "local s = ('x'):rep(100000) while true do s:byte(1, -1) end", "ran for too"},
    {"EndlessVarargs",
     "local function f(...) while true do select(-1, ...) end end\nf(table.unpack({}, 1, 50000))",
     "ran for too"},
    {"GrowingVarargs", "local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...) end f()",
     ""},
    {"EndlessReverse", "local s = ('x'):rep(1 << 20) while true do s = s:reverse() end",
     "too much memory"},
    {"QuadraticSplit",
     "local s, p = ('a'):rep(1 << 19), ('a'):rep(1 << 18) .. 'b'\n"
     "for i = 1, 100 do ctx.text.split(s, p) end",
     "ran for too"},
    {"QuadraticReplace",
     "local s, p = ('a'):rep(1 << 19), ('a'):rep(1 << 18) .. 'b'\n"
     "for i = 1, 100 do ctx.text.replace(s, p, '') end",
     "ran for too"},
    {"QuadraticContains",
     "local s, p = ('a'):rep(1 << 19), ('a'):rep(1 << 18) .. 'b'\n"
     "for i = 1, 100 do ctx.text.contains(s, p) end",
     "ran for too"},
    {"QuadraticFind",
     "local s, p = ('a'):rep(1 << 19), ('a'):rep(1 << 18) .. 'b'\nfor i = 1, 100 do s:find(p) end",
     "ran for too"},
    {"ManyPatterns", "for i = 1, 1000 do ctx.text.matches('x', '(a{100}){9}' .. i) end",
     "ran for too"},
    {"SlowPattern",
     "local s = ('ab'):rep(1 << 18) while true do ctx.text.matches(s, '(.*)(.*)(.*)(.*)(.*)c') end",
     "ran for too"},
    {"ManyIds", "while true do ctx.id('chance') end", "too many instructions"},
    {"ManyGets", "while true do ctx.tables.things:get('a') end", "too many instructions"},
    {"ManyFinds", "while true do ctx.tables.things:find{n = {at_least = 0}} end",
     "too many instructions"},
    {"ManyFixtures", "while true do ctx.fixture('things', 'a') end", "too many instructions"},
    {"ManyConcatsOfLists",
     "local t = {} for i = 1, 100000 do t[i] = 'x' end while true do table.concat(t) end", ""},
    // What would take all memory.
    {"HugeRepeat", "return ctx.ok{x = ('x'):rep(1 << 40)}", "too long"},
    {"HugeSeparator", "('x'):rep(1 << 20, ('y'):rep(1 << 20))", "too long"},
    {"HugeConcat", "local s = 'x' while true do s = s .. s end", "too much memory"},
    {"ManyConcats", "local s = ('x'):rep(1 << 20) while true do local t = s .. 'y' end",
     "too much memory"},
    {"HugeTable", "local t = {} for i = 1, 1 << 40 do t[i] = i end", "too much memory"},
    {"HugeUnpack", "table.unpack({}, 1, 1 << 30)", "too many results"},
    {"HugeReplace", "ctx.text.replace(('x'):rep(1 << 18), 'x', ('y'):rep(1 << 18))", "too long"},
    {"HugeFormat", "('%99999999d'):format(1)", "invalid conversion"},
    {"ManyRows", "for i = 1, 1 << 40 do ctx.tables.kept:insert{id = 'k' .. i} end",
     "too many instructions"},
    {"ManyLogLines", "while true do ctx.log('x') end", "too many instructions"},
    {"HugeRows",
     "local s = ('x'):rep(1 << 20) for i = 1, 50 do ctx.tables.kept:insert{id = 'k' .. i, s = s} "
     "end",
     "the rows that this call makes are larger than"},
    {"HugeUpdates",
     "local s = ('x'):rep(1 << 20) for i = 1, 50 do ctx.tables.things:update('a', {s = s}) end",
     "the rows that this call makes are larger than"},
    {"HugeQuote", "local s = ('\\0'):rep(1 << 21) local t = ('%q'):format(s)",
     "too many instructions"},
    {"HugeTexts",
     "local t = {} for i = 1, 1 << 20 do t[i] = ('xxxxxxxx'):rep(500, 'yyyyyyyy') .. i end",
     "too much memory"},
    {"HugeSplit", "ctx.text.split((','):rep(1 << 20), ',')", ""},
    {"HugeError", "error(('x'):rep(1 << 20))", "xxx"},
    {"HugePack", "table.pack(table.unpack({}, 1, 900000))", ""},
    // Finalizers, metatables and coroutines by other ways.
    {"Finalizer", "local t = {__gc = function() end} setmetatable(t, t)", "'setmetatable'"},
    {"MetatableOfText", "local m = ('').__index m.x = 1", ""},
    {"MetatableOfTable", "ctx.tables.things.__index = {}", ""},
    {"MetatableOfTables", "getmetatable(ctx.tables).__index = nil", "'getmetatable'"},
    {"CloseVariable", "local x <close> = {}", "variable 'x' got a non-closable value"},
    {"GlobalsOfAFunction", "local f = function() end f._ENV.os.exit()", ""},
    {"Environment", "_ENV = nil x = 1", ""},
    {"ErrorOfErrors", "error(error)", "not text"},
    {"ErrorWithItself", "local t = {} t.e = t error(t)", "not text"},
    {"ErrorOfTable", "error(ctx.tables.things)", "not text"},
    {"SharedTables", "ctx.tables.things = nil ctx.tables.things:get('a')", "no table `things`"},
    {"AssertWithTable", "assert(false, {})", "not text"},
    // What shows an address.
    {"FormatPointer", "('%p'):format({})", "no %p"},
    {"FormatPointerWidth", "('%-20p'):format('x')", "no %p"},
    {"FormatTable", "('%s'):format({})", "argument 1 is table"},
    // Errors that are not texts.
    {"ErrorTable", "error({code = 1})", "not text"},
    {"ErrorNil", "error(nil)", "not text"},
    {"ErrorNull", "error(ctx.null)", "not text"},
    {"ErrorWithoutPlace", "error('plain', 0)", "plain"},
    {"ErrorEscaped", "error('\\27[2Jx')", "\\x1b[2Jx"},
    // Results that are not JSON.
    {"ResultOfItself", "local t = {} t.t = t return ctx.ok(t)", "nested deeper"},
    {"ResultTooDeep", "local t = {} for i = 1, 100 do t = {t = t} end return ctx.ok(t)",
     "nested deeper"},
    {"ResultShared", "local t = {x = 1} for i = 1, 30 do t = {a = t, b = t} end return ctx.ok(t)",
     "too many"},
    {"ResultFunction", "return ctx.ok{f = function() end}", "result.f is function"},
    {"ResultTable", "return ctx.ok{f = ctx.tables.kept}", "result.f is userdata"},
    {"ResultAnswer", "return ctx.ok{f = ctx.ok{}}", "result.f is userdata"},
    {"ResultHoles", "return ctx.ok{l = {1, nil, 3}}", "result.l is a list with holes"},
    {"ResultMixed", "return ctx.ok{l = {1, x = 2}}", "other keys"},
    {"ResultFloatKey", "return ctx.ok{l = {[1.5] = 2}}", "neither text nor a position"},
    {"ResultBoolKey", "return ctx.ok{l = {[true] = 2}}", "neither text nor a position"},
    {"ResultNotUtf8", "return ctx.ok{s = '\\xff'}", "not UTF-8"},
    {"ResultNul", "return ctx.ok{['a\\0'] = 1}", "U+0000"},
    {"ResultInfinite", "return ctx.ok{n = 1 / 0}", "not finite"},
    {"ResultNotANumber", "return ctx.ok{n = 0 / 0}", "not finite"},
    {"ResultTooLong",
     "local s = ('x'):rep(1 << 20) local t = {} for i = 1, 9 do t[i] = s end return ctx.ok{l = t}",
     "too long"},
    {"ResultList", "return ctx.ok{1, 2}", "needs a table with text keys"},
    {"ResultText", "return ctx.ok('x')", "needs a table with text keys"},
    // Answers that are none.
    {"NoAnswer", "do return end", "returned nil"},
    {"PlainTable", "do return {id = 1} end", "returned table"},
    {"AnswerNotReturned", "ctx.fail('x', 'y') do return end", "was not returned"},
    {"TwoAnswers", "ctx.fail('x', 'y')", "called twice"},
    {"FailCode", "return ctx.fail('Not Found', 'y')", "the code must be"},
    {"FailWithoutSentence", "return ctx.fail('x')", "string expected"},
    // Tables.
    {"UnknownTable", "ctx.tables.outbx:get('a')", "no table `outbx`"},
    {"UnknownId", "ctx.id('thong')", "unknown id `thong`"},
    {"KeyTwice", "ctx.tables.things:insert{id = 'a'}", "there is a row `a`"},
    {"NoKey", "ctx.tables.things:insert{n = 1}", "key column `id`"},
    {"NumberAsKey", "ctx.tables.things:insert{id = 7}", "key column `id`"},
    {"RowList", "ctx.tables.things:insert{1, 2}", "a row must be an object"},
    {"UpdateNothing", "ctx.tables.things:update('z', {n = 1})", "no row `z`"},
    {"UpdateKey", "ctx.tables.things:update('a', {id = 'z'})", "cannot be changed"},
    {"DeleteNothing", "ctx.tables.things:delete('z')", "no row `z`"},
    {"UpdateCaptured", "ctx.tables.kept:update('thing_001', {n = 1})", "captures"},
    {"DeleteCaptured", "ctx.tables.kept:delete('thing_001')", "captures"},
    {"NumberAsKeyOfGet", "ctx.tables.things:get(1)", "key is text"},
    {"MethodWithoutTable", "ctx.tables.things.get('a', 'b')", "tipstaff.table expected"},
    {"UnknownComparison", "ctx.tables.things:find{n = {over = 1}}", "unknown comparison `over`"},
    {"InWithoutList", "ctx.tables.things:find{n = {['in'] = 1}}", "needs a list"},
    {"RandomOfNothing", "ctx.random(0)", "at least 1"},
    {"BadPattern", "ctx.text.matches('x', '(')", "matches:"},
    {"TextArithmetic", "local x = '1' + 1", "arithmetic on a string"},
    {"PairsOfTableKeys", "for k in pairs{[{}] = 1} do end", "pairs: a key is table"},
};

INSTANTIATE_TEST_SUITE_P(All, Escape, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Script, CannotBeReachedFromAnotherCall) {
  const std::unique_ptr<State> state = MakeState(ScriptStub(
      "local seen = 0\nreturn function(ctx, args)\n  seen = seen + 1\n  leak = (leak or 0) + 1\n"
      "  string.upper = nil\n  return ctx.ok{seen = seen, leak = leak}\nend"));
  for (int i = 1; i <= 3; ++i) {
    const Reply reply = state->Call(i, "run", json::MustParse("{}"));
    EXPECT_EQ(reply.value.root().IntegerOr("seen", 0), 1) << reply.message;
    EXPECT_EQ(reply.value.root().IntegerOr("leak", 0), 1);
  }
}

TEST(Script, CannotChangeWhatTheNextCallStartsWith) {
  const std::unique_ptr<State> state = MakeState(
      ScriptStub("local kept = {list = {1, 2}}\nreturn function(ctx, args)\n"
                 "  local found = {tool = ctx.tool, b = ctx.run.bindings.b, list = kept.list,\n"
                 "    null = args.n == ctx.null, len = ('abc'):len(), get = "
                 "ctx.tables.things:get('a').n,\n"
                 "    trim = ctx.text.trim(' x '), max = math.max(1, 2)}\n"
                 "  local answer = ctx.ok(found)\n"
                 "  kept.list[3] = 3 kept.more = kept ctx.tool = 'other' ctx.run.bindings.b = 9\n"
                 "  ctx.null = 1 string.len = nil ctx.tables.things = nil ctx.text.trim = nil\n"
                 "  math = nil ctx.ok = nil ctx.run = nil\n  return answer\nend"),
      "s", R"({"b":1})");
  for (int i = 1; i <= 3; ++i) {
    const Reply reply = state->Call(i, "run", json::MustParse(R"({"n":null})"));
    ASSERT_EQ(reply.kind, call::OutcomeKind::kOk) << reply.message;
    EXPECT_EQ(
        json::Canonical(reply.value.root()),
        R"({"b":1,"get":1,"len":3,"list":[1,2],"max":2,"null":true,"tool":"run","trim":"x"})");
  }
}

TEST(Script, StartsAfreshWhenItIsLargeToo) {
  const std::string large(200'000, 'x');
  const std::unique_ptr<State> state = MakeState(
      ScriptStub("local large = '" + large + "'\nlocal seen = 0\nreturn function(ctx, args)\n" +
                 "  seen = seen + 1\n  leak = (leak or 0) + 1\n" +
                 "  return ctx.ok{seen = seen, leak = leak, size = #large}\nend"));
  for (int i = 1; i <= 3; ++i) {
    const Reply reply = state->Call(i, "run", json::MustParse("{}"));
    EXPECT_EQ(json::Canonical(reply.value.root()), R"({"leak":1,"seen":1,"size":200000})")
        << reply.message;
  }
}

TEST(Script, ServesSeveralToolsEachWithItsOwnName) {
  constexpr char kYaml[] = R"(
stub: small
description: One script of two tools.
tools:
  - {name: one, effect: write, input: {type: object}, lua: run.lua}
  - {name: two, effect: write, input: {type: object}, lua: run.lua}
)";
  const std::unique_ptr<State> state = MakeState(
      LoadSmallStub({{"stub.yaml", kYaml},
                     {"run.lua", "return function(ctx) return ctx.ok{tool = ctx.tool} end"}}));
  int number = 0;
  for (const char* tool : {"one", "two", "one", "two", "two", "one"}) {
    const Reply reply = state->Call(++number, tool, json::MustParse("{}"));
    EXPECT_EQ(reply.value.root().StringOr("tool", ""), tool) << reply.message;
  }
}

TEST(Script, IsRefusedAtLoadWithItsLine) {
  const struct {
    const char* reason;
    const char* script;
    const char* text;
  } kScripts[] = {
      {"a syntax error", "return function(ctx)\n  local = 1\nend", "run.lua:2:"},
      {"no function", "return 1", "must return function"},
      {"nothing", "", "must return function"},
      {"an error while loading", "local x = nil\nx.y = 1", "run.lua:2:"},
      {"an endless loop while loading", "while true do end", "too many instructions"},
      {"bytecode", "\x1bLuaT", "attempt to load a binary chunk"},
      {"nested too deep", "return ((((((((((((((((((((((((((((((((((((((((", "unexpected symbol"},
  };
  for (const auto& c : kScripts) {
    std::string text;
    EXPECT_EQ(ScriptStub(c.script, &text), nullptr) << c.reason;
    EXPECT_THAT(text, HasSubstr("error[S014]")) << c.reason;
    EXPECT_THAT(text, HasSubstr(c.text)) << c.reason;
  }
}

}  // namespace
}  // namespace tipstaff::engine
