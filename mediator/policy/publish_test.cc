#include "mediator/policy/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/policy/testing/skill_text.h"
#include "mediator/schema/program.h"

namespace tipstaff::policy {
namespace {

const PublishedTool* Find(const Grant& grant, absl::string_view name) {
  for (const PublishedTool& tool : grant.tools()) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

std::string InputOf(const Grant& grant, absl::string_view name) {
  const PublishedTool* tool = Find(grant, name);
  return tool == nullptr ? "" : json::Canonical(json::MustParse(tool->input_schema).root());
}

std::string Canonical(absl::string_view text) {
  return json::Canonical(json::MustParse(text).root());
}

constexpr char kSkill[] = R"(skill: a
bindings:
  report_id: {type: string}
  reviewers: {type: array, items: {type: string}, default: []}
scope: [report_id, reviewers]
backends: {reports: {stub: reports}, mail: {stub: mailbox}, tickets: {stub: tickets}}
permissions:
  - {id: read, tool: reports.get_report, args: {report_id: {equals: $report_id}}}
  - id: attach
    tool: reports.attach_evidence
    args:
      report_id: {equals: $report_id}
      name: {type: string, maxBytes: 500, minLength: 1, pattern: "^[a-z.]+$"}
      content: {type: string, text: lines, maxBytes: 65536, description: for readers of the skill}
  - id: note
    tool: mail.send_message
    args:
      to: {type: array, minItems: 1, maxItems: 3, items: {in: $reviewers}}
      subject: {in: [$report_id, "$$5"]}
      body: {type: string, text: lines, optional: true}
  - {id: open, tool: tickets.search_tickets, args: {query: {type: string}, status: {enum: [open]}}}
  - {id: few, tool: tickets.search_tickets, args: {query: {type: string}, status: {enum: [closed]},
     limit: {type: integer, maximum: 5}}}
  - {id: list, tool: mail.list_messages, args: {}}
deny:
  - {id: no-lists, tool: mail.list_*, reason: None.}
finalize: none
)";

class PublishTest : public testing::Test {
 protected:
  const FakeCatalog catalog_;
  const std::shared_ptr<const Grant> grant_ =
      MustGrant({MustLoad(kSkill, catalog_)},
                R"({"report_id":"rep_a","reviewers":["d@a.example"]})", catalog_);
};

TEST_F(PublishTest, ShowsThePermittedToolsInOrder) {
  std::vector<std::string> names;
  for (const PublishedTool& tool : grant_->tools()) names.push_back(tool.name);
  EXPECT_THAT(names, testing::ElementsAre("mail_send_message", "reports_attach_evidence",
                                          "reports_get_report", "tickets_search_tickets"));
  const PublishedTool* tool = Find(*grant_, "reports_get_report");
  EXPECT_EQ(tool->tool, "reports.get_report");
  EXPECT_EQ(tool->title, "Title of get_report");
  EXPECT_EQ(tool->description, "Does get_report.");
  EXPECT_EQ(tool->effect, call::Effect::kRead);
  EXPECT_EQ(tool->output_schema, R"({"type":"object"})");
  EXPECT_EQ(Find(*grant_, "mail_send_message")->output_schema, "");
}

TEST_F(PublishTest, NarrowsArguments) {
  EXPECT_EQ(InputOf(*grant_, "reports_get_report"), Canonical(R"({
    "type":"object","additionalProperties":false,"required":["report_id"],"properties":{
      "report_id":{"type":"string","description":"which report","const":"rep_a"}}})"));
  EXPECT_EQ(InputOf(*grant_, "reports_attach_evidence"), Canonical(R"({
    "type":"object","additionalProperties":false,"required":["content","name","report_id"],
    "properties":{
      "report_id":{"type":"string","const":"rep_a"},
      "name":{"type":"string","maxLength":200,"minLength":1,"pattern":"^[a-z.]+$"},
      "content":{"type":"string","maxLength":65536}}})"))
      << "the tool's maxLength is stricter than the permission's maxBytes";
  EXPECT_EQ(InputOf(*grant_, "mail_send_message"), Canonical(R"({
    "type":"object","additionalProperties":false,"required":["subject","to"],"properties":{
      "to":{"type":"array","minItems":1,"maxItems":3,
            "items":{"type":"string","description":"an address","enum":["d@a.example"]}},
      "subject":{"type":"string","enum":["rep_a","$5"]},
      "body":{"type":"string"}}})"));
}

TEST_F(PublishTest, UnitesPermissionsByArgument) {
  EXPECT_EQ(InputOf(*grant_, "tickets_search_tickets"), Canonical(R"({
    "type":"object","additionalProperties":false,"required":["query","status"],"properties":{
      "query":{"type":"string"},
      "status":{"anyOf":[{"type":"string","enum":["closed"]},{"type":"string","enum":["open"]}]},
      "limit":{"type":"integer","maximum":5}}})"));
}

TEST_F(PublishTest, LeavesOutWhatThisRunCannotSatisfy) {
  const auto grant = MustGrant({MustLoad(kSkill, catalog_)}, R"({"report_id":"rep_a"})", catalog_);
  EXPECT_EQ(Find(*grant, "mail_send_message"), nullptr) << "there are no reviewers";
  EXPECT_EQ(grant->ResolveTool("mail_send_message"), "mail.send_message");
}

TEST_F(PublishTest, LeavesOutAToolWhoseListOfAddressesIsEmpty) {
  for (const char* keyword :
       {"email: $reviewers", "emailDomain: $reviewers", "url: {hosts: $reviewers}",
        "url: {hosts: [a.example], paths: $reviewers}"}) {
    const std::string skill =
        absl::StrReplaceAll(kSkill, {{"{in: $reviewers}", absl::StrCat("{", keyword, "}")}});
    ASSERT_NE(skill, kSkill);
    const std::string text =
        absl::StrReplaceAll(skill, {{"    tool: mail.send_message\n",
                                     "    tool: mail.send_message\n    unscoped: A test.\n"}});
    const auto grant = MustGrant({MustLoad(text, catalog_)}, R"({"report_id":"rep_a"})", catalog_);
    EXPECT_EQ(Find(*grant, "mail_send_message"), nullptr) << keyword;
  }
}

// What is no text passes `url`, `email` and `emailDomain`, unless something asks for a text.
TEST(Publish, ShowsWhatAnEmptyListOfTextsLetsThrough) {
  FakeCatalog catalog;
  catalog.Add({BackendRef::Kind::kStub, "reports"}, "find", call::Effect::kRead,
              R"({"type":"object","properties":{"text":{"type":"string"},"any":true,
                  "list":{"type":"array","items":{"type":["string","integer"]}}}})");
  const struct {
    const char* args;
    bool shown;
    const char* why;
  } kRows[] = {
      {"any: {url: {hosts: $none}}", true, "untyped"},
      {"any: {email: $none}", true, "untyped"},
      {"any: {type: [string, integer], emailDomain: $none}", true, "an integer"},
      {"any: {type: string, url: {hosts: $none}}", false, "a text"},
      {"text: {url: {hosts: $none}}", false, "the tool takes texts only"},
      {"any: {in: $none}", false, "nothing is in it"},
      {"list: {type: array, minItems: 1, items: {email: $none}}", true, "integers in a list"},
      {"list: {type: array, minItems: 1, items: {type: string, email: $none}}", false, "texts"},
      {"list: {type: array, items: {type: string, email: $none}}", true, "the empty list"},
  };
  for (const auto& row : kRows) {
    const auto skill = MustLoad(absl::StrCat(R"(skill: a
bindings: {none: {type: array, items: {type: string}, default: []}}
backends: {r: {stub: reports}}
permissions:
  - id: find
    tool: r.find
    args: {)",
                                             row.args, "}\nfinalize: none\n"),
                                catalog);
    const auto grant = MustGrant({skill}, "{}", catalog);
    EXPECT_EQ(Find(*grant, "r_find") != nullptr, row.shown) << row.args << ": " << row.why;
  }
}

