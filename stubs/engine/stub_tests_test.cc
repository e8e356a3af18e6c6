// The runner of stub tests: it fails when it should, and says what differs.
#include "stubs/engine/stub_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "stubs/engine/difference.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;

constexpr char kYaml[] = R"(
stub: small
description: Things.
tables: {things: {key: id}, kept: {key: id, capture: true}}
fixtures: {things: fixtures/things.yaml}
tools:
  - name: get
    effect: read
    input: {type: object, properties: {id: {type: string}, rank: {type: integer}}, required: [id]}
    select: {from: things, where: {id: $args.id, rank: $args.rank}, one: true}
  - name: keep
    effect: write
    input: {type: object, properties: {id: {type: string}, text: {type: string}}, required: [id]}
    insert: {into: kept, row: {id: $args.id, text: $args.text}}
  - {name: drop, effect: write, input: {type: object}, lua: drop.lua}
  - {name: slow, effect: finalize, input: {type: object}, lua: drop.lua}
faults: [{tool: slow, delay: 2s, error: too_busy}]
)";
constexpr char kDrop[] = R"(
return function(ctx, args)
  ctx.log("dropping")
  if args.broken then error("on purpose") end
  ctx.tables.things:delete("a")
  return ctx.ok{ dropped = { "a" } }
end)";

class RunnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"fixtures", "tests"}) {
      std::filesystem::create_directory(folder_.Path(name));
    }
    Write("stub.yaml", kYaml);
    Write("drop.lua", kDrop);
    Write("fixtures/things.yaml", "[{id: a, rank: 1}, {id: b, rank: 2}]");
  }
  void Write(const char* name, const std::string& text) {
    ASSERT_TRUE(base::WriteFile(folder_.Path(name), text).ok());
  }
  // The one result of a file with these calls.
  TestResult Run(const std::string& calls, const std::string& more = "") {
    Write("tests/one.yaml", "tests:\n  - name: one\n    calls: [" + calls + "]\n" + more);
    const std::vector<TestResult> results = RunTests(folder_.path(), base::SystemClock());
    EXPECT_EQ(results.size(), 1u);
    return results.empty() ? TestResult() : results[0];
  }

  base::TempFolder folder_;
};

TEST_F(RunnerTest, PassesWhatIsAsExpected) {
  const char* const kCalls[] = {
      "{tool: get, args: {id: a}}",
      "{tool: get, args: {id: a}, expect: {ok: {rank: 1}}, changes: {}}",
      "{tool: get, args: {id: z}, expect: {error: not_found, message: not found}}",
      "{tool: drop, changes: {things: [{op: delete, key: a}]}, expect: {ok: {dropped: [a]}}}",
      "{tool: drop, args: {broken: true}, expect: {stub_error: on purpose}}",
      "{tool: slow, expect: {refused: too_busy, delay: 2s}}",
  };
  for (const char* calls : kCalls) {
    const TestResult result = Run(calls);
    EXPECT_TRUE(result.passed) << calls << result.message;
    EXPECT_EQ(result.name, "tests/one.yaml: one");
  }
}

TEST_F(RunnerTest, FailsWithWhatDiffers) {
  const struct {
    const char* reason;
    const char* calls;
    const char* message;
  } kCases[] = {
      {"value", "{tool: get, args: {id: a}, expect: {ok: {rank: 2}}}",
       "call 1, get: the result differs at /rank: expected 2, found 1"},
      {"name", "{tool: get, args: {id: a}, expect: {ok: {id_: a}}}", "did you mean `id`?"},
      {"list", "{tool: drop, expect: {ok: {dropped: []}}}", "/dropped: expected 0 items, found 1"},
      {"error for ok", "{tool: get, args: {id: a, rank: 2}}",
       "the nearest row is `a`, which fails `rank` equals 2"},
      {"ok for error", "{tool: drop, expect: {error: no_drop}}", "log: dropping"},
      {"code", "{tool: get, args: {id: z}, expect: {error: gone}}", "expected `gone`, found"},
      {"sentence", "{tool: get, args: {id: z}, expect: {error: not_found, message: gone}}",
       "expected a sentence with `gone`"},
      {"stub error", "{tool: drop, args: {broken: true}, expect: {stub_error: by mistake}}",
       "on purpose"},
      {"refused for error", "{tool: slow, expect: {error: too_busy}}", "expected error"},
      {"delay", "{tool: slow, expect: {refused: too_busy, delay: 1s}}", "expected a delay of 1s"},
      {"tool", "{tool: got}", "did you mean `get`?"},
      {"changes", "{tool: drop, changes: {}}", "table `things` was changed too"},
      {"changed key", "{tool: drop, changes: {things: [{key: b}]}}", "/things/0/key"},
      {"no change", "{tool: get, args: {id: a}, changes: {things: [{op: delete}]}}", "/things"},
  };
  for (const auto& c : kCases) {
    const TestResult result = Run(c.calls);
    EXPECT_FALSE(result.passed) << c.reason;
    EXPECT_THAT(result.message, HasSubstr(c.message)) << c.reason;
  }
}

TEST_F(RunnerTest, ComparesTablesAtTheEnd) {
  EXPECT_TRUE(Run("{tool: get, args: {id: a}}", "    unchanged: [things]\n").passed);
  EXPECT_THAT(Run("{tool: drop}", "    unchanged: [things]\n").message,
              HasSubstr("table `things` was changed"));
  EXPECT_THAT(Run("{tool: drop}", "    unchanged: [thing]\n").message,
              HasSubstr("no table `thing`"));
}

