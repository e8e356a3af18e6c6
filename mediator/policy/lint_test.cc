#include "mediator/policy/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

// The codes of the warnings of a skill that loads, without those for missing tests.
std::vector<std::string> WarningsOf(const std::string& text, const FakeCatalog& catalog = {}) {
  source::Diagnostics diagnostics;
  EXPECT_NE(TryLoad(text, catalog, diagnostics), nullptr) << source::RenderText(diagnostics);
  std::vector<std::string> codes;
  for (const source::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.code != kNoDenialTest) codes.push_back(diagnostic.code);
  }
  return codes;
}

std::string TwoPermissions(const std::string& first, const std::string& second,
                           const std::string& more = "") {
  return absl::StrCat(R"(skill: search
bindings: {mine: {type: string}, all: {type: array, items: {type: string}}}
backends: {tickets: {stub: tickets}, reports: {stub: reports}}
finalize: none
permissions:
  - id: wide
    tool: tickets.search_tickets
)",
                      first, "\n  - id: narrow\n    tool: tickets.search_tickets\n", second, "\n",
                      more);
}

struct Pair {
  const char* reason;
  const char* wide;
  const char* narrow;
  bool covered;
};

TEST(LintCovered, SaysSoOnlyWhereItIsCertain) {
  const Pair kPairs[] = {
      {"a lower bound", "args: {query: {type: string, maxBytes: 9}}",
       "args: {query: {type: string, maxBytes: 5}}", true},
      {"a higher bound", "args: {query: {type: string, maxBytes: 5}}",
       "args: {query: {type: string, maxBytes: 9}}", false},
      {"the other bound is not there", "args: {query: {type: string}}",
       "args: {query: {type: string, minBytes: 3, pattern: \"^a\"}}", true},
      {"a least value under another", "args: {query: {type: string, minBytes: 2}}",
       "args: {query: {type: string, minBytes: 1}}", false},
      {"a least value over another", "args: {query: {type: string, minBytes: 2}}",
       "args: {query: {type: string, minBytes: 3}}", true},
      {"fewer values", "args: {query: {enum: [a, b]}}", "args: {query: {enum: [b]}}", true},
      {"another value", "args: {query: {enum: [a, b]}}", "args: {query: {enum: [b, c]}}", false},
      {"one value of several", "args: {query: {enum: [a, b]}}", "args: {query: {const: b}}", true},
      {"one binding of several", "args: {query: {in: [$mine, x]}}",
       "args: {query: {equals: $mine}}", true},
      {"another binding", "args: {query: {in: $all}}", "args: {query: {equals: $mine}}", false},
      {"an integer is a number", "args: {query: {type: [number, string]}}",
       "args: {query: {type: integer}}", true},
      {"a number need not be an integer", "args: {query: {type: integer}}",
       "args: {query: {type: number}}", false},
      {"no type beside a type", "args: {query: {type: string}}", "args: {query: {enum: [a]}}",
       false},
      {"more characters", "args: {query: {type: string}}",
       "args: {query: {type: string, text: lines}}", false},
      {"fewer characters", "args: {query: {type: string, text: any}}",
       "args: {query: {type: string, text: lines}}", true},
      {"more characters in a part", "args: {query: {}}",
       "args: {query: {type: array, items: {type: string, text: lines}}}", false},
      {"items", "args: {query: {type: array, items: {type: string, maxBytes: 9}}}",
       "args: {query: {type: array, maxItems: 2, items: {type: string, maxBytes: 8}}}", true},
      {"items of a tuple", "args: {query: {type: array, items: {type: string}}}",
       "args: {query: {type: array, prefixItems: [{type: integer}], items: {type: string}}}",
       false},
      {"what depends on its neighbours",
       "args: {query: {type: object, properties: {a: {}}, additionalProperties: false}}",
       "args: {query: {type: object, properties: {b: {}}, additionalProperties: false}}", false},
      {"the same schema whatever it is", "args: {query: {anyOf: [{const: a}, {type: integer}]}}",
       "args: {query: {anyOf: [{const: a}, {type: integer}]}}", true},
      {"an argument that may be left out", "args: {query: {type: string}}",
       "args: {query: {type: string, optional: true}}", false},
      {"one that is not listed", "args: {query: {type: string}}",
       "args: {query: {type: string}, limit: {type: integer}}", false},
      {"one that need not be given",
       "args: {query: {type: string}, limit: {type: integer, optional: true}}",
       "args: {query: {type: string}}", true},
      {"one that has to be given", "args: {query: {type: string}, limit: {type: integer}}",
       "args: {query: {type: string}}", false},
      {"limits of the wide one may run out",
       "args: {query: {type: string}}\n    limits: {calls: 1}", "args: {query: {type: string}}",
       false},
      {"limits of the narrow one never hold", "args: {query: {type: string}}",
       "args: {query: {type: string}}\n    limits: {calls: 1}", true},
      {"it waits for more", "args: {query: {type: string}}",
       "args: {query: {type: string}}\n    after: [first]", true},
      {"the wide one waits for more", "args: {query: {type: string}}\n    after: [first]",
       "args: {query: {type: string}}", false},
      {"another label", "args: {query: {type: string}}\n    result: {marks: [a]}",
       "args: {query: {type: string}}\n    result: {marks: [b]}", false},
      {"annotations say nothing", "args: {query: {type: string, title: Words}}",
       "args: {query: {type: string, description: x}}", true},
  };
  const std::string first = R"(  - id: first
    tool: reports.get_report
    args: {report_id: {type: string}}
)";
  for (const Pair& pair : kPairs) {
    source::Diagnostics diagnostics;
    const std::string text =
        TwoPermissions(absl::StrCat("    ", pair.wide), absl::StrCat("    ", pair.narrow), first);
    EXPECT_NE(TryLoad(text, FakeCatalog(), diagnostics), nullptr)
        << source::RenderText(diagnostics);
    bool covered = false;
    for (const source::Diagnostic& diagnostic : diagnostics) {
      covered = covered || (diagnostic.code == kCoveredPermission &&
                            diagnostic.message.rfind("`wide` allows every call", 0) == 0);
    }
    EXPECT_EQ(covered, pair.covered) << pair.reason;
  }
}

