#include "stubs/recorder/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::recorder {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<const source::File> FileOf(const std::string& text) {
  return std::make_shared<source::File>(source::File{"rules.yaml", text});
}

std::vector<RedactionRule> Rules(const std::string& text) {
  source::Diagnostics diagnostics;
  auto rules = LoadRedaction(FileOf(text), diagnostics);
  EXPECT_TRUE(rules.has_value()) << source::RenderText(diagnostics);
  return rules.value_or(std::vector<RedactionRule>());
}

RecordedCall CallOf(const std::string& tool, const std::string& arguments,
                    const std::string& answer) {
  return {.tool = tool, .arguments = json::MustParse(arguments), .answer = json::MustParse(answer)};
}

absl::StatusOr<Redacted> RedactOne(const std::vector<RedactionRule>& rules, Recording& recording) {
  Recording* const all[] = {&recording};
  return Redact(rules, all);
}

std::string Shown(const RecordedCall& call) {
  return absl::StrCat(json::Dump(call.arguments.root()), " ", json::Dump(call.answer.root()));
}

struct Case {
  const char* why;
  const char* rules;
  const char* arguments;
  const char* answer;
  const char* expected;
};

TEST(Redaction, ReplacesWhatARuleFindsWhereverItStands) {
  const Case kCases[] = {
      {"a place", "[{at: /email, with: x@a.example}]", R"({})", R"({"email":"m@corp.com"})",
       R"({} {"email":"x@a.example"})"},
      {"the same text in arguments, in a longer text and in a key",
       "[{at: /from, with: 'p{n}@a.example'}]", R"({"to":"m@corp.com"})",
       R"({"from":"m@corp.com","text":"ask m@corp.com!","by":{"m@corp.com":1}})",
       R"({"to":"p1@a.example"} {"from":"p1@a.example","text":"ask p1@a.example!","by":{"p1@a.example":1}})"},
      {"each other text gets another number", "[{matching: '[a-z]+@corp\\.com', with: 'p{n}'}]",
       R"({})", R"({"a":"x@corp.com y@corp.com","b":"y@corp.com"})",
       R"({} {"a":"p1 p2","b":"p2"})"},
      {"every member and item", "[{at: '/*/name', with: nn}]", R"({})",
       R"({"a":{"name":"Mina"},"list":[{"name":"Jonas"}]})",
       R"({} {"a":{"name":"nn"},"list":[{"name":"Jonas"}]})"},
      {"a short text is not looked for within others", "[{at: /code, with: xx}]", R"({})",
       R"({"code":"no","text":"nothing","also":"no"})",
       R"({} {"code":"xx","text":"nothing","also":"xx"})"},
      {"another kind of value", "[{at: /amount, with: 0}]", R"({})",
       R"({"amount":4711,"other":4711})", R"({} {"amount":0,"other":0})"},
      {"a text within a JSON text", R"([{at: /name, with: nn}])", R"({})",
       R"({"name":"a \"b\"\nc","json":"{\"name\":\"a \\\"b\\\"\\nc\"}"})",
       R"({} {"name":"nn","json":"{\"name\":\"nn\"}"})"},
      {"the longest first", "[{at: /a, with: A}, {at: /b, with: B}]", R"({})",
       R"({"a":"mina","b":"mina okafor","t":"mina okafor"})", R"({} {"a":"A","b":"B","t":"B"})"},
      {"a pointer's escapes", "[{at: '/a~1b/c~0d', with: z}]", R"({})", R"({"a/b":{"c~d":"long"}})",
       R"({} {"a/b":{"c~d":"z"}})"},
      {"a short text, where its expression finds it", "[{matching: Bob, with: X}]", R"({})",
       R"({"a":"hi Bob!","Bob":1,"b":"Bobby"})", R"({} {"a":"hi X!","X":1,"b":"Xby"})"},
      {"the text of what is replaced by another kind", "[{at: /v/secret, with: null}]",
       R"({"v":{"secret":"hunter2-top"}})", R"({"said":"it is hunter2-top"})",
       R"({"v":{"secret":null}} {"said":"it is redacted"})"},
      {"what stood in a list or object", "[{at: /who, with: somebody}]", R"({})",
       R"({"who":{"name":"Mina Okafor"},"by":"seen by Mina Okafor"})",
       R"({} {"who":"somebody","by":"seen by somebody"})"},
      {"what follows an empty match", R"([{matching: '\b[A-Z0-9]*\b', with: "Z{n}"}])", R"({})",
       R"({"a":"ABC123 is it, or DEF456"})", R"({} {"a":"Z1 is it, or Z2"})"},
      {"what overlaps",
       R"([{matching: 'x4[0-9]{3}', with: NN}, {matching: '4[0-9]{3}-[0-9]{4}', with: MM}])",
       R"({})", R"({"a":"acct x4111-9999"})", R"({} {"a":"acct MM"})"},
      {"a number", R"([{matching: '[0-9]{16}', with: card}])", R"({"n":7})",
       R"({"card":4111111111111111,"also":"4111111111111111"})",
       R"({"n":7} {"card":"card","also":"card"})"},
      {"a number that is not taken", "[{matching: '[a-z]+@corp', with: 'user{n}'}]", R"({})",
       R"({"a":"ann@corp","b":"user1"})", R"({} {"a":"user2","b":"user1"})"},
      {"another tool's answers", "[{tool: other, at: /a, with: z}]", R"({})", R"({"a":"text"})",
       R"({} {"a":"text"})"},
  };
  for (const Case& one : kCases) {
    Recording recording;
    recording.calls.push_back(CallOf("get", one.arguments, one.answer));
    ASSERT_TRUE(RedactOne(Rules(absl::StrCat("redact: ", one.rules)), recording).ok()) << one.why;
    EXPECT_EQ(Shown(recording.calls[0]), one.expected) << one.why;
  }
}

