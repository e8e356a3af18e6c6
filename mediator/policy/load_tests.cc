#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

void Loader::ReadTests() {
  for (json::Value node : reader_.List(root(), "tests").items()) ReadTest(node);
}

void Loader::ReadTest(json::Value node) {
  const absl::string_view name = node.StringOr("name", "");
  const Reader::Within within(reader_,
                              name.empty() ? "in a test" : absl::StrCat("in test ", Shown(name)));
  if (!reader_.CheckMapping(node, "a test", {"name", "run", "after", "call", "expect"})) return;
  SkillTest test{.node = node, .run = node.Find("run")};
  test.name = reader_.RequireText(node, "name", "a test").value_or("");
  for (const SkillTest& other : skill_->tests_) {
    if (!test.name.empty() && other.name == test.name) {
      reader_.Error(node.Find("name"), kDuplicate,
                    absl::StrCat("two tests are called ", Shown(test.name)),
                    absl::StrCat("first used in line ", reader_.LineOf(other.node)));
    }
  }
  if (test.run.exists() && !test.run.is_object()) {
    reader_.Error(test.run, kWrongKind, "`run` is a mapping from bindings to values");
  }
  for (json::Value item : reader_.List(node, "after").items()) {
    if (const std::optional<size_t> index = FindPermission(item)) test.after.push_back(*index);
  }
  ReadTestCall(node, test);
  if (const json::Value expect = node.Find("expect"); expect.exists()) {
    ReadExpectation(expect, test);
  } else {
    reader_.MissingKey(node, "expect", "`expect` is missing in a test",
                       "add for instance `expect: {decision: deny}`");
  }
  skill_->tests_.push_back(std::move(test));
}

void Loader::ReadTestCall(json::Value node, SkillTest& test) {
  const json::Value call = node.Find("call");
  if (!call.exists()) {
    return reader_.MissingKey(node, "call", "`call` is missing in a test",
                              "add `call: {tool: ..., args: {...}}`");
  }
  if (!reader_.CheckMapping(call, "a call",
                            {"tool", "resource", "prompt", "completion", "args", "uri"}))
    return;
  const std::optional<Target> target =
      SaysTarget(call, "a call") ? ReadTargetOf(call, "a call") : std::nullopt;
  if (target.has_value()) test.tool = call::FullName(target->kind, target->text);
  if (target.has_value() && target->kind == call::Kind::kResource) {
    test.uri = reader_.RequireText(call, "uri", "a call");
    return;
  }
  test.args = call.Find("args");
  if (!test.args.exists()) {
    reader_.MissingKey(call, "args", "`args` is missing in a call: write `args: {}` for none");
  } else if (!test.args.is_object()) {
    reader_.Error(test.args, kWrongKind, "`args` is a mapping from arguments to values");
  }
}

void Loader::ReadExpectation(json::Value expect, SkillTest& test) {
  if (!reader_.CheckMapping(expect, "an expectation",
                            {"decision", "reason", "permission", "nearest", "at"})) {
    return;
  }
  const auto decision = reader_.RequireText(expect, "decision", "an expectation");
  const auto reason = reader_.Text(expect, "reason");
  if (decision.has_value()) {
    test.expect.verdict = call::ParseVerdict(*decision);
    if (!test.expect.verdict.has_value()) {
      reader_.Error(
          expect.Find("decision"), kBadExpectation,
          absl::StrCat("unknown decision ", Shown(*decision), ": use allow, deny or hold"));
    }
  }
  if (reason.has_value()) {
    test.expect.reason = call::ParseReason(*reason);
    if (!test.expect.reason.has_value()) {
      std::vector<std::string> known;
      for (int i = 0; i <= static_cast<int>(call::Reason::kUndecided); ++i) {
        known.emplace_back(call::ReasonName(static_cast<call::Reason>(i)));
      }
      reader_.Error(expect.Find("reason"), kBadExpectation,
                    absl::StrCat("unknown reason ", Shown(*reason)),
                    Reader::Suggestion(*reason, known));
    }
  }
  if (test.expect.verdict.has_value() && test.expect.reason.has_value() &&
      (*test.expect.verdict == call::Verdict::kAllow) !=
          (*test.expect.reason == call::Reason::kPermitted)) {
    reader_.Error(expect.Find("reason"), kBadExpectation,
                  absl::StrCat("`", *reason, "` never goes with `", *decision, "`"));
  }
  test.expect.permission = reader_.Text(expect, "permission");
  test.expect.nearest = reader_.Text(expect, "nearest");
  test.expect.at = reader_.Text(expect, "at");
  CheckNamed(expect, "permission");
  CheckNamed(expect, "nearest");
  if (test.expect.at.has_value() && !test.expect.at->empty() && test.expect.at->front() != '/') {
    reader_.Error(expect.Find("at"), kBadExpectation,
                  absl::StrCat(Shown(*test.expect.at), " is no JSON pointer: it begins with `/`"));
  }
}

void Loader::CheckNamed(json::Value expect, absl::string_view key) {
  const json::Value name = expect.Find(key);
  if (!name.is_string()) return;
  for (const DenyRule& rule : skill_->deny_) {
    if (rule.id == name.string()) return;
  }
  FindPermission(name);
}

}  // namespace tipstaff::policy::internal