TEST(LintCovered, OneThatOthersWaitForIsNotNeedless) {
  const std::string waits = R"(  - id: last
    tool: reports.get_report
    after: [narrow]
    args: {report_id: {type: string}}
)";
  const std::string both = "    args: {query: {type: string}}";
  EXPECT_THAT(WarningsOf(TwoPermissions(both, both)), testing::Contains(kCoveredPermission));
  // The other one, though earlier, is.
  source::Diagnostics diagnostics;
  TryLoad(TwoPermissions(both, both, waits), FakeCatalog(), diagnostics);
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].code, kCoveredPermission);
  EXPECT_EQ(diagnostics[0].message, "`narrow` allows every call that this one does");
}

TEST(LintUsable, SeesWhatComesBeforeOverOthers) {
  const std::string text = R"(skill: a
backends: {tickets: {stub: tickets}}
finalize: none
permissions:
  - id: one
    tool: tickets.search_tickets
    args: {query: {type: string}}
    result: {marks: [seen]}
  - id: two
    tool: tickets.get_ticket
    after: [one]
    args: {ticket_id: {type: string}}
  - id: three
    tool: tickets.comment_ticket
    after: [two]
    refused_after: [seen]
    unscoped: A test.
    args: {ticket_id: {type: string}, body: {type: string}}
)";
  EXPECT_THAT(WarningsOf(text), testing::ElementsAre(kNeverUsable));
  EXPECT_THAT(WarningsOf(text + "deny:\n  - {id: d, tool: tickets.search_*, reason: x}\n"),
              testing::UnorderedElementsAre(kAlwaysDenied, kNeverUsable, kNeverUsable));
}

// Tools may list arguments elsewhere than in `properties`, or take any.
TEST(LintArguments, SaysNothingOfToolsThatDoNotListTheirArguments) {
  struct Row {
    const char* reason;
    const char* schema;
    std::vector<std::string> codes;
  };
  const Row kRows[] = {
      {"nothing is listed", R"({"type":"object"})", {}},
      {"nothing is taken", R"({"type":"object","additionalProperties":false})", {kForeignArgument}},
      {"listed in a part", R"({"properties":{"a":{}},"allOf":[{"properties":{"b":{}}}]})", {}},
      {"names by a pattern", R"({"properties":{"a":{}},"patternProperties":{"^b":{}}})", {}},
      {"listed", R"({"properties":{"b":{}}})", {}},
      {"not listed", R"({"properties":{"a":{}}})", {kForeignArgument}},
      {"another type", R"({"properties":{"b":{"type":["array","null"]}}})", {kOtherType}},
      {"an integer for a number", R"({"properties":{"b":{"type":"number"}}})", {}},
      {"a number for an integer", R"({"properties":{"b":{"type":"integer"}}})", {}},
  };
  for (const Row& row : kRows) {
    FakeCatalog catalog;
    catalog.Add({BackendRef::Kind::kStub, "any"}, "tool", call::Effect::kRead, row.schema);
    const bool number = absl::string_view(row.reason).find("number") != absl::string_view::npos;
    EXPECT_EQ(
        WarningsOf(absl::StrCat("skill: a\nbackends: {any: {stub: any}}\nfinalize: none\n",
                                "permissions:\n  - id: p\n    tool: any.tool\n    args: {b: {",
                                "type: ", number ? "[number, integer]" : "boolean", "}}\n"),
                   catalog),
        row.codes)
        << row.reason;
  }
}

}  // namespace
}  // namespace tipstaff::policy
