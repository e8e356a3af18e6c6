#include "stubs/engine/test_call.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "stubs/engine/changes.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/difference.h"

namespace tipstaff::engine {
namespace {

constexpr absl::string_view kKinds[] = {"ok",         "error",   "refused",
                                        "stub_error", "unknown", "content"};

std::string Describe(const Reply& reply) {
  std::string text = absl::StrCat(ReplyKind(reply), " ");
  if (reply.kind == call::OutcomeKind::kOk || reply.is_content) {
    absl::StrAppend(&text, base::EscapeAndCut(json::Canonical(reply.value.root()), 300));
  } else {
    absl::StrAppend(&text, reply.error, ": ", base::EscapeAndCut(reply.message, 300));
  }
  if (!reply.note.empty()) absl::StrAppend(&text, "\n  ", base::EscapeAndCut(reply.note, 500));
  for (const std::string& line : reply.log) {
    absl::StrAppend(&text, "\n  log: ", base::EscapeAndCut(line, 200));
  }
  return text;
}

std::string CheckReply(json::Value expect, const Reply& reply) {
  const absl::string_view kind = ReplyKind(reply);
  json::Value wanted;
  absl::string_view wanted_kind = "ok";
  for (const absl::string_view key : kKinds) {
    if (!expect.Find(key).exists()) continue;
    wanted = expect.Find(key);
    wanted_kind = key;
  }
  if (wanted_kind != kind) {
    return absl::StrCat("expected ", wanted_kind, " ",
                        wanted.exists() ? json::Canonical(wanted) : "", ", found ",
                        Describe(reply));
  }
  if ((kind == "ok" || kind == "content") && wanted.exists()) {
    if (const auto difference = FirstDifference(wanted, reply.value.root())) {
      return absl::StrCat("the ", kind == "ok" ? "result" : kind, " differs at ", *difference);
    }
  }
  if (kind == "stub_error" && !absl::StrContains(reply.message, wanted.string())) {
    return absl::StrCat("expected an error with `", wanted.string(), "`, found ", Describe(reply));
  }
  if ((kind == "error" || kind == "refused" || kind == "unknown") &&
      reply.error != wanted.string()) {
    return absl::StrCat("expected `", wanted.string(), "`, found ", Describe(reply));
  }
  const absl::string_view sentence = expect.StringOr("message", "");
  if (!absl::StrContains(reply.message, sentence)) {
    return absl::StrCat("expected a sentence with `", sentence, "`, found ", Describe(reply));
  }
  return "";
}

std::string CheckDelay(json::Value expect, const Reply& reply) {
  const json::Value delay = expect.Find("delay");
  if (!delay.exists() ||
      base::ParseDuration(delay.string()).value_or(absl::InfiniteDuration()) == reply.delay) {
    return "";
  }
  return absl::StrCat("expected a delay of ", delay.string(), ", found ",
                      base::ShowDuration(reply.delay));
}

std::string CheckChanges(json::Value changes, const Reply& reply) {
  if (!changes.exists()) return "";
  const std::string text = ChangesInFull(reply.changes);
  const json::Document found = json::MustParse(text.empty() ? "{}" : text);
  if (const auto difference = FirstDifference(changes, found.root())) {
    return absl::StrCat("the changes differ at ", *difference);
  }
  for (const json::Member& member : found.root().members()) {
    if (!changes.Find(member.key).exists()) {
      return absl::StrCat("table `", member.key, "` was changed too: ",
                          base::EscapeAndCut(json::Canonical(member.value), 300));
    }
  }
  return "";
}

json::Document ArgumentsOf(json::Value call) {
  json::Builder builder;
  if (call.Find("args").exists()) {
    builder.Copy(call.Find("args"));
  } else {
    builder.StartObject().EndObject();
  }
  return std::move(builder).Build().value_or(json::Document());
}

void CheckExpect(json::Value expect, Fields& fields) {
  if (!fields.IsMapping(
          expect, "`expect`",
          {"ok", "content", "error", "refused", "stub_error", "unknown", "message", "delay"})) {
    return;
  }
  int kinds = 0;
  for (const absl::string_view key : kKinds) {
    const json::Value value = expect.Find(key);
    if (!value.exists()) continue;
    ++kinds;
    if (key != "ok" && key != "content") {
      fields.IsText(value, absl::StrCat("`", key, "`"));
    }
  }
  if (kinds != 1) {
    fields.Error(expect, kValueCode,
                 "`expect` needs exactly one of `ok`, `content`, `error`, `refused`, "
                 "`stub_error` and `unknown`");
  }
  if (expect.Find("message").exists()) fields.IsText(expect.Find("message"), "`message`");
  if (const json::Value delay = expect.Find("delay");
      delay.exists() && fields.IsText(delay, "`delay`")) {
    const absl::Status status = base::ParseDuration(delay.string()).status();
    if (!status.ok()) fields.Error(delay, kValueCode, status.message());
  }
}

}  // namespace

absl::string_view ReplyKind(const Reply& reply) {
  if (reply.is_content) return "content";
  switch (reply.kind) {
    case call::OutcomeKind::kOk:
      return "ok";
    case call::OutcomeKind::kToolError:
      return "error";
    case call::OutcomeKind::kRefused:
      return "refused";
    case call::OutcomeKind::kUnknown:
      return "unknown";
    default:
      return "stub_error";
  }
}

void CheckTestCall(json::Value call, Fields& fields) {
  if (!fields.IsMapping(call, "a call", {"tool", "args", "expect", "changes"}, {"tool"})) return;
  fields.IsText(call.Find("tool"), "`tool`");
  if (call.Find("args").exists()) fields.IsObject(call.Find("args"), "`args`");
  if (call.Find("changes").exists()) fields.IsObject(call.Find("changes"), "`changes`");
  if (call.Find("expect").exists()) CheckExpect(call.Find("expect"), fields);
}

std::string RunTestCall(uint64_t number, json::Value call, State& state,
                        absl::FunctionRef<void(const Reply&)> seen) {
  const Reply reply = state.Call(number, call.StringOr("tool", ""), ArgumentsOf(call));
  seen(reply);
  std::string problem = CheckReply(call.Find("expect"), reply);
  if (problem.empty()) problem = CheckDelay(call.Find("expect"), reply);
  if (problem.empty()) problem = CheckChanges(call.Find("changes"), reply);
  return problem;
}

}  // namespace tipstaff::engine