TEST_F(RunnerTest, ComparesWhatIsCaptured) {
  const std::string calls =
      "{tool: keep, args: {id: a, text: x}}, {tool: keep, args: {id: b, text: z}}";
  EXPECT_TRUE(Run(calls, "    captured: {kept: [{text: x}, {id: b}]}\n").passed);
  EXPECT_TRUE(Run("{tool: drop}", "    captured: {kept: []}\n").passed);
  const struct {
    const char* reason;
    const char* captured;
    const char* message;
  } kCases[] = {
      {"another value", "{kept: [{text: x}, {text: x}]}", "captured in `kept` differs at /1/text"},
      {"a row more", "{kept: [{id: a}]}", "expected 1 items, found 2"},
      {"none", "{kept: []}", "expected 0 items, found 2"},
      {"a table that does not capture", "{things: []}", "`things` does not capture"},
      {"no such table", "{keptt: []}", "no table `keptt`"},
      {"no mapping", "[kept]", "`captured` must be a mapping"},
      {"no sequence", "{kept: {id: a}}", "`kept` must be a sequence"},
  };
  for (const auto& c : kCases) {
    const TestResult result = Run(calls, std::string("    captured: ") + c.captured + "\n");
    EXPECT_FALSE(result.passed) << c.reason;
    EXPECT_THAT(result.message, HasSubstr(c.message)) << c.reason;
  }
}

TEST_F(RunnerTest, RunsThoseThatAreAskedForAndSaysWhatTheyReach) {
  Write("tests/two.yaml",
        "tests:\n  - {name: found, calls: [{tool: get, args: {id: a}}]}\n"
        "  - {name: not found, calls: [{tool: get, args: {id: z}, expect: {error: not_found}}]}\n"
        "  - {name: wrong, calls: [{tool: keep, args: {id: z}, expect: {error: not_found}}]}\n");
  const TestRun all = RunTestsOf(folder_.path(), "", base::SystemClock());
  EXPECT_EQ(all.results.size(), 3u);
  std::vector<std::string> reached;
  for (const StubPart& part : all.parts) {
    if (part.reached) reached.push_back(part.ToString());
  }
  // A test that fails reaches nothing.
  EXPECT_THAT(reached, ::testing::ElementsAre("tool `get`", "error `not_found` of `get`"));
  const TestRun one = RunTestsOf(folder_.path(), "not found", base::SystemClock());
  ASSERT_EQ(one.results.size(), 1u);
  EXPECT_EQ(one.results[0].name, "tests/two.yaml: not found");
  EXPECT_TRUE(RunTestsOf(folder_.path(), "nothing like it", base::SystemClock()).results.empty());
}

TEST_F(RunnerTest, RefusesTestsThatCouldNotFail) {
  const struct {
    const char* reason;
    const char* calls;
    const char* message;
  } kCases[] = {
      {"no calls", "", "without a call"},
      {"unknown key", "{tool: get, expected: {ok: {}}}", "unknown key `expected`"},
      {"unknown expectation", "{tool: get, expect: {okay: {}}}", "unknown key `okay`"},
      {"two expectations", "{tool: get, expect: {ok: {}, error: x}}", "exactly one"},
      {"no expectation", "{tool: get, expect: {message: x}}", "exactly one"},
      {"bad delay", "{tool: get, expect: {ok: {}, delay: 2}}", "`delay` must be text"},
      {"arguments", "{tool: get, args: [1]}", "`args` must be a mapping"},
  };
  for (const auto& c : kCases) {
    const TestResult result = Run(c.calls);
    EXPECT_FALSE(result.passed) << c.reason;
    EXPECT_THAT(result.message, HasSubstr(c.message)) << c.reason;
  }
  Write("tests/one.yaml", "tests: []");
  EXPECT_THAT(RunTests(folder_.path(), base::SystemClock())[0].message,
              HasSubstr("without a test"));
  Write("tests/one.yaml", "tests: [");
  EXPECT_THAT(RunTests(folder_.path(), base::SystemClock())[0].message, HasSubstr("Y001"));
}

TEST_F(RunnerTest, FailsForAStubThatDoesNotLoad) {
  EXPECT_TRUE(RunTests(folder_.path(), base::SystemClock()).empty()) << "no tests";
  Write("drop.lua", "return 1");
  const std::vector<TestResult> results = RunTests(folder_.path(), base::SystemClock());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].passed);
  EXPECT_THAT(results[0].message, HasSubstr("S014"));
  EXPECT_FALSE(RunTests(folder_.Path("nothing"), base::SystemClock())[0].passed);
}

TEST_F(RunnerTest, AFileThatIsNotReadIsSaid) {
  Write("tests/more.yml", "tests: []");
  std::filesystem::create_symlink("one.yaml", folder_.Path("tests/link.yaml"));
  Write("tests/.hidden.swp", "");
  const std::vector<TestResult> results = RunTests(folder_.path(), base::SystemClock());
  ASSERT_EQ(results.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(results[i].name, i == 0 ? "tests/link.yaml" : "tests/more.yml");
    EXPECT_FALSE(results[i].passed);
    EXPECT_THAT(results[i].message, HasSubstr("end in .yaml"));
  }
}

}  // namespace
}  // namespace tipstaff::engine
