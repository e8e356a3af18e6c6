#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

const Binding kBindings[] = {{.name = "report_id", .in_scope = true},
                             {.name = "reviewers", .in_scope = true, .is_array = true},
                             {.name = "tenant"}};

class Evaluate : public testing::Test {
 protected:
  static Program Skill(absl::string_view schema, bool arguments = false) {
    const CompileOptions options = {.dialect = Dialect::kSkill, .bindings = kBindings};
    const json::Document document = json::MustParse(schema);
    std::vector<Problem> problems;
    auto program = arguments ? Program::CompileArguments(document.root(), options, problems)
                             : Program::Compile(document.root(), options, problems);
    EXPECT_TRUE(program.has_value())
        << schema << ": " << (problems.empty() ? "" : problems[0].message);
    return *std::move(program);
  }

  const json::Document bindings_ =
      json::MustParse(R"(["rep_aaaaaaaa", ["dana@acme.example", "lee@acme.example"], "acme"])");
  const std::vector<json::Value> given_{bindings_.root().At(0), bindings_.root().At(1),
                                        bindings_.root().At(2)};
};

struct Row {
  const char* schema;
  const char* value;
  const char* pointer;  // nullptr: passes
  const char* keyword;
  const char* expected;
  const char* found;
};

TEST_F(Evaluate, ReportsTheFirstFailure) {
  const Row kRows[] = {
      {R"({"type":"string"})", R"("a")"},
      {R"({"type":"string"})", "5", "", "type", "a string", "5"},
      {R"({"type":["array","null"]})", R"("a")", "", "type", "an array or null", "a string"},
      {R"({"type":"integer"})", "1.0"},
      {R"({"type":"integer"})", "1e40"},
      {R"({"type":"integer"})", "1.5", "", "type", "an integer", "1.5"},
      {R"({"type":"number"})", "18446744073709551615"},
      {R"({"type":"boolean"})", "0", "", "type", "a boolean", "0"},
      {"false", "1", "", "type", "nothing", "1"},
      {"true", R"({"a":[1]})"},
      {R"({"const":{"a":1,"b":[2]}})", R"({"b":[2.0],"a":1.0})"},
      {R"({"const":false})", "0", "", "const", "false", "0"},
      {R"({"enum":["low","high"]})", R"("high")"},
      {R"({"enum":["low","high"]})", R"("High")", "", "enum", "one of `low`, `high`", "`High`"},
      {R"({"type":"string","minLength":2})", R"("é")", "", "minLength", "at least 2 characters",
       "1 character"},
      {R"({"type":"string","maxLength":2})", R"("éé")"},
      {R"({"type":"string","maxLength":2})", R"("ééé")", "", "maxLength", "at most 2 characters",
       "3 characters"},
      {R"({"type":"string","maxBytes":2})", R"("éé")", "", "maxBytes", "at most 2 bytes",
       "4 bytes"},
      {R"({"type":"string","minBytes":3})", R"("éé")"},
      {R"({"type":"string","minBytes":1})", R"("")", "", "minBytes", "at least 1 byte", "0 bytes"},
      {R"({"type":"number","minimum":9007199254740993})", "9007199254740992", "", "minimum",
       "at least 9007199254740993", "9007199254740992"},
      {R"({"type":"number","minimum":1})", "1.0"},
      {R"({"type":"number","maximum":1})", "1.01", "", "maximum", "at most 1", "1.01"},
      {R"({"type":"number","exclusiveMinimum":1})", "1", "", "exclusiveMinimum", "more than 1",
       "1"},
      {R"({"type":"number","exclusiveMaximum":1})", "1", "", "exclusiveMaximum", "less than 1",
       "1"},
      {R"({"type":"number","multipleOf":0.1})", "0.3"},
      {R"({"type":"number","multipleOf":2})", "3", "", "multipleOf", "a multiple of 2", "3"},
      {R"({"type":"string","pattern":"^rep_"})", R"("my rep_")", "", "pattern",
       "a match of `^rep_`", "`my rep_`"},
      {R"({"type":"array","minItems":1})", "[]", "", "minItems", "at least 1 item", "0 items"},
      {R"({"type":"array","maxItems":1})", "[1,2]", "", "maxItems", "at most 1 item", "2 items"},
      {R"({"type":"array","uniqueItems":true})", R"([1,"1",[1],{"a":1}])"},
      {R"({"type":"array","uniqueItems":true})", R"([{"a":1,"b":2},{"b":2.0,"a":1}])", "",
       "uniqueItems", "items that all differ", "an item twice"},
      {R"({"type":"array","items":{"type":"integer"}})", R"([1,2,"x"])", "/2", "type", "an integer",
       "a string"},
      {R"({"type":"object","required":["a"]})", R"({"b":1})", "/a", "required", "the member `a`",
       "nothing"},
      {R"({"type":"object","properties":{"a/b":{"type":"null"}}})", R"({"a/b":1})", "/a~1b", "type",
       "null", "1"},
      {R"({"type":"object","properties":{"a":true},"additionalProperties":false})",
       R"({"a":1,"b":2})", "/b", "additionalProperties",
       "one of the members that `properties` lists", "2"},
      {R"({"type":"object","additionalProperties":{"type":"integer"}})", R"({"a":1,"b":"x"})", "/b",
       "type", "an integer", "a string"},
      {R"({"type":"array","items":{"type":"object","properties":{"x":{"type":"array","items":
          {"enum":[1]}}}}})",
       R"([{"x":[1]},{"x":[1,2]}])", "/1/x/1", "enum", "1", "2"},
      {R"({"equals":"$report_id"})", R"("rep_aaaaaaaa")"},
      {R"({"equals":"$report_id"})", R"("rep_bbbbbbbb")", "", "equals",
       "`rep_aaaaaaaa` (binding `report_id`)", "`rep_bbbbbbbb`"},
      {R"({"equals":"$$report_id"})", R"("$report_id")"},
      {R"({"equals":5})", "5.0"},
      {R"({"equals":"$reviewers"})", R"(["dana@acme.example","lee@acme.example"])"},
      {R"({"in":"$reviewers"})", R"("lee@acme.example")"},
      {R"({"in":"$reviewers"})", R"("Lee@acme.example")", "", "in",
       "one of `dana@acme.example`, `lee@acme.example` (binding `reviewers`)",
       "`Lee@acme.example`"},
      {R"({"in":["$tenant","other"]})", R"("acme")"},
      {R"({"in":["$tenant","other"]})", R"("$tenant")", "", "in",
       "one of `acme`, `other` (binding `tenant`)", "`$tenant`"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(absl::StrCat(row.schema, " of ", row.value));
    const Program program = Skill(row.schema);
    const json::Document value = json::MustParse(row.value);
    const std::optional<Failure> failure = program.Check(value.root(), given_);
    EXPECT_EQ(program.Accepts(value.root(), given_), row.pointer == nullptr);
    ASSERT_EQ(failure.has_value(), row.pointer != nullptr);
    if (!failure.has_value()) continue;
    EXPECT_EQ(failure->pointer, row.pointer);
    EXPECT_EQ(failure->keyword, row.keyword);
    EXPECT_EQ(failure->expected, row.expected);
    EXPECT_EQ(failure->found, row.found);
  }
}

