#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_replace.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

// A skill that checks without a warning. A row of the table below changes one text of it.
constexpr char kGood[] = R"(skill: triage
description: Reads one report.
bindings:
  report_id: {type: string, pattern: "^rep_[a-z0-9]{8}$"}
  reviewers: {type: array, items: {type: string}, default: []}
scope: [report_id, reviewers]
backends:
  reports: {stub: reports}
  mail: {stub: mailbox}
limits: {calls: 200, wall: 30m, result_bytes: 2MiB}
permissions:
  - id: read
    tool: reports.get_report
    args:
      report_id: {equals: $report_id}
  - id: note
    tool: mail.send_message
    args:
      to: {type: array, minItems: 1, maxItems: 3, items: {in: $reviewers}}
      subject: {type: string, maxBytes: 200}
      body: {type: string, text: lines, maxBytes: 20000}
    limits: {calls: 5}
  - id: submit
    tool: reports.submit_result
    effect: finalize
    after: [read]
    args:
      report_id: {equals: $report_id}
      severity: {enum: [none, low]}
      summary: {type: string, maxBytes: 8000}
deny:
  - {id: no-attach, tool: "*.attach_*", reason: Never.}
tests:
  - name: another report
    run: {report_id: rep_aaaaaaaa}
    call: {tool: reports.get_report, args: {report_id: rep_bbbbbbbb}}
    expect: {decision: deny, reason: out_of_scope, nearest: read, at: /report_id}
  - name: its own report
    run: {report_id: rep_aaaaaaaa}
    call: {tool: reports.get_report, args: {report_id: rep_aaaaaaaa}}
    expect: {decision: allow}
)";

