#include "mediator/policy/codes.h"

namespace tipstaff::policy {
namespace {

constexpr source::Explanation kTable[] = {
    {kUnknownKey, "a key that a skill does not have",
     "A misspelt key would silently do nothing, so every key has to be known. The message names "
     "the nearest one."},
    {kWrongKind, "a value of the wrong kind",
     "The key takes another kind of value, for instance a list where a text stands."},
    {kMissingKey, "a key is missing",
     "A skill needs `skill`, `backends` and `permissions`; a permission `id`, `tool` and `args`; a "
     "deny rule `id`, `tool` and `reason`; a test `name`, `call` and `expect`."},
    {kBadName, "a name that cannot be used",
     "Names of skills, permissions, rules and backends are 1 to 64 letters, digits, `-` and `_` "
     "and begin with a letter. Names of bindings are letters, digits and `_`, as in `$report_id`."},
    {kDuplicate, "a name is given twice",
     "Ids of permissions and of deny rules, names of tests, and entries of `scope` and `after` are "
     "unique, so that records name one thing. (In `after` of a test a name may repeat.)"},
    {kUntypedBinding, "a binding without a type",
     "A binding says what `run open --bind` must supply. Give it `type:` with one of string, "
     "integer, number, boolean, array, object, for instance `report_id: {type: string}`."},
    {kBadDefault, "a default that its own binding refuses",
     "The value of `default` has to satisfy the other keywords of the binding."},
    {kUnknownKeyword, "an unknown keyword in a schema",
     "A schema is made of JSON Schema's keywords and those for scope. JSON Schema lets unknown "
     "keywords pass, which would turn a misspelt constraint into none; a skill refuses them."},
    {kBadKeywordValue, "a keyword with a value that it does not take",
     "The message says what the keyword takes."},
    {kBadPattern, "a pattern that cannot be used",
     "Patterns are ECMA-262 regular expressions that match in linear time: no look-around, no "
     "back-references, no repeats over 1000. Say the same with several keywords, or with `enum`."},
    {kUnknownBinding, "a reference to a binding that is not declared",
     "`$name` in `equals`, `in`, `email`, `emailDomain` or a list of `url` refers to an entry of "
     "`bindings`. Write `$$name` for text that begins with a dollar."},
    {kMisplacedBinding, "a reference where none is read",
     "`$name` is allowed only as the whole value of `equals`, `in`, `email` or `emailDomain`, as "
     "the whole of a list of `url`, or as an item of such a list. Other keywords take literal "
     "values."},
    {kContradiction, "constraints that nothing satisfies together",
     "For instance `minLength` over `maxLength`. The permission could never allow a call."},
    {kNeverApplies, "a keyword that says nothing about the type beside it",
     "`maxLength` constrains strings only: beside `type: array` it would check nothing. Use the "
     "keyword of that type (`maxItems`), or put it under `items`."},
    {kUntypedKeyword, "a keyword without a type beside it",
     "`maxBytes` constrains strings only, so a number or an array of any size passes it. Add "
     "`type: string` (or what is meant)."},
    {kArgsAndSchema, "arguments that are described twice",
     "`args` lists arguments one by one; `schema` is one schema of them all, for constraints "
     "across "
     "arguments. A permission or deny rule has one of the two."},
    {kOpenSchema, "a schema that leaves open what else may be given",
     "Arguments that a permission does not list are refused; a `schema` must say so itself. Write "
     "`type: object` and `unevaluatedProperties: false` (or `additionalProperties`), or what other "
     "arguments have to satisfy."},
    {kNotAReference, "a text that looks like a reference to a binding",
     "`equals: report_id` compares with the text report_id; `equals: $report_id` with what the run "
     "is bound to. A reference is the whole value of `equals`, `in`, `email`, `emailDomain` or of "
     "a list of `url`, or an item of their lists: within a pattern or a longer text `$name` is "
     "only text. To mean the "
     "text, write it with `const` or `enum`."},
    {kWrongCompany, "keys that do not go together",
     "A permission, a deny rule or the call of a test is about one thing: a `tool` or a `prompt`, "
     "with `args` (or `schema`), or a `resource`, with `uri`. Resources and prompts are read, so "
     "they have no `effect`."},
    {kBadBackend, "a backend that is neither a stub nor an upstream",
     "Write `alias: {stub: NAME}` or `alias: {upstream: NAME}`."},
    {kUnknownBackend, "a backend that does not exist, or has errors of its own",
     "Stubs are the folders below `stubs:` of tipstaff.yaml; upstreams are its `upstreams:`. One "
     "whose own file does not load has no tools: `tipstaff check` names what is wrong with it."},
    {kUnknownAlias, "a tool of a backend that the skill does not name",
     "The part of a tool before the first dot is an alias from `backends`."},
    {kUnknownTool, "a tool that its backend does not offer",
     "The message names the nearest tool of that backend."},
    {kUnusableTool, "a tool that cannot be called under its name",
     "The name `alias.tool` has at most 64 characters of letters, digits, `_`, `.` and `-`. A "
     "shorter alias may help. A permission names one tool (or prompt) in full, without `*`: what a "
     "backend comes to offer later is not permitted unseen."},
    {kLoweredEffect, "an effect that is less than the tool's",
     "A stub or a pin says what a call of the tool does: read, write or finalize. A skill may "
     "raise that, never lower it: a write that is called a read would be allowed after the result "
     "was submitted. Remove `effect`, or correct it at the tool."},
    {kEffectsDiffer, "two permissions that give one tool different effects",
     "Which of them allows a call would decide whether it counts as a write. Give both the same "
     "`effect`."},
    {kNoFinalize, "no permission finalizes",
     "A run ends by submitting its result with one call. Give that permission `effect: finalize` "
     "(where the tool does not say so itself), or write `finalize: none`: then only `tipstaff run "
     "close` ends the run."},
    {kSeveralFinalize, "more than one permission finalizes, or one does despite `finalize: none`",
     "The first accepted result ends the run's writes, so there is one way to submit it."},
    {kUnscopedWrite, "a write that is not bound to the scope of the run",
     "A permission for a write needs an argument that cannot be left out and that `equals` or `in` "
     "ties to a binding listed in `scope`, or a list of at least one item (`type: array, minItems: "
     "1`) whose `items` are tied so. Otherwise it writes anywhere: say why in `unscoped:`."},
    {kNeedlessUnscoped, "`unscoped` on a permission that does not need it",
     "It marks writes that no binding holds in; on a read, or on a write that is bound to the "
     "scope, it says something false to the reviewer. Remove it."},
    {kUnknownScope, "`scope` names something that is not a binding",
     "`scope` lists the names of `bindings` that writes stay inside."},
    {kUnknownPermission, "a permission that the skill does not have",
     "`after`, and `permission`, `nearest` and `after` of a test, name ids of this skill."},
    {kAfterItself, "permissions that wait for each other",
     "A permission whose `after` leads back to itself can never be used."},
    {kIdleLabel, "a label that nothing puts",
     "`refused_after` names a label that no permission of this skill has in `result: {marks: "
     "[...]}`. Unless another skill of the run does, the permission is never refused for it."},
    {kNeverUsable, "a permission that no order of calls can use",
     "`after` makes it wait for a permission that a deny rule overrides, or for one that puts a "
     "label which `refused_after` of the same permission names. Remove the one or the other."},
    {kBadLimit, "a limit that is none",
     "`calls` and `calls_per_minute` are whole numbers over 0, `argument_bytes` and `result_bytes` "
     "sizes such as 2MiB, `wall` a duration such as 30m."},
    {kBadPart, "a part of a result that is none",
     "`fields` of a permission's `result` lists what may come back to the agent: names of members "
     "of "
     "the result, or JSON pointers in which `*` stands for every member or item, such as "
     "`/messages/*/subject`."},
    {kNotSensitive, "a value that is recorded all the same",
     "Of a value marked `sensitive` the ledger keeps a keyed digest, not the value. That cannot be "
     "promised of bindings, which are recorded when the run opens, nor of a call that finalizes, "
     "whose arguments and receipt have to outlast a crash. A deny rule keeps nothing: mark the "
     "argument in the permissions for the tool."},
    {kBadGlob, "a pattern of tools that is none",
     "`tool` of a deny rule is a tool's name in which `*` stands for any characters, for instance "
     "`*.delete_*`."},
    {kIdleRule, "a deny rule that matches no tool",
     "None of the backends offers such a tool now. The rule stays in force for tools to come."},
    {kAlwaysDenied, "a permission that a deny rule overrides",
     "A deny rule matches the tool, and deny rules override every permission."},
    {kSlipsPast, "a rule that can be slipped past",
     "`email`, `emailDomain`, `url`, `path`, `plain` and `format` hold of text that is read "
     "strictly. A "
     "deny rule that asks for one of them lets everything pass that cannot be read so, although a "
     "lenient backend may understand it. Turn the rule round: deny what is not allowed, as in `to: "
     "{not: {emailDomain: [example.com]}}`, which denies what is no text too. `$ref`, `if`, "
     "`oneOf` "
     "and `maxContains` may turn a rule round once more, so none of them stands around such a "
     "keyword. Below `not` a keyword of one type has that `type` beside it: `not: {maximum: 5}` "
     "does "
     "not deny the text `9`, and `not: {type: number, maximum: 5}` does. Of `text` a rule asks "
     "nothing: `pattern` finds characters. (In a permission the same holes are below `not`, and a "
     "warning: say what is allowed.)"},
    {kCoveredRule, "a deny rule that another one covers",
     "Another rule denies every call that this one denies. Remove it, or make the other narrower: "
     "the reason on record is that of the first rule by id."},
    {kCoveredPermission, "a permission that another one covers",
     "One permission that passes is enough, and another one for the tool asks for no more than "
     "this one: its limits, `approval` and constraints change nothing. Remove it, or make the "
     "other narrower. (What is covered in ways that the texts do not show is not reported.)"},
    {kIdleSchema, "a deny rule that can deny no call",
     "No call of the tools that the rule names meets its schema: an argument is misspelt, the tool "
     "takes values of another type, or the schema holds of nothing (`false`, or `not` around what "
     "holds of everything). What was meant to be denied would pass."},
    {kOpenDefault, "an optional argument whose default the permission does not allow",
     "A permission is about the arguments that are given, and what is left out is the tool's to "
     "fill "
     "in: with its default. Leave `optional` out. (A deny rule is judged on what the tool takes, "
     "too.)"},
    {kNobody, "an approval by somebody who is not there",
     "`by` names people of `people:` in tipstaff.yaml, or their groups. A call that waits for "
     "nobody "
     "else waits until it expires."},
    {kForeignArgument, "an argument that the tool does not have",
     "The tool's input schema does not list the argument, so the backend will probably refuse it."},
    {kMissingArgument, "an argument that the tool needs and the permission does not list",
     "The tool's input schema requires it, and the permission refuses it as unlisted: no call can "
     "satisfy both."},
    {kNoDenialTest, "no test for a denial",
     "Tests that only show what is allowed do not show that anything is refused. Add one with "
     "`expect: {decision: deny, reason: ...}`."},
    {kNoAllowTest, "no test for a call that is allowed",
     "Tests that only show denials pass for a skill that can do nothing. Add one with `expect: "
     "{decision: allow, permission: ...}`."},
    {kOtherType, "an argument of a type that the tool does not take",
     "What the permission lets through is of another type than the tool's input schema asks for, "
     "so that every permitted call fails at the backend."},
    {kBadExpectation, "an expectation that no decision can meet",
     "`decision` is allow, deny or hold; `reason` is one of the closed list; `permitted` goes with "
     "allow and every other reason with deny or hold; `at` is a JSON pointer such as /to/0."},
    {kNoSkill, "a run without a skill", "A run is granted at least one skill."},
    {kMissingBinding, "a binding is not given",
     "The skill declares it without a default: `tipstaff run open --bind NAME=VALUE`."},
    {kUnwantedBinding, "a binding that no skill of the run declares",
     "A misspelt binding would leave the one that is meant at its default."},
    {kBadBinding, "a value that its binding refuses",
     "The value does not satisfy the schema under `bindings` of the skill."},
    {kAliasClash, "skills that mean different backends by one alias",
     "An alias stands for the same backend in all skills of a run, so that a tool has one "
     "meaning."},
    {kFinalizeClash, "more than one skill of the run finalizes",
     "At most one of a run's skills submits a result; the others say `finalize: none`."},
    {kNameClash, "two tools that agents would see under one name",
     "Published names are `alias_tool` with other characters than letters, digits, `_` and `-` "
     "written as `_`. Rename an alias."},
    {kToolChanged, "a tool that differs from what the skill was loaded with",
     "The backend offers the tool with another effect or input schema, or no more. Load the skill "
     "again."},
    {kSkillTwice, "a skill is granted twice", "Name it once."},
    {kEffectClash, "skills that give one tool different effects",
     "Which of them allows a call would decide whether it counts as a write. Give both the same "
     "`effect`."},
    {kDefaultClash, "skills with different defaults for one binding",
     "Which default holds would be a matter of order. Give the binding when the run is opened."},
    {kBadCanary, "a planted text that cannot be looked for",
     "A canary is found by its letters and digits, whatever is between them. With fewer than 8 it "
     "would be found in ordinary text too."},
};

}  // namespace

source::ExplanationTable PolicyExplanations() { return kTable; }

}  // namespace tipstaff::policy