TEST_F(Evaluate, ChecksTextByDefaultHoweverDeep) {
  struct TextRow {
    const char* schema;
    const char* value;
    bool passes;
    const char* reason;
  };
  const TextRow kTextRows[] = {
      {R"({"type":"string"})", R"("a\r\nBcc: x")", false, "a string is one line"},
      {R"({"type":"string","text":"lines"})", R"("a\nb")", true, "lines"},
      {R"({"type":"string","text":"lines"})", R"("a\r\nb")", false, "no carriage return in lines"},
      {R"({"type":"string","text":"any"})", R"("a\u0000")", true, "any"},
      {R"({})", R"("a\n")", false, "without a type too"},
      {"true", R"("a\n")", false, "and for the schema true"},
      {R"({"type":"array"})", R"([["a\n"]])", false, "items without a schema"},
      {R"({"type":"array","items":{"type":"string","text":"any"}})", R"(["a\n"])", true,
       "the items' own schema decides"},
      {R"({"type":"array","text":"any","items":{"type":"string"}})", R"(["a\n"])", false,
       "the items' own schema decides"},
      {R"({"type":"object"})", R"({"a":{"b":["x\u202e"]}})", false, "members without a schema"},
      {R"({"type":"object"})", R"({"a\n":1})", false, "keys"},
      {R"({"type":"object"})", R"({"a":{"b\n":1}})", false, "keys within"},
      {R"({"type":"object","text":"any"})", R"({"a\n":"\n"})", true, "any, keys and all"},
      {R"({"type":"object","additionalProperties":{"type":"integer"}})", R"({"a\n":1})", false,
       "keys of members that share a schema"},
      {R"({"type":"object","additionalProperties":{"type":"string","text":"any"}})",
       R"({"a":"\n"})", true, "but their values follow it"},
      {R"({"type":"object","properties":{"a":{"type":"string","text":"any"}}})",
       R"({"a":"\n","b":"x"})", true, "listed members follow theirs"},
      {R"({"type":"object","properties":{"a":{"type":"string","text":"any"}}})",
       R"({"a":"\n","b":"\n"})", false, "and others the object's"},
  };
  for (const TextRow& row : kTextRows) {
    SCOPED_TRACE(absl::StrCat(row.schema, ": ", row.reason));
    const Program program = Skill(row.schema);
    const json::Document value = json::MustParse(row.value);
    const std::optional<Failure> failure = program.Check(value.root(), given_);
    ASSERT_EQ(!failure.has_value(), row.passes);
    if (failure.has_value()) {
      EXPECT_EQ(failure->keyword, "text");
    }
  }
}

