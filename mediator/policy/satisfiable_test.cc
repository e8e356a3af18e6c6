// Deny rules that load only where a call can meet them.
#include "mediator/policy/satisfiable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

using ::testing::HasSubstr;

constexpr char kTool[] = R"({"type":"object","properties":{
    "to":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}},
    "subject":{"type":"string"}, "count":{"type":"integer"}, "any":{},
    "priority":{"enum":["low","high"],"default":"high"},
    "headers":{"type":"object","properties":{"accept":{}},"additionalProperties":{"type":"string"}},
    "pair":{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}, "cc":{"type":"array","default":["a@b.c"]},
    "open":{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{}]}},
    "required":["to"]})";

FakeCatalog CatalogWith(const char* other = R"({"type":"object","properties":{"text":{}}})") {
  FakeCatalog catalog;
  catalog.Add(BackendRef{BackendRef::Kind::kStub, "post"}, "send", call::Effect::kWrite, kTool);
  catalog.Add(BackendRef{BackendRef::Kind::kStub, "post"}, "note", call::Effect::kWrite, other);
  return catalog;
}

std::string SkillWith(absl::string_view rule) {
  return absl::StrCat(R"(skill: a
bindings: {own: {type: string}}
backends: {p: {stub: post}}
finalize: none
permissions: []
deny:
  - )",
                      rule, "\n");
}

source::Diagnostics FindingsOf(const std::string& text, const FakeCatalog& catalog) {
  source::Diagnostics findings, all;
  TryLoad(text, catalog, all);
  for (const source::Diagnostic& one : all) {
    if (one.code != kNoDenialTest) findings.push_back(one);
  }
  return findings;
}

struct Row {
  const char* reason;
  const char* rule;
  const char* code;  // "" for one that loads without a finding
  const char* message;
};

const Row kRows[] = {
    {"a misspelt argument", "args: {sbject: {const: x}}", kIdleSchema, "it takes no `sbject` here"},
    {"below `not`", "args: {sbject: {not: {const: x}}}", kIdleSchema, "`sbject`"},
    {"one that need not be there", "args: {sbject: {const: x, optional: true}}", kIdleSchema,
     "`sbject`"},
    {"in a schema of all", "schema: {not: {type: object, properties: {sbject: {const: x}}}}",
     kIdleSchema, "`sbject`"},
    {"where it is required", "schema: {required: [sbject]}", kIdleSchema, "`sbject`"},
    {"in one branch", "schema: {anyOf: [{required: [sbject]}, {required: [to]}]}", kIdleSchema,
     "`sbject`"},
    {"a misspelt member of an item", "args: {to: {contains: {required: [nam]}}}", kIdleSchema,
     "`nam`"},
    {"a member that there is", "args: {to: {contains: {required: [name]}}}", "", ""},
    {"members that may be listed elsewhere", "args: {open: {required: [b]}}", "", ""},
    {"where no members are listed", "args: {any: {required: [b]}}", "", ""},
    {"another type", "args: {subject: {type: array}}", kIdleSchema,
     "it takes a string here, and the rule asks for an array"},
    {"a value of another type", "args: {count: {const: '5'}}", kIdleSchema,
     "it takes an integer here"},
    {"values of other types", "args: {count: {enum: ['5', true]}}", kIdleSchema, "an integer"},
    {"one of its type among them", "args: {count: {enum: ['5', 5]}}", "", ""},
    {"a number without a fraction", "args: {count: {const: 5.0}}", "", ""},
    {"one with a fraction", "args: {count: {const: 5.5}}", kIdleSchema, "an integer"},
    {"a literal among bindings", "args: {count: {in: [$own, x]}}", "", ""},
    {"a type below `not`", "args: {subject: {not: {type: array, maxItems: 3}}}", "", ""},
    {"the type that the tool asks for", "args: {subject: {not: {type: string}}}", "", ""},
    {"false", "args: {any: false}", kIdleSchema,
     "nothing meets the rule: `false` holds of nothing"},
    {"false of all", "schema: false", kIdleSchema, "`false`"},
    {"false, but it need not be there", "args: {any: {anyOf: [false, false], optional: true}}", "",
     ""},
    {"`not` around what every list satisfies",
     "args: {to: {not: {type: array, contains: {const: x}, minContains: 0}}}", kIdleSchema,
     "below `not` holds of all that it takes"},
    {"around what every text satisfies",
     "args: {subject: {not: {type: string, anyOf: [{const: x}, {minLength: 0}]}}}", kIdleSchema,
     "below `not`"},
    {"around what only most satisfy", "args: {subject: {not: {type: string, minLength: 1}}}", "",
     ""},
    {"without a type, too", "args: {to: {not: {contains: {const: x}, minContains: 0}}}", kSlipsPast,
     ""},
    {"false in a branch", "args: {any: {anyOf: [{const: x}, false]}}", "", ""},
    {"false in all branches", "args: {any: {anyOf: [false, {allOf: [true, false]}]}}", kIdleSchema,
     ""},
    {"an item that cannot be", "args: {to: {contains: {type: string}}}", kIdleSchema,
     "it takes an object here"},
    {"all items", "args: {to: {items: {const: x}}}", kSlipsPast, "one item that `items`"},
    {"no other members", "schema: {properties: {to: {}}, additionalProperties: false}", kSlipsPast,
     "one member that `additionalProperties`"},
    {"nor such as are not evaluated", "schema: {required: [to], unevaluatedProperties: false}",
     kSlipsPast, "`unevaluatedProperties`"},
    {"all names", "args: {any: {propertyNames: {const: x}}}", kSlipsPast, "`propertyNames`"},
    {"all members of a pattern", "args: {any: {patternProperties: {^x: {const: x}}}}", kSlipsPast,
     "`patternProperties`"},
    {"other members that are not allowed",
     "schema: {not: {type: object, properties: {to: {}}, additionalProperties: false}}", "", ""},
    {"all others", "schema: {required: [to], additionalProperties: true}", "", ""},
    {"a name where others are said to be let in", "args: {headers: {required: [authorization]}}",
     "", ""},
    {"an item after those of a tuple", "args: {pair: {contains: {const: x}}}", "", ""},
    {"a value that is no choice of the tool's", "args: {priority: {const: hgih}}", kIdleSchema,
     "it takes only"},
    {"one that is", "args: {priority: {in: [hgih, high]}}", "", ""},
    {"a type with a description", "args: {subject: {not: {type: string, description: x}}}", "", ""},
};