TEST(Redaction, CountsWhatEachRuleFound) {
  Recording recording;
  recording.calls.push_back(CallOf("get", "{}", R"({"a":"m@corp.com","b":"m@corp.com"})"));
  recording.calls.push_back({.tool = "get",
                             .arguments = json::MustParse("{}"),
                             .kind = RecordedCall::Kind::kError,
                             .error = "not_found",
                             .message = "m@corp.com is not there"});
  const auto redacted = RedactOne(
      Rules("redact: [{matching: '[a-z]+@corp\\.com', with: x@a.example}, {at: /z, with: z}]"),
      recording);
  ASSERT_TRUE(redacted.ok());
  EXPECT_THAT(redacted->found, ElementsAre(3, 0));
  EXPECT_EQ(recording.calls[1].message, "x@a.example is not there");
  EXPECT_THAT(redacted->suspects, IsEmpty());
}

TEST(Redaction, LooksForWhatShouldPerhapsNotBeEverywhere) {
  for (const char* suspect :
       {"josé@corp.com", "root%40corp.com", "github_pat_11ABCDEFG0123456789_abcdef",
        "Bearer abcdefghijklmnop1234", "sk_live_0123456789abcdefghij"}) {
    Recording recording;
    recording.tools = {{.name = "get",
                        .input_schema = json::MustParse(R"({"type":"object"})"),
                        .output_schema = json::MustParse("null")}};
    recording.calls.push_back(CallOf("get", "{}", absl::StrCat("{\"", suspect, "\":1}")));
    EXPECT_THAT(RedactOne({}, recording)->suspects, ::testing::SizeIs(1)) << suspect;
    recording.calls[0] = CallOf("get", "{}", "{}");
    recording.tools[0].description = absl::StrCat("like ", suspect, ".");
    EXPECT_THAT(RedactOne({}, recording)->suspects, ::testing::SizeIs(1)) << suspect;
  }
}

TEST(Redaction, SaysWhatIsLeftAndShouldPerhapsNotBe) {
  Recording recording;
  recording.calls.push_back(CallOf(
      "get", R"({"to":"dana@acme.example"})",
      R"({"a":"mail to mina@corp.com","b":"x@example.org","t":"ghp_0123456789abcdefghijABCDEFGHIJ"})"));
  const auto redacted = RedactOne({}, recording);
  ASSERT_TRUE(redacted.ok());
  EXPECT_THAT(redacted->suspects,
              ElementsAre("a key or token in call #0 of get", "the address mina@corp.com"));
}

TEST(Redaction, SaysWhereWhatItFoundStandsInAnotherSpelling) {
  for (const char* spelling :
       {"PRIYA NÉIR", "Priya%20N%C3%A9ir", "priya+néir", "Priy\\\\u0061 Néir", "Ｐｒｉｙａ Néir"}) {
    Recording recording;
    recording.calls.push_back(
        CallOf("get", "{}", absl::StrCat(R"({"a":"Priya Néir","b":")", spelling, "\"}")));
    const auto redacted = RedactOne(Rules("redact: [{at: /a, with: somebody}]"), recording);
    ASSERT_TRUE(redacted.ok());
    EXPECT_THAT(redacted->suspects, ElementsAre(HasSubstr("in another spelling"))) << spelling;
  }
}