TEST(LoadSkill, LoadsAGoodOne) {
  source::Diagnostics diagnostics;
  const auto skill = TryLoad(kGood, FakeCatalog(), diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << source::RenderText(diagnostics);
  ASSERT_NE(skill, nullptr);
  EXPECT_EQ(skill->name(), "triage");
  EXPECT_EQ(skill->description(), "Reads one report.");
  EXPECT_EQ(skill->digest(), base::ToHex(base::DigestOf(kGood)));
  ASSERT_EQ(skill->backends().size(), 2);
  EXPECT_EQ(skill->backends()[1].first, "mail");
  EXPECT_EQ(skill->backends()[1].second.ToString(), "stub:mailbox");
  EXPECT_EQ(skill->limits().use[LimitKind::kCalls], 200);
  EXPECT_EQ(skill->limits().wall, absl::Minutes(30));
  EXPECT_EQ(skill->limits().use[LimitKind::kResultBytes], 2 << 20);
}

struct Row {
  const char* from;  // a text of kGood, or "" for the whole of it
  const char* to;
  const char* code;
  int line, column;
  const char* message;
};

const Row kRows[] = {
    {"limits: {calls: 200,", "limit: {calls: 200,", kUnknownKey, 10, 1,
     "unknown key `limit` in a skill"},
    {"    limits: {calls: 5}", "    limit: {calls: 5}", kUnknownKey, 22, 5,
     "unknown key `limit` in a permission"},
    {"reason: Never.}", "reason: Never., why: x}", kUnknownKey, 32, 57, "in a deny rule"},
    {"", "[1]", kWrongKind, 1, 1, "a skill is a mapping"},
    {"description: Reads one report.", "description: [a]", kWrongKind, 2, 14, "takes a text"},
    {"scope: [report_id, reviewers]", "scope: report_id", kWrongKind, 6, 8, "takes a list"},
    {"    effect: finalize", "    effect: final", kWrongKind, 25, 13, "unknown effect `final`"},
    {"skill: triage\n", "", kMissingKey, 1, 1, "`skill` is missing"},
    {"    tool: reports.get_report\n", "", kMissingKey, 12, 5,
     "`tool`, `resource`, `prompt` or `completion` is missing in a permission"},
    {"call: {tool: reports.get_report, args", "call: {args", kMissingKey, 36, 11,
     "`tool`, `resource`, `prompt` or `completion` is missing in a call"},
    {"    tool: reports.get_report\n", "    tol: reports.get_report\n", kUnknownKey, 13, 5,
     "unknown key `tol`"},
    {"    tool: reports.get_report\n", "    prompt: reports.*\n", kUnusableTool, 13, 13,
     "a permission is for one prompt, and `*` in `reports.*` stands for several"},
    {"    tool: reports.get_report\n", "    tool: reports.get_*\n", kUnusableTool, 13, 11,
     "a permission is for one tool, and `*` in `reports.get_*` stands for several"},
    {", reason: Never.", "", kMissingKey, 32, 5, "`reason` is missing in a deny rule"},
    {"    limits: {calls: 5}", "    resource: x.*", kWrongCompany, 22, 5,
     "`tool` and `resource` in a permission"},
    {"description: Reads one report.", "names: short", kWrongKind, 2, 8, "`names` takes `bare`"},
    {"    limits: {calls: 5}", "    approval: [leads]", kWrongKind, 22, 15, "an approval"},
    {"    limits: {calls: 5}", "    approval: {expires: 15m}", kMissingKey, 22, 15,
     "`by` is missing"},
    {"    limits: {calls: 5}", "    approval: {by: [leads, leads]}", kDuplicate, 22, 28, "twice"},
    {"    limits: {calls: 5}", "    approval: {by: [leads], expires: soon}", kBadLimit, 22, 38,
     "`expires` takes a duration"},
    {"    limits: {calls: 5}", "    approval: {by: [leads], in: 5m}", kUnknownKey, 22, 29,
     "unknown key `in` in an approval"},
    {"    limits: {calls: 5}", "    schema: {type: object}", kArgsAndSchema, 22, 5,
     "`schema` stands in place of `args`"},
    {"    args:\n      report_id: {equals: $report_id}\n  - id: note",
     "    schema: {type: object, required: [report_id]}\n  - id: note", kOpenSchema, 14, 5,
     "does not say what becomes of arguments"},
    {"    args:\n      report_id: {equals: $report_id}\n  - id: note",
     "    schema: {unevaluatedProperties: false}\n  - id: note", kOpenSchema, 14, 5,
     "`type: object`"},
    {"    args:\n      report_id: {equals: $report_id}\n  - id: note",
     "    schema: []\n  - id: note", kBadKeywordValue, 14, 13, "a schema is a mapping"},
    {"tool: \"*.attach_*\",", "tool: \"*.attach_*\", args: {a: {typ: x}},", kUnknownKeyword, 32, 52,
     "`typ`"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {if: {not: {plain: true}}, then: false, else: true}},",
     kSlipsPast, 32, 63, "`plain`"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {not: {type: array, contains: {plain: true}, maxContains: "
     "0}}},",
     kSlipsPast, 32, 82, "`plain`"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {not: {$ref: \"#/$defs/d\"}, $defs: {d: {not: {plain: "
     "true}}}}},",
     kSlipsPast, 32, 96, "`plain`"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {not: {type: array, text: line, items: {type: string}}}},",
     kSlipsPast, 32, 71, "does not ask for `text`"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {not: {$ref: \"urn:b\"}}, b: {$id: \"urn:b\", not: {plain: "
     "true}}},",
     kSlipsPast, 32, 99, "`plain`"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {not: {type: [string, array], items: {plain: true}}}},",
     kSlipsPast, 32, 81, "types that `items` is not about"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {not: {type: [number, string], anyOf: [{maximum: 5}]}}},",
     kSlipsPast, 32, 91, "types that `maximum` is not about"},
    {"tool: \"*.attach_*\",", "tool: \"*.attach_*\", args: {a: {not: {maximum: 5}}},", kSlipsPast,
     32, 58, "types that `maximum` is not about"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", args: {a: {not: {$ref: \"#/$defs/d\"}, $defs: {d: {pattern: x}}}},",
     kSlipsPast, 32, 90, "types that `pattern` is not about"},
    {"tool: \"*.attach_*\",", "tool: \"*.attach_*\", args: {a: {text: line, pattern: evil}},",
     kSlipsPast, 32, 52, "`text`"},
    {"tool: \"*.attach_*\",", "tool: \"*.attach_*\", args: {a: {email: [a@b.c]}},", kSlipsPast, 32,
     52, "a rule that asks for `email`"},
    {"tool: \"*.attach_*\",", "tool: \"*.attach_*\", args: {a: {not: {not: {url: {hosts: [a]}}}}},",
     kSlipsPast, 32, 64, "`url`"},
    {"tool: \"*.attach_*\",", "tool: \"*.attach_*\", args: {a: {not: {oneOf: [{plain: true}]}}},",
     kSlipsPast, 32, 67, "`plain`"},
    {"tool: \"*.attach_*\",",
     "tool: \"*.attach_*\", schema: {properties: {email: {anyOf: [{format: date}]}}},", kSlipsPast,
     32, 80, "`format`"},
    {"tool: \"*.attach_*\",", "tool: mail.send_message, args: {sbject: {const: x}},", kIdleSchema,
     32, 53, "no call of `mail.send_message` meets the rule: it takes no `sbject` here"},
    {"skill: triage", "skill: tri age", kBadName, 1, 8, "`tri age` is no name"},
    {"  mail: {stub: mailbox}", "  ma.il: {stub: mailbox}", kBadName, 9, 3, "`ma.il`"},
    {"  reviewers: {type", "  re-viewers: {type", kBadName, 5, 3, "no name for a binding"},
    {"  - id: note", "  - id: read", kDuplicate, 16, 9, "the id `read` is used twice"},
    {"scope: [report_id, reviewers]", "scope: [report_id, reviewers, report_id]", kDuplicate, 6, 31,
     "twice"},
    {"after: [read]", "after: [read, read]", kDuplicate, 26, 19, "listed twice"},
    {"reviewers: {type: array, items", "reviewers: {items", kUntypedBinding, 5, 3,
     "add for instance `type: string`"},
    {"  report_id: {type: string, pattern: \"^rep_[a-z0-9]{8}$\"}", "  report_id: true",
     kUntypedBinding, 4, 3, "a binding has one type"},
    {"summary: {type: string, maxBytes: 8000}", "summary: {type: string, description: 7}",
     kBadKeywordValue, 30, 44, "`description` takes a string"},
    {"default: []", "default: [5]", kBadDefault, 5, 60, "does not satisfy `type`"},
    {"body: {type: string, text: lines, maxBytes", "body: {type: string, text: lines, maxByte",
     kUnknownKeyword, 21, 41, "unknown keyword `maxByte`"},
    {"summary: {type: string, maxBytes: 8000}", "summary: {type: string, format: emial}",
     kBadKeywordValue, 30, 39, "unknown format `emial`"},
    {"summary: {type: string, maxBytes: 8000}", "summary: {type: string, anyOf: []}",
     kBadKeywordValue, 30, 38, "takes a list of at least one schema"},
    {"summary: {type: string, maxBytes: 8000}", "summary: {type: string, sensitive: true}",
     kNotSensitive, 30, 31, "what a run submits is recorded"},
    {"maxBytes: 8000", "maxBytes: many", kBadKeywordValue, 30, 41, "`maxBytes` takes a whole"},
    {"^rep_[a-z0-9]{8}$", "^rep_(?=x)", kBadPattern, 4, 38, "look-around"},
    {"      report_id: {equals: $report_id}\n      severity",
     "      report_id: {equals: $report}\n      severity", kUnknownBinding, 28, 27,
     "unknown binding `$report`"},
    {"severity: {enum: [none, low]}", "severity: {enum: [none, $report_id]}", kMisplacedBinding, 29,
     24, "does not refer to a binding"},
    {"severity: {enum: [none, low]}", "severity: {type: string, minLength: 5, maxLength: 2}",
     kContradiction, 29, 43, "nothing passes"},
    {"severity: {enum: [none, low]}", "severity: {type: integer, equals: $report_id}",
     kContradiction, 29, 41, "`type` asks for an integer, and `$report_id` is a string"},
    {"items: {in: $reviewers}}", "items: {type: integer, in: $reviewers}}", kContradiction, 19, 78,
     "the items of `$reviewers` are each a string"},
    {"reason: Never.}", "reason: Never., args: {name: {type: integer, equals: $report_id}}}",
     kContradiction, 32, 94, "`type` asks for an integer"},
    {"subject: {type: string, maxBytes: 200}",
     "subject: {type: string, url: {hosts: [$report_id, $hosts]}}", kUnknownBinding, 20, 57,
     "unknown binding `$hosts`"},
    {"subject: {type: string, maxBytes: 200}", "subject: {type: string, url: {hosts: $report_id}}",
     kBadKeywordValue, 20, 44, "the binding `report_id` is not an array: write it in a list"},
    {"subject: {type: string, maxBytes: 200}", "subject: {type: string, url: $reviewers}",
     kBadKeywordValue, 20, 36, "`url` takes a mapping"},
    {"subject: {type: string, maxBytes: 200}",
     "subject: {type: string, url: {hosts: [$reviewers]}}", kBadKeywordValue, 20, 45,
     "`$reviewers` is an array, and `hosts` lists texts"},
    {"subject: {type: string, maxBytes: 200}",
     "subject: {type: string, url: {hosts: [a.example], ports: [$report_id]}}", kBadKeywordValue,
     20, 65, "`$report_id` is a string, and `ports` lists numbers"},
    {"subject: {type: string, maxBytes: 200}",
     "subject: {type: string, url: {hosts: [a.example], ports: $reviewers}}", kBadKeywordValue, 20,
     64, "the items of `$reviewers` are each a string, and `ports` lists numbers"},
    {"subject: {type: string, maxBytes: 200}",
     "subject: {type: string, url: {hosts: [a.example], paths: [\"$ x\"]}}", kMisplacedBinding, 20,
     65, "no name of a binding"},
    {"subject: {type: string, maxBytes: 200}", "subject: {type: string, email: [$reviewers]}",
     kBadKeywordValue, 20, 39, "`$reviewers` is an array, and `email` lists texts"},
    {"  - id: submit", R"(  - id: put
    tool: reports.attach_evidence
    args:
      report_id: {type: string, url: {hosts: [$report_id]}}
  - id: submit)",
     kUnscopedWrite, 24, 11, "whose required arguments are not bound to `scope`"},
    {"maxItems: 3", "maxLength: 3", kNeverApplies, 19, 38, "says nothing about an array"},
    {"reports: {stub: reports}", "reports: {stub: reports, upstream: x}", kBadBackend, 8, 12,
     "either"},
    {"mail: {stub: mailbox}", "mail: {stub: mailbx}", kUnknownBackend, 9, 16,
     "there is no stub `mailbx`"},
    {"tool: reports.get_report", "tool: report.get_report", kUnknownAlias, 13, 11,
     "no backend is called `report`"},
    {"tool: reports.get_report", "tool: get_report", kUnknownAlias, 13, 11, "write `alias.tool`"},
    {"tool: reports.get_report", "tool: reports.get_reports", kUnknownTool, 13, 11,
     "there is no tool `reports.get_reports`"},
    {"tool: reports.get_report", "tool: \"reports.get report\"", kUnusableTool, 13, 11,
     "cannot be called"},
    {"    effect: finalize", "    effect: write", kLoweredEffect, 25, 13,
     "the effect of `reports.submit_result` is finalize"},
    {"deny:", R"(  - id: note-more
    tool: mail.send_message
    effect: finalize
    args: {to: {in: $reviewers}, subject: {type: string}, body: {type: string}}
deny:)",
     kEffectsDiffer, 32, 11, "is a finalize here and a write in `note`"},
    {"", "skill: a\nbackends: {reports: {stub: reports}}\npermissions: []\n", kNoFinalize, 3, 1,
     "no permission finalizes"},
    {"description: Reads one report.", "finalize: none", kSeveralFinalize, 25, 13,
     "the skill says `finalize: none`"},
    {"    tool: mail.send_message\n", "    tool: mail.send_message\n    effect: finalize\n",
     kSeveralFinalize, 26, 13, "`note` and `submit` both finalize"},
    {"description: Reads one report.", "finalize: yes_please", kWrongKind, 2, 11,
     "`finalize` takes `none`"},
    {"minItems: 1, maxItems: 3", "maxItems: 3", kUnscopedWrite, 17, 11,
     "whose required arguments are not bound to `scope`"},
    {"scope: [report_id, reviewers]", "scope: [report_id]", kUnscopedWrite, 17, 11, "a write"},
    {"report_id: {equals: $report_id}\n      severity",
     "report_id: {equals: $report_id, optional: true}\n      severity", kUnscopedWrite, 24, 11,
     "a finalize"},
    {"    limits: {calls: 5}", "    unscoped: Everyone may.", kNeedlessUnscoped, 22, 5,
     "bound to the scope"},
    {"    tool: reports.get_report\n", "    tool: reports.get_report\n    unscoped: x\n",
     kNeedlessUnscoped, 14, 5, "about a read"},
    {"scope: [report_id, reviewers]", "scope: [report_id, reviewer]", kUnknownScope, 6, 20,
     "none called `reviewer`"},
    {"after: [read]", "after: [raed]", kUnknownPermission, 26, 13, "no permission `raed`"},
    {"nearest: read", "nearest: reed", kUnknownPermission, 37, 61, "no permission `reed`"},
    {"    tool: reports.get_report\n", "    tool: reports.get_report\n    after: [submit]\n",
     kAfterItself, 14, 5, "a circle: `read` waits for `submit` waits for `read`"},
    {"limits: {calls: 5}", "limits: {calls: 0}", kBadLimit, 22, 21, "over 0"},
    {"limits: {calls: 5}", "limits: {calls_per_minute: 1.5}", kBadLimit, 22, 32, "a whole number"},
    {"limits: {calls: 5}", "limits: {argument_bytes: 5 apples}", kBadLimit, 22, 30, "a size"},
    {"limits: {calls: 5}", "limits: {wall: 5m}", kUnknownKey, 22, 14, "unknown key `wall`"},
    {"limits: {calls: 5}", "refused_after: untrusted", kWrongKind, 22, 20, "takes a list"},
    {"limits: {calls: 5}", "refused_after: [a, a]", kDuplicate, 22, 24, "listed twice"},
    {"limits: {calls: 5}", "result: {marks: [\"a b\"]}", kBadName, 22, 22, "`a b` is no name"},
    {"limits: {calls: 5}", "result: {marks: [5]}", kWrongKind, 22, 22, "a label is a text"},
    {"limits: {calls: 5}", "result: {sensitive: [a, \"/a~\"]}", kBadPart, 22, 29,
     "`/a~` is no JSON pointer"},
    {"    after: [read]", "    after: [read]\n    result: {sensitive: [id]}", kNotSensitive, 27, 14,
     "the receipt of a run is recorded"},
    {"  report_id: {type: string,", "  report_id: {sensitive: true, type: string,", kNotSensitive,
     4, 15, "the bindings of a run are recorded"},
    {"tool: \"*.attach_*\",", "tool: \"*.attach_*\", args: {a: {const: b, sensitive: true}},",
     kNotSensitive, 32, 62, "says nothing in a deny rule"},
    {"limits: {calls: 5}", "result: {max_bytes: 0}", kBadLimit, 22, 25, "takes a size over 0"},
    {"limits: {calls: 5}", "result: {fields: id}", kWrongKind, 22, 22, "takes a list"},
    {"limits: {calls: 5}", "result: {fields: []}", kBadPart, 22, 22, "with none, nothing does"},
    {"limits: {calls: 5}", "result: {fields: [1]}", kBadPart, 22, 23, "a name, or a pointer"},
    {"limits: {calls: 5}", "result: {fields: [a, b/c]}", kBadPart, 22, 26,
     "`b/c` is no JSON pointer"},
    {"wall: 30m", "wall: 30", kBadLimit, 10, 28, "a duration"},
    {"result_bytes: 2MiB", "result_bytes: 0", kBadLimit, 10, 47, "a size over 0"},
    {"*.attach_*", "*.attach?", kBadGlob, 32, 27, "no pattern of tools"},
    {"expect: {decision: deny,", "expect: {decision: denied,", kBadExpectation, 37, 24,
     "unknown decision `denied`"},
    {"reason: out_of_scope", "reason: outofscope", kBadExpectation, 37, 38, "unknown reason"},
    {"decision: deny", "decision: allow", kBadExpectation, 37, 39, "never goes with `allow`"},
    {"at: /report_id", "at: report_id", kBadExpectation, 37, 71, "no JSON pointer"},
    {"    expect: {decision: deny, reason: out_of_scope, nearest: read, at: /report_id}\n", "",
     kMissingKey, 34, 5, "`expect` is missing"},
};

TEST(LoadSkill, RefusesEachMistakeWhereItStands) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(row.code) + ": " + row.to);
    std::string text = row.to;
    if (*row.from != '\0') {
      ASSERT_THAT(kGood, testing::HasSubstr(row.from));
      text = absl::StrReplaceAll(kGood, {{row.from, row.to}});
    }
    source::Diagnostics diagnostics;
    EXPECT_EQ(TryLoad(text, FakeCatalog(), diagnostics), nullptr);
    bool found = false;
    for (const source::Diagnostic& diagnostic : diagnostics) {
      found = found || (diagnostic.code == row.code && diagnostic.span.line == row.line &&
                        diagnostic.span.column == row.column &&
                        diagnostic.severity == source::Severity::kError &&
                        diagnostic.message.find(row.message) != std::string::npos);
    }
    EXPECT_TRUE(found) << "at " << row.line << ":" << row.column << ", got:\n"
                       << source::RenderText(diagnostics);
  }
}

