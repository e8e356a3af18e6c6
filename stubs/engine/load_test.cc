// What is refused when a stub is loaded: code, words and line for every kind of mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;

// Line 1 is the empty one.
constexpr char kGood[] = R"(
stub: small
description: Things.
ids: {thing: "thing_{seq:03}"}
tables: {things: {key: id}, kept: {key: id, capture: true}}
fixtures: {things: fixtures/things.yaml}
slots: {injection: {default: planted, note: for tests}}
tools:
  - name: find
    effect: read
    input: {type: object, properties: {text: {type: string}, limit: {type: integer, default: 5}}}
    select: {from: things, where: {text: {contains: $args.text}}, limit: $args.limit, order: -id}
  - name: add
    effect: write
    input: schema/add.json
    insert: {into: things, row: {id: $id.thing, text: $args.text, at: $now}}
  - {name: run, effect: write, input: {type: object}, lua: run.lua}
faults:
  - {tool: add, on_call: [2], error: temporary_failure}
unmatched: error
)";
constexpr char kThings[] =
    "- {id: a, text: \"first ${slot:injection}\"}\n- {id: b, text: second}\n";
constexpr char kAdd[] =
    R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})";

std::map<std::string, std::string> GoodFiles() {
  return {{"stub.yaml", kGood},
          {"fixtures/things.yaml", kThings},
          {"schema/add.json", kAdd},
          {"run.lua", "return function(ctx, args) return ctx.ok{} end"}};
}

TEST(Load, AcceptsAGoodStub) {
  std::string text;
  const std::shared_ptr<const Stub> stub = LoadSmallStub(GoodFiles(), &text);
  EXPECT_EQ(text, "");
  ASSERT_NE(stub, nullptr);
  EXPECT_EQ(stub->name(), "small");
  EXPECT_EQ(stub->description(), "Things.");
  ASSERT_EQ(stub->tools().size(), 3u);
  EXPECT_EQ(stub->tools()[1].name, "add");
  EXPECT_EQ(stub->tools()[1].effect, call::Effect::kWrite);
  EXPECT_EQ(stub->tools()[1].input_schema.root().StringOr("type", ""), "object");
  EXPECT_TRUE(stub->tools()[1].output_schema.root().is_null());
  EXPECT_EQ(stub->files().files.size(), 4u);
}

TEST(Load, TakesTheArgumentOfAnIdempotencyKey) {
  std::map<std::string, std::string> files = GoodFiles();
  files["stub.yaml"] = absl::StrReplaceAll(
      kGood, {{"effect: write, input: {type: object}, lua",
               "effect: finalize, input: {type: object, properties: {key: {type: string}}}, "
               "idempotency_key: key, lua"}});
  std::string text;
  const std::shared_ptr<const Stub> stub = LoadSmallStub(files, &text);
  ASSERT_NE(stub, nullptr) << text;
  EXPECT_EQ(stub->tools()[2].idempotency_key, "key");
  EXPECT_EQ(stub->tools()[1].idempotency_key, "");
}

TEST(Load, TakesAnAudience) {
  for (const std::string& audience :
       {std::string("reports.example"), std::string("https://reports.example:8443/~api/v1"),
        std::string("R"), std::string("urn:example:a%20b"), std::string("tipstaff"),
        std::string(kMaxAudienceBytes, 'a')}) {
    std::map<std::string, std::string> files = GoodFiles();
    files["stub.yaml"] = absl::StrReplaceAll(
        kGood, {{"effect: write, input: {type: object}, lua",
                 absl::StrCat("effect: finalize, input: {type: object}, audience: \"", audience,
                              "\", lua")}});
    std::string text;
    const std::shared_ptr<const Stub> stub = LoadSmallStub(files, &text);
    ASSERT_NE(stub, nullptr) << audience << text;
    EXPECT_EQ(stub->tools()[2].audience, audience);
    EXPECT_EQ(stub->tools()[1].audience, "");
  }
}

TEST(Load, AnAudienceHasALimit) {
  std::map<std::string, std::string> files = GoodFiles();
  files["stub.yaml"] = absl::StrReplaceAll(
      kGood, {{"effect: write, input: {type: object}, lua",
               absl::StrCat("effect: finalize, input: {type: object}, audience: ",
                            std::string(kMaxAudienceBytes + 1, 'a'), ", lua")}});
  std::string text;
  EXPECT_EQ(LoadSmallStub(files, &text), nullptr);
  EXPECT_THAT(text, HasSubstr("expected 1 to 255 letters"));
}

