// Deny rules that look at arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/policy/explain.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kSkill[] = R"(skill: a
bindings:
  own: {type: string}
  reviewers: {type: array, items: {type: string}, default: [dana@acme.example]}
  hosts: {type: array, items: {type: string}, default: [wiki.example]}
  none: {type: array, items: {type: string}, default: []}
backends: {mail: {stub: mailbox}, tickets: {stub: tickets}}
permissions:
  - id: send
    tool: mail.send_message
    unscoped: A test.
    args:
      to: {type: array, items: {type: string, text: any}}
      subject: {type: [string, array, "null"], text: any, optional: true}
      body: {type: string, text: any, optional: true}
deny:
  - RULE
finalize: none
)";

std::shared_ptr<const Grant> GrantWith(absl::string_view rule) {
  static const FakeCatalog* const kCatalog = new FakeCatalog();
  return MustGrant(
      {MustLoad(absl::StrReplaceAll(kSkill, {{"RULE", absl::StrCat("{id: r, tool: mail.*, reason: "
                                                                   "No., ",
                                                                   rule, "}")}}),
                *kCatalog)},
      R"({"own":"rep_a"})", *kCatalog);
}

call::Decision DecideBy(absl::string_view rule, absl::string_view arguments) {
  return Decide(*GrantWith(rule), {}, CallOf("mail.send_message", arguments));
}

struct Row {
  const char* name;
  const char* rule;
  const char* arguments;
  bool denied;
};

constexpr char kSecret[] = "args: {subject: {pattern: '[Ss]ecret'}}";
constexpr char kOutside[] = "args: {to: {contains: {not: {emailDomain: [acme.example]}}}}";

constexpr char kElsewhere[] = "args: {subject: {not: {url: {hosts: $hosts}}}}";