TEST(DenyRuleThatCanDenyNothing, DoesNotLoad) {
  const FakeCatalog catalog = CatalogWith();
  for (const Row& row : kRows) {
    SCOPED_TRACE(absl::StrCat(row.reason, ": ", row.rule));
    const source::Diagnostics findings = FindingsOf(
        SkillWith(absl::StrCat("{id: r, tool: p.send, reason: No., ", row.rule, "}")), catalog);
    if (*row.code == '\0') {
      EXPECT_TRUE(findings.empty()) << source::RenderText(findings);
      continue;
    }
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].code, row.code) << source::RenderText(findings);
    EXPECT_EQ(findings[0].severity, source::Severity::kError);
    EXPECT_THAT(findings[0].message, HasSubstr(row.message));
  }
}

TEST(DenyRuleThatCanDenyNothing, IsOneThatNoToolMeets) {
  const auto severity = [](absl::string_view rule) -> std::string {
    const source::Diagnostics findings = FindingsOf(SkillWith(rule), CatalogWith());
    if (findings.empty()) return "";
    return findings[0].severity == source::Severity::kError ? "error" : "warning";
  };
  EXPECT_EQ(severity("{id: r, tool: p.*, reason: No., args: {subject: {const: x}}}"), "");
  EXPECT_EQ(severity("{id: r, tool: p.*, reason: No., args: {text: {const: x}}}"), "");
  EXPECT_EQ(severity("{id: r, tool: p.*, reason: No., args: {text: {const: x}, to: {}}}"), "error");
  EXPECT_EQ(severity("{id: r, tool: '*.send', reason: No., args: {channel: {const: x}}}"),
            "warning")
      << "a backend of another skill may have it";
}

TEST(DenyRuleThatCanDenyNothing, IsShownWhereItsNameIsMisspelt) {
  const source::Diagnostics findings = FindingsOf(
      SkillWith("{id: r, tool: p.send, reason: No., args: {sbject: {const: x}}}"), CatalogWith());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].span.line, 7);
  EXPECT_EQ(findings[0].span.column, 47);
  EXPECT_EQ(findings[0].label, "did you mean `subject`?");
}

TEST(OptionalArgument, WithADefaultThatThePermissionDoesNotAllow) {
  const auto codes = [](absl::string_view args) {
    std::vector<std::string> codes;
    const std::string text = absl::StrCat(R"(skill: a
backends: {p: {stub: post}}
finalize: none
permissions:
  - {id: x, tool: p.send, unscoped: A test., args: {to: {type: array}, )",
                                          args, "}}\n");
    for (const auto& one : FindingsOf(text, CatalogWith())) codes.push_back(one.code);
    return codes;
  };
  EXPECT_THAT(codes("priority: {enum: [low], optional: true}"), testing::ElementsAre(kOpenDefault));
  EXPECT_THAT(codes("priority: {enum: [low]}"), testing::IsEmpty());
  EXPECT_THAT(codes("priority: {enum: [low, high], optional: true}"), testing::IsEmpty());
}

}  // namespace
}  // namespace tipstaff::policy