// A change to one of the good files, and what is then said.
struct Mistake {
  const char* name;
  const char* file;
  const char* from;  // "": the whole file
  const char* to;
  const char* code;
  const char* words;
  const char* place;
};

class Refused : public ::testing::TestWithParam<Mistake> {};

TEST_P(Refused, WithCodeWordsAndPlace) {
  const Mistake& mistake = GetParam();
  std::map<std::string, std::string> files = GoodFiles();
  std::string& file = files[mistake.file];
  if (mistake.from[0] == '\0') {
    file = mistake.to;
  } else {
    ASSERT_THAT(file, HasSubstr(mistake.from));
    file = absl::StrReplaceAll(file, {{mistake.from, mistake.to}});
  }
  std::string text;
  EXPECT_EQ(LoadSmallStub(files, &text), nullptr);
  EXPECT_THAT(text, HasSubstr(std::string("error[") + mistake.code + "]"));
  EXPECT_THAT(text, HasSubstr(mistake.words));
  EXPECT_THAT(text, HasSubstr(std::string("--> small/") + mistake.place));
}

constexpr Mistake kMistakes[] = {
    {"NotYaml", "stub.yaml", "", "a: [", "Y001", "", "stub.yaml:1"},
    {"DuplicateKey", "stub.yaml", "unmatched: error", "stub: again", "Y009", "`stub`",
     "stub.yaml:20"},
    {"NotAMapping", "stub.yaml", "", "[1]", "S003", "must be a mapping, not array", "stub.yaml:1"},
    {"UnknownKey", "stub.yaml", "slots:", "slot:", "S002", "did you mean `slots`?",
     "stub.yaml:7:1"},
    {"MissingKey", "stub.yaml", "description: Things.", "", "S004", "`description`", "stub.yaml"},
    {"EmptyCondition", "stub.yaml", "{text: {contains: $args.text}}", "{text: {}}", "S005",
     "holds for every row", "stub.yaml:12"},
    {"StubName", "stub.yaml", "stub: small", "stub: a b", "S005", "bad stub name", "stub.yaml:2"},
    {"NoTools", "stub.yaml", "", "stub: s\ndescription: d\ntools: []\n", "S005",
     "at least one tool", "stub.yaml:3"},
    {"ClockStart", "stub.yaml", "ids:", "clock: {start: yesterday}\nids:", "S005", "yesterday",
     "stub.yaml:4"},
    {"ClockStep", "stub.yaml", "ids:", "clock: {per_call: 1}\nids:", "S003", "`per_call`",
     "stub.yaml:4"},
    {"ClockStepUnit", "stub.yaml", "ids:", "clock: {per_call: \"1\"}\nids:", "S005", "",
     "stub.yaml:4"},
    {"IdFormat", "stub.yaml", "thing_{seq:03}", "thing", "S005", "every id would be the same",
     "stub.yaml:4:14"},
    {"IdPart", "stub.yaml", "{seq:03}", "{date}", "S005", "unknown part `{date}`",
     "stub.yaml:4:14"},
    {"IdWidth", "stub.yaml", "{seq:03}", "{seq:99}", "S005", "bad width", "stub.yaml:4:14"},
    {"IdBrace", "stub.yaml", "{seq:03}", "{seq:03", "S005", "brace", "stub.yaml:4:14"},
    {"IdName", "stub.yaml", "{thing:", "{9thing:", "S005", "bad name", "stub.yaml:4"},
    {"TableWithoutKey", "stub.yaml", "{key: id},", "{capture: true},", "S004", "`key`",
     "stub.yaml:5"},
    {"TableKeyType", "stub.yaml", "{key: id},", "{key: 1},", "S003", "`key` must be text",
     "stub.yaml:5"},
    {"CaptureType", "stub.yaml", "capture: true", "capture: 1", "S003", "true or false",
     "stub.yaml:5"},
    {"RequiredWithoutColumns", "stub.yaml", "{key: id},", "{key: id, required: [id]},", "S019",
     "`required` without `columns`", "stub.yaml:5"},
    {"FixtureFile", "stub.yaml", "fixtures/things.yaml", "fixtures/thing.yaml", "S001",
     "did you mean `fixtures/things.yaml`?", "stub.yaml:6"},
    {"FixtureOutside", "stub.yaml", "fixtures/things.yaml", "../reports/fixtures/x", "S001",
     "no file", "stub.yaml:6"},
    {"FixtureTable", "stub.yaml", "fixtures: {things:", "fixtures: {thing:", "S008",
     "did you mean `things`?", "stub.yaml:6"},
    {"FixtureOfCapture", "stub.yaml", "fixtures: {things:", "fixtures: {kept:", "S012",
     "starts empty", "stub.yaml:6"},
    {"FixtureShape", "fixtures/things.yaml", "", "a: ${slot:injection}", "S003", "sequence",
     "fixtures/things.yaml:1"},
    {"RowShape", "fixtures/things.yaml", "- {id: b, text: second}", "- text", "S012",
     "must be an object", "fixtures/things.yaml:2"},
    {"RowKey", "fixtures/things.yaml", "{id: b,", "{id: 7,", "S012", "key column `id`",
     "fixtures/things.yaml:2"},
    {"RowTwice", "fixtures/things.yaml", "{id: b,", "{id: a,", "S006", "second row `a`",
     "fixtures/things.yaml:2:8"},
    {"SlotUnknown", "fixtures/things.yaml", "${slot:injection}", "${slot:injektion}", "S008",
     "did you mean `injection`?", "fixtures/things.yaml:1"},
    {"SlotOpen", "fixtures/things.yaml", "${slot:injection}", "${slot:injection", "S013",
     "closing brace", "fixtures/things.yaml:1"},
    {"SlotUnused", "fixtures/things.yaml", "${slot:injection}", "", "S013", "no fixture has",
     "stub.yaml:7"},
    {"SlotWithoutDefault", "stub.yaml", "default: planted, ", "", "S004", "`default`",
     "stub.yaml:7"},
    {"ToolName", "stub.yaml", "name: find", "name: find it", "S005", "bad tool name",
     "stub.yaml:9"},
    {"ToolTwice", "stub.yaml", "name: run", "name: add", "S006", "a second tool `add`",
     "stub.yaml:17"},
    {"Effect", "stub.yaml", "effect: read", "effect: readonly", "S005", "unknown effect",
     "stub.yaml:10"},
    {"KeyOfAWrite", "stub.yaml", "input: {type: object}, lua",
     "input: {type: object}, idempotency_key: key, lua", "S005",
     "is for a tool with `effect: finalize`", "stub.yaml:17"},
    {"KeyIsNoArgument", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object}, idempotency_key: key, lua", "S008",
     "`key`, which is no argument of `type: string`", "stub.yaml:17"},
    {"KeyIsNoText", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object, properties: {key: {type: integer}}}, "
     "idempotency_key: key, lua",
     "S008", "`key`, which is no argument of `type: string`", "stub.yaml:17"},
    {"KeyIsRequired", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object, properties: {key: {type: string}}, required: [key]}, "
     "idempotency_key: key, lua",
     "S008", "agents do not give it", "stub.yaml:17"},
    {"KeyOfAnotherKind", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object}, idempotency_key: [key], lua", "S003",
     "`idempotency_key`", "stub.yaml:17"},
    {"AudienceOfAWrite", "stub.yaml", "input: {type: object}, lua",
     "input: {type: object}, audience: reports.example, lua", "S005",
     "`audience` is for a tool with `effect: finalize`", "stub.yaml:17"},
    {"AudienceOfAnotherKind", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object}, audience: [reports.example], lua", "S003",
     "`audience`", "stub.yaml:17"},
    {"AudienceIsEmpty", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object}, audience: \"\", lua", "S005", "bad audience ``",
     "stub.yaml:17"},
    {"AudienceIsAVariable", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object}, audience: \"${AUDIENCE}\", lua", "S005",
     "bad audience `${AUDIENCE}`", "stub.yaml:17"},
    {"AudienceHasASpace", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object}, audience: reports example, lua", "S005",
     "bad audience `reports example`", "stub.yaml:17"},
    {"AudienceIsAMediators", "stub.yaml", "effect: write, input: {type: object}, lua",
     "effect: finalize, input: {type: object}, audience: \"tipstaff:00112233\", lua", "S005",
     "`tipstaff:00112233` is a mediator's own", "stub.yaml:17"},
    {"NoInput", "stub.yaml", "input: {type: object}, lua", "lua", "S004", "`input`",
     "stub.yaml:17"},
    {"InputKeyword", "schema/add.json", "\"type\":\"string\"", "\"type\":\"text\"", "S007",
     "`input`: ", "schema/add.json:1"},
    {"InputNotObject", "schema/add.json", "\"type\":\"object\"", "\"type\":\"array\"", "S007",
     "`type: object`", "schema/add.json:1"},
    {"InputDefault", "stub.yaml", "default: 5", "default: five", "S007", "default of `limit`",
     "stub.yaml:11"},
    {"TwoActions", "stub.yaml", "lua: run.lua", "lua: run.lua, select: {from: things}", "S010",
     "both `select` and `lua`", "stub.yaml:17"},
    {"NoAction", "stub.yaml", ", lua: run.lua", "", "S010", "nothing says what the tool does",
     "stub.yaml:17"},
    {"ReadInserts", "stub.yaml", "effect: write\n    input: schema",
     "effect: read\n    input: schema", "S011", "cannot have `insert`", "stub.yaml:16"},
    {"SelectTable", "stub.yaml", "from: things", "from: thing", "S008", "did you mean `things`?",
     "stub.yaml:12"},
    {"SelectKey", "stub.yaml", "order: -id", "sort: id", "S002", "unknown key `sort`",
     "stub.yaml:12"},
    {"SelectLimit", "stub.yaml", "limit: $args.limit", "limit: 0", "S005", "`limit`",
     "stub.yaml:12"},
    {"Comparison", "stub.yaml", "{contains: $args.text}", "{contain: $args.text}", "S008",
     "did you mean `contains`?", "stub.yaml:12"},
    {"InWithoutList", "stub.yaml", "{contains: $args.text}", "{in: 5}", "S003", "sequence",
     "stub.yaml:12"},
    {"NotFoundWithoutOne", "stub.yaml", "order: -id", "not_found: no", "Y015", "", "stub.yaml:12"},
    {"AsBesideOne", "stub.yaml", "order: -id", "one: true, as: x", "S010", "beside `one: true`",
     "stub.yaml:12"},
    {"Argument", "stub.yaml", "contains: $args.text", "contains: $args.txt", "S008",
     "did you mean `text`?", "stub.yaml:12"},
    {"ArgumentOfFile", "stub.yaml", "text: $args.text, at", "text: $args.txt, at", "S008",
     "did you mean `text`?", "stub.yaml:16"},
    {"Reference", "stub.yaml", "at: $now", "at: $today", "S009", "$args.NAME", "stub.yaml:16"},
    {"IdReference", "stub.yaml", "$id.thing", "$id.thong", "S008", "did you mean `thing`?",
     "stub.yaml:16"},
    {"InsertWithoutKey", "stub.yaml", "{id: $id.thing, text", "{text", "S012", "key column `id`",
     "stub.yaml:16"},
    {"UpdateCapture", "stub.yaml",
     "insert: {into: things, row: {id: $id.thing, text: $args.text, at: $now}}",
     "delete: {table: kept, key: $args.text}", "S011", "captures", "stub.yaml:16"},
    {"LuaFile", "stub.yaml", "lua: run.lua", "lua: ran.lua", "S001", "did you mean `run.lua`?",
     "stub.yaml:17"},
    {"LuaSyntax", "run.lua", "", "return function(ctx)\n\n  x =\nend", "S014", "unexpected symbol",
     "run.lua:4"},
    {"FaultTool", "stub.yaml", "{tool: add", "{tool: ad", "S008", "did you mean `add`?",
     "stub.yaml:19"},
    {"FaultNothing", "stub.yaml", ", error: temporary_failure", "", "S015", "does nothing",
     "stub.yaml:19"},
    {"FaultCode", "stub.yaml", "error: temporary_failure", "error: Temporary Failure", "S005",
     "bad error code", "stub.yaml:19"},
    {"FaultCall", "stub.yaml", "on_call: [2]", "on_call: [0]", "S005", "from 1", "stub.yaml:19"},
    {"FaultNoCalls", "stub.yaml", "on_call: [2]", "on_call: []", "S015", "without a call",
     "stub.yaml:19"},
    {"FaultChance", "stub.yaml", "on_call: [2]", "probability: 1.5", "S005", "at most 1",
     "stub.yaml:19"},
    {"FaultDelay", "stub.yaml", "on_call: [2]", "delay: 2", "S003", "`delay`", "stub.yaml:19"},
    {"FaultLongDelay", "stub.yaml", "on_call: [2]", "delay: 2h", "S005", "more than",
     "stub.yaml:19"},
    {"FaultProgress", "stub.yaml", "on_call: [2]", "progress: 3", "S015", "without `delay`",
     "stub.yaml:19"},
    {"Unmatched", "stub.yaml", "unmatched: error", "unmatched: ok", "S005",
     "expected error, {error: CODE", "stub.yaml:20"},
};