const Row kWarnings[] = {
    {"subject: {type: string, maxBytes: 200}", "subject: {type: string, not: {plain: true}}",
     kSlipsPast, 20, 37, "lets pass what cannot be read as one"},
    {"subject: {type: string, maxBytes: 200}", "subject: {maxBytes: 200}", kUntypedKeyword, 20, 17,
     "everything but a string passes `maxBytes`"},
    {"report_id: {equals: $report_id}\n  - id: note",
     "report_id: {equals: report_id}\n  - id: note", kNotAReference, 15, 27,
     "the text `report_id` is not the binding of that name"},
    {"severity: {enum: [none, low]}", "severity: {type: string, pattern: \"^$report_id\"}",
     kNotAReference, 29, 41, "`$report_id` within the text of `pattern`"},
    {"severity: {enum: [none, low]}", "severity: {in: [none, \"x-${report_id}\"]}", kNotAReference,
     29, 29, "`$report_id` within the text of `in`"},
    {"subject: {type: string, maxBytes: 200}", "subject: {type: string, url: {hosts: [reviewers]}}",
     kNotAReference, 20, 45, "the text `reviewers` is not the binding of that name"},
    {"subject: {type: string, maxBytes: 200}",
     "subject: {type: string, url: {hosts: [a.example], paths: [/$report_id/]}}", kNotAReference,
     20, 65, "`$report_id` within the text of `paths`"},
    {"*.attach_*", "*.destroy_*", kIdleRule, 32, 27, "no tool of the skill's backends"},
    {"*.attach_*", "mail.send*", kAlwaysDenied, 17, 11, "`no-attach` overrides"},
    {"tests:", "  - {id: all, tool: reports.attach_evidence, reason: Never.}\ntests:", kCoveredRule,
     33, 21, "`no-attach` denies all that this one does"},
    {"tests:", "  - {id: again, tool: \"*.attach_*\", reason: Never.}\ntests:", kCoveredRule, 33,
     23, "`no-attach` denies all that this one does"},
    {"  - id: submit", R"(  - id: read-a-few
    tool: reports.get_report
    args: {report_id: {equals: $report_id, type: string}}
    limits: {calls: 3}
  - id: submit)",
     kCoveredPermission, 23, 9, "`read` allows every call that this one does"},
    {"    after: [read]\n", "    after: [read]\n    refused_after: [x]\n", kIdleLabel, 27, 21,
     "no permission of the skill marks `x`"},
    {"*.attach_*", "*.get_*", kNeverUsable, 26, 5,
     "it waits for `read`, which a deny rule overrides"},
    {"tool: reports.get_report\n    args:\n",
     "tool: mail.list_messages\n    args:\n      folder: {const: sent, optional: true}\n",
     kOpenDefault, 15, 7, "takes `\"inbox\"`, which the permission does not allow"},
    {"subject: {type: string", "subjct: {type: string", kForeignArgument, 20, 7,
     "`mail.send_message` has no argument `subjct`"},
    {"      subject: {type: string, maxBytes: 200}\n", "", kMissingArgument, 17, 11,
     "requires the argument `subject`"},
    {"subject: {type: string, maxBytes: 200}", "subject: {type: [integer, \"null\"]}", kOtherType,
     20, 23, "`mail.send_message` takes a string as `subject`"},
    {"    limits: {calls: 5}", "    refused_after: [secret]", kIdleLabel, 22, 21,
     "no permission of the skill marks `secret`"},
    {"    limits: {calls: 5}", "    approval: {by: [dana, leades]}", kNobody, 22, 27,
     "`leades` is no person and no group of `people:`"},
    {"decision: deny, reason: out_of_scope, nearest: read, at: /report_id", "decision: allow",
     kNoDenialTest, 33, 1, "no test for a denial"},
    {"decision: allow", "decision: deny", kNoAllowTest, 33, 1,
     "no test for a call that is allowed"},
};

