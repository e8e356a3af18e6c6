// Loading `replies` of a tool, and `unmatched`, which says what a call comes to that none answers.
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/builder.h"
#include "stubs/engine/action_loader.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/replies.h"

namespace tipstaff::engine {
namespace {

// `error` and `message` of a mapping that says no `result`.
bool LoadFailure(json::Value value, Fields& fields, std::string& error, std::string& message) {
  const json::Value code = value.Find("error"), sentence = value.Find("message");
  if (!LoadErrorCode(code, fields, error)) return false;
  if (!sentence.exists()) return true;
  if (!fields.IsText(sentence, "`message`")) return false;
  message = std::string(sentence.string());
  return true;
}

bool HasOneAnswer(json::Value value, absl::string_view what, Fields& fields) {
  const bool content = value.Find("content").exists(), error = value.Find("error").exists(),
             result = value.Find("result").exists() || content;
  if (content && value.Find("result").exists()) {
    fields.Error(value, kActionCode, absl::StrCat(what, " has both `result` and `content`"));
    return false;
  }
  if (result == error) {
    fields.Error(value, kActionCode,
                 absl::StrCat(what, result ? " has both `result` and `error`"
                                           : " has neither `result` nor `error`"));
    return false;
  }
  if (result && value.Find("message").exists()) {
    fields.ErrorAtKey(value.Find("message"), kActionCode, "`message` without `error`");
    return false;
  }
  return true;
}

// A result is checked here, since no call changes it.
bool LoadResult(json::Value value, const ToolDefinition& tool, Fields& fields,
                json::Document& result) {
  const auto failure = tool.output ? tool.output->Check(value) : std::nullopt;
  if (failure) {
    fields.Error(value, kReplyCode,
                 absl::StrCat("the result does not pass `output` at `",
                              base::EscapeAndCut(failure->pointer, 120), "`: expected ",
                              failure->expected, ", found ", failure->found));
    return false;
  }
  json::Builder builder;
  builder.Copy(value);
  absl::StatusOr<json::Document> copy = std::move(builder).Build();
  if (!copy.ok()) fields.Error(value, kReplyCode, copy.status().message());
  if (copy.ok()) result = *std::move(copy);
  return copy.ok();
}

// A CallToolResult: `content`, a list of blocks with a `type` each; `isError` if wanted.
bool LoadContent(json::Value value, Fields& fields, CannedReply& reply) {
  const json::Value blocks = value.Find("content"), error = value.Find("isError");
  bool good = value.is_object() && blocks.is_array() && (!error.exists() || error.is_bool());
  for (const json::Value block : blocks.items()) {
    good = good && block.Find("type").is_string();
  }
  if (!good) {
    fields.Error(value, kReplyCode, "`content` is no CallToolResult",
                 "{content: [{type: text, text: ...}], isError: ...}");
    return false;
  }
  json::Builder builder;
  builder.Copy(value);
  absl::StatusOr<json::Document> copy = std::move(builder).Build();
  if (!copy.ok()) {
    fields.Error(value, kReplyCode, copy.status().message());
    return false;
  }
  reply.is_content = true;
  reply.result = *std::move(copy);
  return true;
}

bool LoadAnswer(json::Value value, const ToolDefinition& tool, Fields& fields, CannedReply& reply) {
  if (const json::Value content = value.Find("content"); content.exists()) {
    return LoadContent(content, fields, reply);
  }
  if (const json::Value result = value.Find("result"); result.exists()) {
    return LoadResult(result, tool, fields, reply.result);
  }
  return LoadFailure(value, fields, reply.error, reply.message);
}

bool LoadReply(json::Value value, const ToolDefinition& tool, Fields& fields, Replies& replies) {
  if (!fields.IsMapping(value, "a reply", {"args", "result", "content", "error", "message"},
                        {"args"})) {
    return false;
  }
  const json::Value arguments = value.Find("args");
  if (!fields.IsObject(arguments, "`args`") || !HasOneAnswer(value, "a reply", fields))
    return false;
  CannedReply reply;
  reply.message = absl::StrCat("the tool answered with `", value.StringOr("error", ""), "`");
  if (!LoadAnswer(value, tool, fields, reply)) return false;
  if (const auto failure = tool.input.Check(arguments)) {
    fields.Warning(arguments, kReplyCode,
                   absl::StrCat("no call gets this reply, as `input` refuses its arguments at `",
                                base::EscapeAndCut(failure->pointer, 120), "`: expected ",
                                failure->expected, ", found ", failure->found));
  }
  const absl::Status added = replies.Add(arguments, std::move(reply));
  if (!added.ok()) fields.Error(arguments, kReplyCode, added.message());
  return added.ok();
}

}  // namespace

std::optional<Action> LoadReplies(json::Value value, ActionLoader& loader) {
  json::Value list = value;
  std::optional<Fields> of_file;
  if (value.is_string()) {
    const source::Document* document = loader.sources().Parse(value, loader.fields());
    if (document == nullptr) return std::nullopt;
    of_file.emplace(*document, loader.sources().diagnostics());
    list = document->root();
  }
  Fields& fields = of_file ? *of_file : loader.fields();
  if (!fields.IsSequence(list, "`replies`")) return std::nullopt;
  // A file may be empty: nobody called the tool while it was recorded.
  if (list.size() == 0 && !of_file) {
    fields.Error(list, kReplyCode, "`replies` without a reply");
    return std::nullopt;
  }
  auto replies =
      std::make_shared<Replies>(loader.tool().defaults, loader.tool().tool.idempotency_key);
  bool good = true;
  for (json::Value reply : list.items()) good &= LoadReply(reply, loader.tool(), fields, *replies);
  if (!good) return std::nullopt;
  return std::shared_ptr<const Replies>(std::move(replies));
}

void LoadUnmatched(json::Value unmatched, Fields& fields, Definition& definition) {
  if (!unmatched.exists()) return;
  if (unmatched.is_string()) {
    if (unmatched.string() == "error") return;
    return fields.Error(
        unmatched, kValueCode,
        absl::StrCat("unknown `unmatched` `", base::EscapeAndCut(unmatched.string(), 64), "`"),
        "expected error, {error: CODE, message: ...} or {result: ...}");
  }
  if (!fields.IsMapping(unmatched, "`unmatched`", {"error", "message", "result"}) ||
      !HasOneAnswer(unmatched, "`unmatched`", fields)) {
    return;
  }
  const json::Value result = unmatched.Find("result");
  if (!result.exists()) {
    LoadFailure(unmatched, fields, definition.unmatched.error, definition.unmatched.message);
  }
  bool used = false;
  for (const ToolDefinition& tool : definition.tools) {
    if (!std::holds_alternative<std::shared_ptr<const Replies>>(tool.action)) continue;
    used = true;
    if (!result.exists()) continue;
    const Fields::Within note(fields, absl::StrCat("in tool `", tool.tool.name, "`"));
    if (tool.tool.effect == call::Effect::kFinalize) {
      fields.Error(result, kReplyCode,
                   "a result of a run would be accepted though nothing says what comes of it",
                   "a stub with `replies` of a `finalize` tool says `error` here");
    } else {
      LoadResult(result, tool, fields, definition.unmatched.result.emplace());
    }
  }
  if (!used) {
    fields.Warning(unmatched, kUnusedCode, "nothing uses `unmatched`: no tool has `replies`");
  }
}

}  // namespace tipstaff::engine