INSTANTIATE_TEST_SUITE_P(All, Refused, ::testing::ValuesIn(kMistakes),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Load, WarnsOfWhatIsProbablyNotMeant) {
  const struct {
    const char* reason;
    const char* file;
    const char* from;
    const char* to;
    const char* words;
  } kWarnings[] = {
      {"a file that nothing names", "extra.lua", "", "x", "warning[S016]"},
      {"a column that no row has", "stub.yaml", "order: -id", "order: -ids", "warning[S018]"},
      {"a keyword that is not checked", "schema/add.json", "\"required\"",
       "\"$recursiveRef\":\"#\",\"required\"", "warning[S017]"},
  };
  for (const auto& c : kWarnings) {
    std::map<std::string, std::string> files = GoodFiles();
    std::string& file = files[c.file];
    file = c.from[0] == '\0' ? c.to : absl::StrReplaceAll(file, {{c.from, c.to}});
    std::string text;
    EXPECT_NE(LoadSmallStub(files, &text), nullptr) << c.reason;
    EXPECT_THAT(text, HasSubstr(c.words)) << c.reason;
  }
}

TEST(Load, WithoutStubYaml) {
  std::string text;
  EXPECT_EQ(LoadSmallStub({{"run.lua", "x"}}, &text), nullptr);
  EXPECT_THAT(text, HasSubstr("error[S001]"));
}