// Both have to say yes, with formats checked as strict clients do.
TEST(Publish, RefusesNothingThatIsPermitted) {
  FakeCatalog catalog;
  catalog.Add({BackendRef::Kind::kStub, "reports"}, "find", call::Effect::kRead,
              R"({"type":"object"})");
  const struct {
    const char* schema;
    std::vector<const char*> permitted;
    const char* refused;  // by the published schema too
  } kRows[] = {
      {"email: [Ann.Lee+x@example.com, $one]",
       {R"("Ann.Lee+x@example.com")", R"("Ann.Lee+x@EXAMPLE.com")", R"("d@b\u00fccher.example")",
        R"("d@xn--bcher-kva.example")", R"("d@XN--BCHER-KVA.example")", "5"},
       R"("AnnXLee+x@example.com")"},
      {"email: $many", {R"("a@x.example")", R"("b@X.EXAMPLE")", "null"}, R"("c@x.example")"},
      {"in: [$one, a, a]", {R"("a")", R"("d@xn--bcher-kva.example")"}, R"("b")"},
      {"type: string, emailDomain: [b\u00fccher.example]",
       {R"("x@b\u00fccher.example")", R"("x@XN--BCHER-KVA.example")",
        R"("x@xn--bcher-kva.example")"},
       "5"},
      {"url: {hosts: [b\u00fccher.example]}",
       {R"("https://b\u00fccher.example/a")", R"("https://xn--bcher-kva.example/a")", "5"},
       R"("no url")"},
      {"maxBytes: 4",
       {R"("abcd")", R"("\u00fc\u00fc")", R"("\ud83d\ude00")", "12345"},
       R"("abcde")"},
      {"minBytes: 5", {R"("abcde")", R"("\ud83d\ude00\ud83d\ude00")"}, R"("a")"},
  };
  for (const auto& row : kRows) {
    const auto skill = MustLoad(absl::StrCat(R"(skill: a
bindings: {one: {type: string}, many: {type: array, items: {type: string}}}
backends: {r: {stub: reports}}
permissions:
  - id: find
    tool: r.find
    args: {x: {)",
                                             row.schema, "}}\nfinalize: none\n"),
                                catalog);
    const auto grant = MustGrant(
        {skill}, R"({"one":"d@xn--bcher-kva.example","many":["a@x.example","b@x.example"]})",
        catalog);
    const std::string published = Find(*grant, "r_find")->input_schema;
    std::vector<schema::Problem> problems;
    const auto program = schema::Program::Compile(
        json::MustParse(published).root(),
        {.dialect = schema::Dialect::kTool, .assert_formats = true}, problems);
    ASSERT_TRUE(program.has_value()) << published;
    for (const char* value : row.permitted) {
      const std::string arguments = absl::StrCat(R"({"x":)", value, "}");
      EXPECT_EQ(Decide(*grant, {}, CallOf("r.find", arguments)).reason, call::Reason::kPermitted)
          << row.schema << " " << value;
      EXPECT_TRUE(program->Accepts(json::MustParse(arguments).root())) << published << " " << value;
    }
    const std::string other = absl::StrCat(R"({"x":)", row.refused, "}");
    EXPECT_FALSE(program->Accepts(json::MustParse(other).root())) << published << " " << other;
  }
}

TEST(Publish, KeepsDefinitionsThatArgumentsReferTo) {
  FakeCatalog catalog;
  const BackendRef reports{BackendRef::Kind::kStub, "reports"};
  catalog.Add(reports, "find", call::Effect::kRead, R"({"type":"object","$defs":{"q":{
    "type":"string"}},"properties":{"q":{"$ref":"#/$defs/q"},"x":{"type":"object","properties":{
    "a":{"type":"string","title":"A"},"b":true},"required":["b"]}}})");
  const auto grant = MustGrant({MustLoad(R"(skill: a
backends: {r: {stub: reports}}
permissions:
  - id: find
    tool: r.find
    args:
      q: {type: string, maxLength: 5}
      x: {type: object, properties: {a: {equals: "1"}}, required: [a], additionalProperties: false}
finalize: none
)",
                                         catalog)},
                               "{}", catalog);
  EXPECT_EQ(InputOf(*grant, "r_find"), Canonical(R"({
    "type":"object","additionalProperties":false,"required":["q","x"],
    "$defs":{"q":{"type":"string"}},"properties":{
      "q":{"$ref":"#/$defs/q","type":"string","maxLength":5},
      "x":{"type":"object","additionalProperties":false,"required":["a","b"],
           "properties":{"a":{"type":"string","title":"A","const":"1"}}}}})"));
}