TEST(Redaction, ReachesWhatToolsSayAndNotTheSchemasOwnWords) {
  Recording recording;
  recording.tools = {{.name = "get",
                      .description = "Ask Mina Okafor.",
                      .input_schema = json::MustParse(
                          R"({"type":"object","required":["required","id"],"properties":{"id":{
                              "enum":["required","x"],"description":"of Mina Okafor",
                              "pattern":"^required$"}}})"),
                      .output_schema = json::MustParse("null")}};
  recording.calls.push_back(CallOf("get", R"({"kind":"required"})", R"({"by":"Mina Okafor"})"));
  ASSERT_TRUE(
      RedactOne(Rules("redact: [{at: /kind, with: K}, {at: /by, with: somebody}]"), recording)
          .ok());
  EXPECT_EQ(recording.tools[0].description, "Ask somebody.");
  EXPECT_EQ(json::Dump(recording.tools[0].input_schema.root()),
            R"({"type":"object","required":["K","id"],"properties":{"id":{"enum":["K","x"],)"
            R"("description":"of somebody","pattern":"^required$"}}})");
}

TEST(Redaction, IsTheSameInAllRecordings) {
  Recording one, other;
  one.calls.push_back(CallOf("ask", "{}", R"({"person":"Priya Nair"})"));
  other.calls.push_back(CallOf("look", "{}", R"({"text":"assigned to Priya Nair"})"));
  Recording* const all[] = {&one, &other};
  const auto redacted = Redact(Rules("redact: [{tool: ask, at: /person, with: 'person{n}'}]"), all);
  ASSERT_TRUE(redacted.ok());
  EXPECT_THAT(redacted->found, ElementsAre(1));
  EXPECT_EQ(Shown(other.calls[0]), R"({} {"text":"assigned to person1"})");
}

TEST(Redaction, LeavesNothingWhereItCannotReplace) {
  Recording recording;
  recording.tools = {{.name = "get_acme_case",
                      .input_schema = json::MustParse(R"({"type":"object","x-owner":"Bob"})"),
                      .output_schema = json::MustParse("null")}};
  recording.calls.push_back(CallOf("get_acme_case", "{}", R"({"a":"acme_main","b":"Bob ok"})"));
  EXPECT_THAT(RedactOne(Rules("redact: [{matching: Bob, with: X}]"), recording)->suspects,
              ElementsAre("what a rule found, in what get_acme_case says of itself"));
  EXPECT_THAT(
      RedactOne(Rules("redact: [{matching: 'acme_[a-z]+', with: cc}]"), recording)->suspects,
      ::testing::SizeIs(::testing::Ge(1)));
}

TEST(Redaction, NeverMakesOneKeyOfTwo) {
  Recording recording;
  recording.calls.push_back(CallOf("get", "{}", R"({"mina@corp.com":1,"jonas@corp.com":2})"));
  const auto redacted =
      RedactOne(Rules("redact: [{matching: '[a-z]+@corp\\.com', with: x}]"), recording);
  EXPECT_EQ(redacted.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Redaction, RulesThatCannotBeUsedAreErrors) {
  const struct {
    const char* text;
    const char* part;
  } kCases[] = {
      {"redact: []", "`redact` without a rule"},
      {"rules: []", "redact"},
      {"redact: [{at: /a}]", "with"},
      {"redact: [{with: x}]", "neither `at` nor `matching`"},
      {"redact: [{at: /a, matching: b, with: x}]", "both `at` and `matching`"},
      {"redact: [{at: a, with: x}]", "JSON pointer"},
      {"redact: [{matching: '(', with: x}]", "no regular expression"},
      {"redact: [{matching: 'a*', with: x}]", "matches the empty text"},
      {"redact: [{matching: 'a+', with: 7}]", "`with`"},
      {"redact: [{at: /a, with: x, what: y}]", "what"},
      {"redact: [{at: /a~2, with: x}]", "stands alone"},
      {"redact: [{at: /a, with: x, optional: 1}]", "`optional`"},
      {"redact: 7", "`redact`"},
  };
  for (const auto& one : kCases) {
    source::Diagnostics diagnostics;
    EXPECT_FALSE(LoadRedaction(FileOf(one.text), diagnostics).has_value()) << one.text;
    EXPECT_THAT(source::RenderText(diagnostics), HasSubstr(one.part)) << one.text;
  }
}

}  // namespace
}  // namespace tipstaff::recorder