TEST_F(Evaluate, ToolsTakeAnyText) {
  const absl::StatusOr<Program> program =
      Program::Compile(json::MustParse(R"({"type":"string"})").root(), Dialect::kTool);
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(program->Accepts(json::MustParse(R"("a\r\n\u202e")").root()));
}

TEST_F(Evaluate, ArgumentsAreAllListedAndPresent) {
  const Program program = Skill(
      R"({"report_id":{"equals":"$report_id"},"name":{"type":"string","optional":true}})", true);
  const auto check = [&](const char* value) {
    return program.Check(json::MustParse(value).root(), given_);
  };
  EXPECT_FALSE(check(R"({"report_id":"rep_aaaaaaaa"})").has_value());
  EXPECT_FALSE(check(R"({"name":"n","report_id":"rep_aaaaaaaa"})").has_value());
  const auto missing = check(R"({"name":"n"})");
  ASSERT_TRUE(missing.has_value());
  EXPECT_EQ(missing->pointer, "/report_id");
  EXPECT_EQ(missing->keyword, "required");
  EXPECT_EQ(missing->expected, "the argument `report_id`");
  const auto unlisted = check(R"({"report_id":"rep_aaaaaaaa","bcc":"x"})");
  ASSERT_TRUE(unlisted.has_value());
  EXPECT_EQ(unlisted->pointer, "/bcc");
  EXPECT_EQ(unlisted->keyword, "args");
  EXPECT_EQ(check("[]")->keyword, "type");
  EXPECT_EQ(check("null")->keyword, "type");
}