TEST(Load, ExplainsEveryCodeInOrder) {
  int number = 0;
  for (const source::Explanation& explanation : StubExplanations()) {
    EXPECT_EQ(explanation.code, absl::StrFormat("S%03d", ++number));
    EXPECT_FALSE(explanation.title.empty());
    EXPECT_FALSE(explanation.text.empty());
  }
  EXPECT_EQ(number, 22);
}

TEST(ReadStubFiles, TakesWhatBelongsToAStub) {
  base::TempFolder folder;
  EXPECT_EQ(ReadStubFiles(folder.path()).status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(ReadStubFiles(folder.Path("nothing")).ok());
  for (const char* name : {"schema", "fixtures", "tests"}) {
    std::filesystem::create_directory(folder.Path(name));
  }
  for (const char* name : {"stub.yaml", "a.lua", "README.md", "schema/a.json", "fixtures/a.yaml",
                           "tests/a.yaml", "tests/b.lua", ".hidden.lua"}) {
    ASSERT_TRUE(base::WriteFile(folder.Path(name), "x").ok());
  }
  std::filesystem::create_symlink("/etc/passwd", folder.Path("b.lua"));
  const absl::StatusOr<StubFiles> files = ReadStubFiles(folder.path());
  ASSERT_TRUE(files.ok()) << files.status();
  std::vector<std::string> names;
  for (const auto& [name, content] : files->files) names.push_back(name);
  EXPECT_THAT(names,
              ::testing::ElementsAre("a.lua", "fixtures/a.yaml", "schema/a.json", "stub.yaml"));
}

TEST(ReadStubFiles, RefusesWhatIsTooLarge) {
  base::TempFolder folder;
  ASSERT_TRUE(base::WriteFile(folder.Path("stub.yaml"), std::string(2 << 20, 'x')).ok());
  EXPECT_EQ(ReadStubFiles(folder.path()).status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace tipstaff::engine