// Every keyword that a skill may use, and what a tool says beside it.
TEST(Publish, IsValidJsonSchemaWhateverTheSkillSays) {
  FakeCatalog catalog;
  catalog.Add({BackendRef::Kind::kStub, "reports"}, "find", call::Effect::kRead, R"({
    "type":"object","properties":{"a":{"type":"object","if":{"required":["x"]},"then":{},
    "properties":{"x":{"type":"string"}},"contains":{}},"b":{"type":["string","null"],"enum":["x","a@b.example"]},
    "c":true}})");
  const auto skill = MustLoad(R"(skill: a
bindings: {own: {type: string}, list: {type: array, items: {type: string}}}
backends: {r: {stub: reports}}
permissions:
  - id: one
    tool: r.find
    args:
      a:
        type: object
        properties: {x: {equals: $own}, w: {$ref: "#/$defs/d"}}
        $defs: {d: {type: string, maxBytes: 5, format: uuid}}
        if: {required: [w]}
        then: {minProperties: 1}
        unevaluatedProperties: false
        dependentRequired: {x: [w]}
        patternProperties: {"^z": {type: array, prefixItems: [{in: $list}], contains: {const: x}, minItems: 1}}
        propertyNames: {type: string, maxLength: 9}
      b: {type: string, email: [a@b.example], oneOf: [{maxBytes: 30}, {minBytes: 2}]}
      c: {type: string, url: {hosts: [a.example]}, not: {plain: true}, optional: true}
  - id: two
    tool: r.find
    schema:
      type: object
      properties: {a: {$ref: "#/$defs/o"}, b: {type: string, path: {}}, d: {$dynamicRef: "#m"}}
      $defs: {o: {type: object, text: any}, m: {$dynamicAnchor: m, type: integer, multipleOf: 2}}
      dependentSchemas: {b: {required: [a]}}
      unevaluatedProperties: false
finalize: none
)",
                              catalog);
  const auto grant = MustGrant({skill}, R"({"own":"o","list":["l"]})", catalog);
  const auto standard = schema::Program::Compile(
      json::MustParse(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})").root(),
      schema::Dialect::kTool);
  ASSERT_TRUE(standard.ok()) << standard.status();
  ASSERT_EQ(grant->tools().size(), 1u);
  const json::Document published = json::MustParse(grant->tools()[0].input_schema);
  EXPECT_TRUE(standard->Accepts(published.root())) << grant->tools()[0].input_schema;
  EXPECT_FALSE(standard->Accepts(json::MustParse(R"({"properties":{"a":5}})").root()));
  // And its references lead somewhere; what is permitted passes it.
  const auto program = schema::Program::Compile(published.root(), schema::Dialect::kTool);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE(program->unchecked().empty());
  for (const char* arguments :
       {R"({"a":{"x":"o","w":"a"},"b":"a@b.example"})", R"({"a":{},"b":"x"})"}) {
    EXPECT_TRUE(program->Accepts(json::MustParse(arguments).root()))
        << arguments << "\n"
        << grant->tools()[0].input_schema;
  }
}

TEST(PublishedName, IsShortAndStable) {
  using internal::PublishedName;
  EXPECT_EQ(PublishedName("reports.get_report"), "reports_get_report");
  EXPECT_EQ(PublishedName("a.b.c-d"), "a_b_c-d");
  const std::string long_name = "backend." + std::string(56, 'x');
  ASSERT_EQ(long_name.size(), 64);
  const std::string shortened = PublishedName(long_name);
  EXPECT_EQ(shortened.size(), 60);
  EXPECT_EQ(shortened, PublishedName(long_name));
  EXPECT_NE(shortened, PublishedName("backend." + std::string(55, 'x') + "y"));
  EXPECT_EQ(PublishedName("b." + std::string(58, 'x')).size(), 60) << "just fits";
  EXPECT_EQ(PublishedName("b." + std::string(58, 'x')), "b_" + std::string(58, 'x'));
}

}  // namespace
}  // namespace tipstaff::policy