const Row kRows[] = {
    {"the argument matches", R"(args: {subject: {const: x}})", R"({"to":[],"subject":"x"})", true},
    {"it does not", R"(args: {subject: {const: x}})", R"({"to":[],"subject":"y"})", false},
    {"it is not given", R"(args: {subject: {const: x}})", R"({"to":[]})", false},
    {"it need not be given", R"(args: {subject: {const: x, optional: true}})", R"({"to":[]})",
     true},
    {"others may be there", R"(args: {subject: {const: x}})",
     R"({"to":[],"subject":"x","body":"b"})", true},
    {"all that are listed have to match", R"(args: {subject: {const: x}, body: {const: z}})",
     R"({"to":[],"subject":"x","body":"w"})", false},
    {"control characters do not hide it", R"(args: {subject: {pattern: secret}})",
     R"({"to":[],"subject":"secret\nplan"})", true},
    {"nor bidirectional overrides", R"(args: {subject: {pattern: secret}})",
     R"({"to":[],"subject":"\u202esecret"})", true},
    {"nor in the names of members", R"(args: {to: {minItems: 1}})", R"({"to":["a\u0000b"]})", true},
    {"another type is denied where none is named", R"(args: {subject: {maxLength: 3}})",
     R"({"to":[],"subject":["long"]})", true},
    {"what is not of the domain", kOutside, R"({"to":["a@acme.example","b@evil.example"]})", true},
    {"what is no address either", kOutside, R"j({"to":["b@evil.example (x)"]})j", true},
    {"nor what is no text", kOutside, R"({"to":["a@acme.example",{"email":"x@evil.example"}]})",
     true},
    {"nor a list of texts", kOutside, R"({"to":["a@acme.example",["x@evil.example"]]})", true},
    {"a path in a list", "args: {subject: {not: {path: {under: [out]}}}}",
     R"({"to":[],"subject":["../x"]})", true},
    {"a path below it", "args: {subject: {not: {path: {under: [out]}}}}",
     R"({"to":[],"subject":"out/x"})", false},
    {"a text where a number is allowed", "args: {subject: {not: {type: number, maximum: 5}}}",
     R"({"to":[],"subject":"9"})", true},
    {"all of the domain", kOutside, R"({"to":["a@acme.example"]})", false},
    {"a binding", R"(args: {to: {contains: {not: {in: $reviewers}}}})",
     R"({"to":["x@acme.example"]})", true},
    {"its value", R"(args: {to: {contains: {not: {in: $reviewers}}}})",
     R"({"to":["dana@acme.example"]})", false},
    {"a URL at a host that the run is bound to", kElsewhere,
     R"({"to":[],"subject":"https://wiki.example/a"})", false},
    {"one at another host", kElsewhere, R"({"to":[],"subject":"https://evil.example/a"})", true},
    {"what is no URL", kElsewhere, R"({"to":[],"subject":"https://wiki.example@evil.example/"})",
     true},
    {"nor a text", kElsewhere, R"({"to":[],"subject":["https://wiki.example/a"]})", true},
    {"a binding that is no host", "args: {subject: {not: {url: {hosts: [$own]}}}}",
     R"({"to":[],"subject":"https://rep_a/"})", true},
    {"a list of bindings without a path",
     "args: {subject: {not: {url: {hosts: $hosts, paths: "
     "$none}}}}",
     R"({"to":[],"subject":"https://wiki.example/a"})", true},
    {"a schema across arguments", R"(schema: {required: [subject, body]})",
     R"({"to":[],"subject":"x","body":"y"})", true},
    {"which does not match", R"(schema: {required: [subject, body]})", R"({"to":[],"subject":"x"})",
     false},
    {"several recipients with a subject",
     R"(schema: {properties: {to: {minItems: 2}}, required: [subject]})",
     R"({"to":["a","b"],"subject":"x"})", true},
};

TEST(DenyRules, LookAtArguments) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const call::Decision decision = DecideBy(row.rule, row.arguments);
    EXPECT_EQ(decision.reason, row.denied ? call::Reason::kDenyRule : call::Reason::kPermitted);
    EXPECT_EQ(decision.permission, row.denied ? "r" : "send");
  }
}

// None of these lets a value slip past.
TEST(DenyRules, LoadWhereNothingSlipsPast) {
  for (const char* rule :
       {"args: {subject: {pattern: evil, not: {const: {$ref: x}}}}",
        "args: {subject: {not: {type: string, anyOf: [{pattern: ^a}, {pattern: ^b}]}}}",
        "args: {subject: {not: {type: [string, 'null'], maxLength: 5}}}",
        "args: {subject: {not: {type: [string, array], maxLength: 5, maxItems: 2}}}",
        "args: {subject: {not: {enum: [a, b], maxLength: 5}}}",
        "schema: {not: {type: object, dependentRequired: {subject: [body]}}}",
        "args: {subject: {not: {type: string, text: any, maxLength: 5}}}"}) {
    EXPECT_NE(GrantWith(rule), nullptr) << rule;
  }
}

TEST(DenyRules, ReachABackendUnderTheNameOfAnotherSkill) {
  const FakeCatalog catalog;
  constexpr char kGuard[] = R"(skill: guard
backends: {mail: {stub: mailbox}, tickets: {stub: tickets}}
finalize: none
permissions: []
deny:
  - {id: r, tool: mail.send_*, reason: No.}
  - {id: s, tool: "*.draft_message", reason: No., args: {subject: {const: x}}}
  - {id: t, tool: tickets.read_message, reason: No.}
)";
  constexpr char kOther[] = R"(skill: other
backends: {post: {stub: mailbox}}
finalize: none
permissions:
  - {id: send, tool: post.send_message, unscoped: A test., args: {to: {type: array}}}
  - id: draft
    tool: post.draft_message
    unscoped: A test.
    args: {subject: {type: string}}
  - {id: read, tool: post.read_message, args: {id: {type: string}}}
)";
  const auto grant =
      MustGrant({MustLoad(kGuard, catalog), MustLoad(kOther, catalog)}, "{}", catalog);
  EXPECT_EQ(Decide(*grant, {}, CallOf("post.send_message", R"({"to":[]})")).reason,
            call::Reason::kDenyRule);
  EXPECT_EQ(Decide(*grant, {}, CallOf("post.draft_message", R"({"subject":"x"})")).reason,
            call::Reason::kDenyRule);
  EXPECT_EQ(Decide(*grant, {}, CallOf("post.draft_message", R"({"subject":"y"})")).reason,
            call::Reason::kPermitted);
  EXPECT_EQ(Decide(*grant, {}, CallOf("post.read_message", R"({"id":"y"})")).reason,
            call::Reason::kPermitted)
      << "`tickets` is another backend";
}

// Whatever way the rule is written, and wherever the tool has the default.
TEST(DenyRules, SeeWhatTheToolTakesForAnArgumentThatIsLeftOut) {
  FakeCatalog catalog;
  catalog.Add(BackendRef{BackendRef::Kind::kStub, "post"}, "send", call::Effect::kRead,
              R"j({"type":"object","properties":{"subject":{"type":"string"},
                "priority":{"enum":["low","high"],"default":"high"},
                "p":{"$ref":"#/$defs/p"},
                "opts":{"type":"object","properties":{"dry_run":{"type":"boolean","default":false}}},
                "whole":{"default":{},"properties":{"dry_run":{"default":false}}},
                "list":{"type":"array","items":{"$ref":"#public"}},
                "maybe":{"anyOf":[{"type":"null"},{"$ref":"#public"}]}},
                "allOf":[{"properties":{"top":{"default":"high"}}}],
                "$defs":{"public":{"$anchor":"public","properties":{"pub":{"default":true}}},
                "p":{"enum":["low","high"],"default":"high"}}})j");
  constexpr char kText[] = R"(skill: a