TEST(LoadSkill, WarnsOfWhatLooksWrong) {
  for (const Row& row : kWarnings) {
    SCOPED_TRACE(std::string(row.code) + ": " + row.to);
    source::Diagnostics diagnostics;
    EXPECT_NE(TryLoad(absl::StrReplaceAll(kGood, {{row.from, row.to}}), FakeCatalog(), diagnostics),
              nullptr);
    bool found = false;
    for (const source::Diagnostic& diagnostic : diagnostics) {
      found = found || (diagnostic.code == row.code && diagnostic.span.line == row.line &&
                        diagnostic.span.column == row.column &&
                        diagnostic.severity == source::Severity::kWarning &&
                        diagnostic.message.find(row.message) != std::string::npos);
    }
    EXPECT_TRUE(found) << "at " << row.line << ":" << row.column << ", got:\n"
                       << source::RenderText(diagnostics);
  }
}

TEST(LoadSkill, SaysWhereAndWhatMayBeMeant) {
  source::Diagnostics diagnostics;
  TryLoad(absl::StrReplaceAll(kGood, {{"maxBytes: 20000", "maxByte: 20000"}}), FakeCatalog(),
          diagnostics);
  ASSERT_EQ(diagnostics.size(), 1);
  EXPECT_EQ(diagnostics[0].label, "did you mean `maxBytes`?");
  EXPECT_THAT(diagnostics[0].notes, testing::ElementsAre("in permission `note`"));
  ASSERT_NE(diagnostics[0].file, nullptr);
  EXPECT_EQ(diagnostics[0].file->path, "skill.yaml");
}