TEST_F(Evaluate, TalliesEveryConstraintOnce) {
  struct TallyRow {
    const char* value;
    size_t constraints, scope;
    const char* first;
    const char* reason;
  };
  const Program program = Skill(R"({
    "id": {"equals": "$report_id"},
    "to": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"in": "$reviewers"}},
    "note": {"type": "string", "maxBytes": 5}})",
                                true);
  const TallyRow kTallyRows[] = {
      {R"({"id":"rep_aaaaaaaa","to":["lee@acme.example"],"note":""})", 0, 0, nullptr, "passes"},
      {R"({"id":"x","to":["lee@acme.example"],"note":""})", 1, 1, "/id", "scope alone"},
      {R"({"id":"x","to":["a","b"],"note":""})", 2, 2, "/id", "two of scope, items count once"},
      {R"({"id":"x","to":["a","b","c"],"note":""})", 2, 1, "/to",
       "of too many items none is looked at"},
      {R"({"id":"x","to":["a"],"note":"123456"})", 3, 2, "/note", "what is not of scope first"},
      {R"({"id":"x","to":["a"],"note":"12345\n"})", 4, 2, "/note", "two on one argument"},
      {R"({"to":["lee@acme.example"]})", 2, 0, "/id", "each missing argument counts"},
      {R"({"id":"rep_aaaaaaaa","to":["lee@acme.example"],"note":"","y":1,"x":2})", 1, 0, "/x",
       "unlisted ones count once, by name"},
  };
  for (const TallyRow& row : kTallyRows) {
    SCOPED_TRACE(row.reason);
    const Tally tally = program.CheckAll(json::MustParse(row.value).root(), given_);
    EXPECT_EQ(tally.constraints, row.constraints);
    EXPECT_EQ(tally.scope_constraints, row.scope);
    ASSERT_EQ(tally.first.has_value(), row.first != nullptr);
    if (row.first != nullptr) {
      EXPECT_EQ(tally.first->pointer, row.first);
    }
  }
}

TEST_F(Evaluate, GivesUpOnceEnoughHasFailed) {
  const Program program = Skill(R"({"a": {"type": "string"}, "b": {"type": "string"},
                                    "c": {"type": "string", "maxLength": 1}})",
                                true);
  const json::Document value = json::MustParse(R"({"a":1,"b":2,"c":"long"})");
  EXPECT_EQ(program.CheckAll(value.root(), given_).constraints, 3);
  EXPECT_EQ(program.CheckAll(value.root(), given_, 4).constraints, 3);
  EXPECT_TRUE(program.CheckAll(value.root(), given_, 4).first.has_value());
  for (const size_t enough : {size_t{1}, size_t{2}, size_t{3}}) {
    const Tally tally = program.CheckAll(value.root(), given_, enough);
    EXPECT_GE(tally.constraints, enough);
    EXPECT_FALSE(tally.first.has_value());
  }
}

TEST_F(Evaluate, RequiredMembersAreAskedForHoweverManyAreListed) {
  for (const int count : {1, 12, 13, 63, 64, 65, 130}) {
    std::string properties, required, members;
    for (int i = 0; i < count; ++i) {
      const char* comma = i == 0 ? "" : ",";
      absl::StrAppend(&properties, comma, "\"m", i, "\":true");
      absl::StrAppend(&required, comma, "\"m", i, "\"");
      absl::StrAppend(&members, comma, "\"m", i, "\":", i);
    }
    const json::Document schema = json::MustParse(
        absl::StrCat(R"({"properties":{)", properties, R"(},"required":[)", required, "]}"));
    const Program program = Program::Compile(schema.root(), Dialect::kTool).value();
    EXPECT_TRUE(program.Accepts(json::MustParse("{" + members + "}").root())) << count;
    for (const int missing : {0, count / 2, count - 1}) {
      const std::string less = absl::StrReplaceAll(
          members,
          {{absl::StrCat("\"m", missing, "\":", missing), absl::StrCat("\"x\":", missing)}});
      const json::Document value = json::MustParse("{" + less + "}");
      EXPECT_FALSE(program.Accepts(value.root())) << count << " without " << missing;
      EXPECT_EQ(program.CheckAll(value.root()).constraints, 1);
    }
    EXPECT_TRUE(program.Accepts(json::MustParse("5").root())) << "of objects only";
  }
}