bindings: {bad: {type: array, items: {type: string}, default: [high]}}
backends: {b: {stub: post}}
finalize: none
permissions:
  - id: send
    tool: b.send
    schema: {type: object, additionalProperties: {text: any}}
deny:
  - {id: r, tool: b.send, reason: No., RULE}
)";
  struct Row {
    const char* rule;
    const char* arguments;
    bool denied;
  };
  for (const Row& row : {
           Row{"args: {priority: {const: high}}", "{}", true},
           Row{"args: {priority: {const: high}}", R"({"priority":"low"})", false},
           Row{"args: {priority: {const: low}}", "{}", false},
           Row{"args: {priority: {not: {const: low}}}", "{}", true},
           Row{"args: {priority: {in: $bad}}", "{}", true},
           Row{"args: {p: {const: high}}", "{}", true},
           Row{"schema: {not: {type: object, properties: {priority: {const: low}}}}", "{}", true},
           Row{"schema: {anyOf: [{required: [priority], properties: {priority: {const: high}}}]}",
               "{}", true},
           Row{"args: {opts: {required: [dry_run], properties: {dry_run: {const: false}}}}",
               R"({"opts":{}})", true},
           Row{"args: {opts: {required: [dry_run], properties: {dry_run: {const: false}}}}",
               R"({"opts":{"dry_run":true}})", false},
           Row{"args: {opts: {not: {type: object, properties: {dry_run: {const: true}}}}}",
               R"({"opts":{}})", true},
           Row{"args: {opts: {required: [dry_run]}}", "{}", false},
           Row{"args: {whole: {required: [dry_run]}}", "{}", true},
           Row{"args: {whole: {required: [dry_run]}}", R"({"whole":{}})", true},
           Row{"args: {list: {contains: {type: object, required: [pub]}}}", R"({"list":[1,{}]})",
               true},
           Row{"args: {list: {contains: {type: object, required: [pub]}}}", R"({"list":[1]})",
               false},
           Row{"args: {maybe: {required: [pub]}}", R"({"maybe":{}})", true},
           Row{"args: {top: {const: high}}", "{}", true},
           Row{"args: {top: {const: high}}", R"({"top":"low"})", false},
       }) {
    const auto grant = MustGrant(
        {MustLoad(absl::StrReplaceAll(kText, {{"RULE", row.rule}}), catalog)}, "{}", catalog);
    EXPECT_EQ(Decide(*grant, {}, CallOf("b.send", row.arguments)).reason,
              row.denied ? call::Reason::kDenyRule : call::Reason::kPermitted)
        << row.rule << " of " << row.arguments;
  }
}

TEST(DenyRules, WhatTakesTooLongToFindOutIsDenied) {
  std::string to = "[\"x\"";
  for (int i = 0; i < 30'000; ++i) absl::StrAppend(&to, ",\"x\"");
  EXPECT_EQ(DecideBy("args: {to: {not: {type: string}, contains: {const: x}}}",
                     absl::StrCat("{\"to\":", to, "]}"))
                .reason,
            call::Reason::kDenyRule);
  std::string slow = "args: {to: {contains: {allOf: [";
  for (int i = 0; i < 100; ++i) absl::StrAppend(&slow, i == 0 ? "" : ", ", "{minLength: 0}");
  absl::StrAppend(&slow, ", {const: never}]}}}");
  EXPECT_EQ(DecideBy(slow, R"({"to":["x"]})").reason, call::Reason::kPermitted);
  EXPECT_EQ(DecideBy(slow, absl::StrCat("{\"to\":", to, "]}")).reason, call::Reason::kDenyRule);
}

TEST(DenyRules, ThoseOfArgumentsLeaveTheToolInTheList) {
  EXPECT_EQ(GrantWith(kSecret)->tools().size(), 1u);
  EXPECT_EQ(GrantWith("args: {}")->tools().size(), 1u) << "they may, and it says so when called";
}

TEST(DenyRules, ShowTheArgumentsOfTheRule) {
  const auto grant = GrantWith(kOutside);
  const Trace trace =
      Explain(*grant, {}, CallOf("mail.send_message", R"({"to":["b@evil.example"]})"));
  ASSERT_TRUE(trace.denied.has_value());
  EXPECT_EQ(trace.denied->expected, "no call that matches `mail.*` with such arguments: No.");
  EXPECT_EQ(trace.denied->line, 17);
  EXPECT_GT(trace.denied->column, 20);
  ASSERT_EQ(trace.considered.size(), 1u);
  EXPECT_EQ(trace.considered[0].came, Considered::Came::kPermits);
}

}  // namespace
}  // namespace tipstaff::policy