TEST(LoadSkill, AnUnscopedWriteSaysWhy) {
  const std::string text = absl::StrReplaceAll(
      kGood, {{"items: {in: $reviewers}", "items: {type: string}"},
              {"    limits: {calls: 5}", "    unscoped: Notes may go anywhere in the test lab."}});
  MustLoad(text, FakeCatalog());
}

// Hostile or broken files end in diagnostics, whatever they hold.
TEST(LoadSkill, NoFileCrashesIt) {
  const std::string good = kGood;
  for (size_t length = 0; length < good.size(); length += 7) {
    source::Diagnostics diagnostics;
    const auto skill = TryLoad(good.substr(0, length), FakeCatalog(), diagnostics);
    EXPECT_EQ(skill == nullptr, source::HasErrors(diagnostics)) << length;
  }
  for (const char* value : {"null", "5", "[]", "{}", "[[]]", "{a: {}}", "\"x\"", "[null]"}) {
    for (const char* key : {"skill", "description", "bindings", "scope", "backends", "limits",
                            "permissions", "deny", "finalize", "tests"}) {
      source::Diagnostics diagnostics;
      TryLoad(absl::StrCat(key, ": ", value, "\n"), FakeCatalog(), diagnostics);
      EXPECT_TRUE(source::HasErrors(diagnostics)) << key << ": " << value;
    }
    for (const char* key : {"id", "tool", "effect", "args", "after", "limits", "unscoped"}) {
      source::Diagnostics diagnostics;
      TryLoad(absl::StrCat("skill: a\nbackends: {reports: {stub: reports}}\npermissions:\n  - {",
                           key, ": ", value, "}\n"),
              FakeCatalog(), diagnostics);
      EXPECT_TRUE(source::HasErrors(diagnostics)) << key << ": " << value;
    }
  }
}

TEST(Codes, EachIsExplainedAndLoadingOnesAreTested) {
  std::set<std::string> tested;
  for (const Row& row : kRows) tested.insert(row.code);
  for (const Row& row : kWarnings) tested.insert(row.code);
  std::set<std::string> seen;
  for (const source::Explanation& explanation : PolicyExplanations()) {
    const std::string code(explanation.code);
    EXPECT_TRUE(seen.insert(code).second) << code << " stands twice";
    EXPECT_FALSE(explanation.title.empty() || explanation.text.empty()) << code;
    EXPECT_TRUE(code >= "P100" || tested.contains(code)) << code << " has no row";
  }
  for (const std::string& code : tested) EXPECT_TRUE(seen.contains(code)) << code;
}

}  // namespace
}  // namespace tipstaff::policy