TEST_F(Evaluate, OrderOfKeywordsAndMembersDoesNotMatter) {
  const Program one = Skill(R"({"a":{"type":"string","maxLength":1,"maxBytes":1,"pattern":"^x"},
                                "b":{"type":"integer"}})",
                            true);
  const Program two = Skill(R"({"b":{"type":"integer"},
                                "a":{"pattern":"^x","maxBytes":1,"maxLength":1,"type":"string"}})",
                            true);
  for (const char* value : {R"({"a":"yy","b":"z"})", R"({"b":"z","a":"yy"})"}) {
    const json::Document document = json::MustParse(value);
    const auto first = one.Check(document.root()), second = two.Check(document.root());
    ASSERT_TRUE(first.has_value() && second.has_value());
    EXPECT_EQ(first->pointer, "/a");
    EXPECT_EQ(second->pointer, "/a");
    EXPECT_EQ(first->keyword, second->keyword);
  }
}

TEST_F(Evaluate, AMissingBindingEqualsNothing) {
  const Program equals = Skill(R"({"equals":"$report_id"})"), in = Skill(R"({"in":"$reviewers"})");
  for (const char* value : {"null", R"("")", R"("rep_aaaaaaaa")", "[]"}) {
    const json::Document document = json::MustParse(value);
    EXPECT_FALSE(equals.Accepts(document.root()));
    EXPECT_FALSE(in.Accepts(document.root()));
    EXPECT_TRUE(equals.Check(document.root()).has_value());
  }
  EXPECT_FALSE(equals.Accepts(json::Value()));
}

TEST_F(Evaluate, SaysWhereTheConstraintStands) {
  const json::Document schema =
      json::MustParse(R"({"type":"object","properties":{"a":{"type":"string","maxBytes":2}}})");
  const absl::StatusOr<Program> tool = Program::Compile(schema.root(), Dialect::kTool);
  ASSERT_TRUE(tool.ok());
  std::vector<Problem> problems;
  const auto skill = Program::Compile(schema.root(), {.dialect = Dialect::kSkill}, problems);
  ASSERT_TRUE(skill.has_value());
  const json::Value a = schema.root().Find("properties").Find("a");
  EXPECT_EQ(skill->Check(json::MustParse(R"({"a":"abc"})").root())->origin,
            a.Find("maxBytes").index());
  EXPECT_EQ(skill->Check(json::MustParse(R"({"a":"\n"})").root())->origin, a.index())
      << "the default of `text` stands at the schema";
  EXPECT_EQ(tool->Check(json::MustParse(R"({"a":1})").root())->origin, a.Find("type").index());
}

TEST_F(Evaluate, CutsAndEscapesWhatItShows) {
  const Program program = Skill(R"({"enum":["a"]})");
  const json::Document value =
      json::MustParse(absl::StrCat("\"\\u001b[2J", std::string(100'000, 'x'), "\""));
  const std::optional<Failure> failure = program.Check(value.root());
  ASSERT_TRUE(failure.has_value());
  EXPECT_LT(failure->found.size(), 80);
  EXPECT_THAT(failure->found, testing::StartsWith("`\\x1b[2J"));
  EXPECT_EQ(program.Check(json::MustParse("[1,2]").root())->found, "an array of 2 items");
}

// 256 KiB of the worst that fits: the time is linear, so this ends at once.
TEST_F(Evaluate, LargeValuesTakeLinearTime) {
  std::string numbers = "[0", members = "{\"k\":0";
  for (int i = 1; i < 40'000; ++i) {
    absl::StrAppend(&numbers, ",", i);
    absl::StrAppend(&members, ",\"", i, "\":\"", i, "\"");
  }
  const json::Document array = json::MustParse(numbers + "]");
  const json::Document object = json::MustParse(members + "}");
  EXPECT_TRUE(Skill(R"({"type":"array","uniqueItems":true})").Accepts(array.root()));
  const Program strings = Skill(R"({"type":"array","items":{"type":"string"}})");
  EXPECT_EQ(strings.CheckAll(array.root()).constraints, 1);
  EXPECT_EQ(Skill(R"({"a":true})", true).CheckAll(object.root()).constraints, 2);
  const json::Document text = json::MustParse(absl::StrCat("\"", std::string(200'000, 'a'), "!\""));
  EXPECT_FALSE(Skill(R"re({"type":"string","pattern":"^(a+)+$"})re").Accepts(text.root()));
}

}  // namespace
}  // namespace tipstaff::schema
