#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
#include "mediator/json/builder.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

bool LoadTarget(json::Value value, Fields& fields, const Definition& definition,
                FaultDefinition& fault) {
  const json::Value tool = value.Find("tool");
  if (!fields.IsText(tool, "`tool`")) return false;
  const std::optional<size_t> index = definition.FindTool(tool.string());
  if (!index) {
    fields.Unknown(tool, "tool", tool.string(), definition.ToolNames());
    return false;
  }
  fault.tool = *index;
  if (const json::Value calls = value.Find("on_call"); calls.exists()) {
    if (!fields.IsSequence(calls, "`on_call`")) return false;
    if (calls.size() == 0) {
      fields.Error(calls, kFaultCode, "`on_call` without a call",
                   "leave it out to mean every call");
      return false;
    }
    for (json::Value call : calls.items()) {
      const std::optional<int64_t> number = fields.Integer(call, "a call's number", 1, 1'000'000);
      if (!number) return false;
      fault.on_call.push_back(*number);
    }
  }
  if (const json::Value chance = value.Find("probability"); chance.exists()) {
    if (!chance.is_number() || !(chance.number() > 0) || chance.number() > 1) {
      fields.Error(chance, kValueCode, "`probability` must be a number over 0, at most 1");
      return false;
    }
    fault.probability = chance.number();
  }
  return true;
}

bool LoadError(json::Value value, Fields& fields, FaultDefinition& fault) {
  const json::Value error = value.Find("error"), message = value.Find("message");
  if (error.exists()) {
    if (!LoadErrorCode(error, fields, fault.error)) return false;
    fault.message = absl::StrCat("the tool answered with `", fault.error, "`");
  }
  if (message.exists()) {
    if (!fields.IsText(message, "`message`")) return false;
    if (!error.exists()) {
      fields.ErrorAtKey(message, kFaultCode, "`message` without `error`");
      return false;
    }
    fault.message = std::string(message.string());
  }
  return true;
}

bool LoadDelay(json::Value value, Fields& fields, FaultDefinition& fault) {
  const json::Value delay = value.Find("delay"), progress = value.Find("progress");
  if (delay.exists()) {
    if (!fields.IsText(delay, "`delay`")) return false;
    const absl::StatusOr<absl::Duration> duration = base::ParseDuration(delay.string());
    if (!duration.ok() || *duration > kMaxFaultDelay) {
      fields.Error(delay, kValueCode,
                   duration.ok()
                       ? absl::StrCat("a delay of more than ", base::ShowDuration(kMaxFaultDelay))
                       : std::string(duration.status().message()),
                   "for instance 200ms");
      return false;
    }
    fault.delay = *duration;
  }
  if (progress.exists()) {
    const std::optional<int64_t> reports =
        fields.Integer(progress, "`progress`", 1, kMaxProgressReports);
    if (!reports) return false;
    if (!delay.exists()) {
      fields.ErrorAtKey(progress, kFaultCode, "`progress` without `delay`");
      return false;
    }
    fault.progress = static_cast<int>(*reports);
  }
  return true;
}

// What is sent does not pass the tool's `output`, else nothing would be wrong with it.
bool LoadMalformed(json::Value value, const ToolDefinition& tool, Fields& fields,
                   FaultDefinition& fault) {
  if (!value.exists()) return true;
  fault.is_malformed = true;
  if (value.is_bool()) {
    if (!value.boolean()) {
      fields.Error(value, kFaultCode, "`malformed: false` does nothing", "leave it out");
    } else if (!tool.output) {
      fields.Error(value, kFaultCode,
                   absl::StrCat("`malformed: true` needs an `output` of tool `", tool.tool.name,
                                "`, which the result then does not pass"),
                   "give the value to send instead");
    }
    return value.boolean() && tool.output;
  }
  if (tool.output && tool.output->Accepts(value)) {
    fields.Error(value, kFaultCode,
                 absl::StrCat("this passes the `output` of tool `", tool.tool.name,
                              "`, so that nothing is malformed"));
    return false;
  }
  json::Builder builder;
  builder.Copy(value);
  absl::StatusOr<json::Document> copy = std::move(builder).Build();
  if (!copy.ok()) fields.Error(value, kFaultCode, copy.status().message());
  if (copy.ok()) fault.malformed = *std::move(copy);
  return copy.ok();
}

bool LoadTruncated(json::Value value, Fields& fields, FaultDefinition& fault) {
  if (!value.exists()) return true;
  const std::optional<int64_t> bytes =
      fields.Integer(value, "`truncated`", 0, static_cast<int64_t>(kMaxResultBytes));
  if (bytes) fault.truncated = static_cast<size_t>(*bytes);
  return bytes.has_value();
}

bool LoadTimeout(json::Value value, Fields& fields, FaultDefinition& fault) {
  if (!value.exists()) return true;
  if (!fields.IsText(value, "`timeout`")) return false;
  if (value.string() != "before" && value.string() != "after") {
    fields.Error(value, kValueCode,
                 absl::StrCat("unknown `timeout` `", base::EscapeAndCut(value.string(), 64), "`"),
                 "expected before or after: whether the call takes effect");
    return false;
  }
  fault.timeout = value.string() == "before" ? FaultDefinition::Timeout::kBefore
                                             : FaultDefinition::Timeout::kAfter;
  return true;
}

// An answer is wrong in one way.
bool HasOneWay(json::Value value, Fields& fields) {
  absl::string_view first;
  for (const absl::string_view way : {"error", "malformed", "truncated", "timeout"}) {
    if (!value.Find(way).exists()) continue;
    if (!first.empty()) {
      fields.ErrorAtKey(value.Find(way), kFaultCode,
                        absl::StrCat("both `", first, "` and `", way, "`"), "write two faults");
      return false;
    }
    first = way;
  }
  if (!first.empty() || value.Find("delay").exists()) return true;
  fields.Error(value, kFaultCode, "a fault that does nothing",
               "give it `error`, `malformed`, `truncated`, `timeout` or `delay`");
  return false;
}

}  // namespace

bool LoadErrorCode(json::Value value, Fields& fields, std::string& code) {
  if (!fields.IsText(value, "`error`")) return false;
  if (!IsErrorCode(value.string())) {
    fields.Error(value, kValueCode,
                 absl::StrCat("bad error code `", base::Escape(value.string()), "`"),
                 "expected a-z, then a-z, 0-9 and _");
    return false;
  }
  code = std::string(value.string());
  return true;
}

void LoadFaults(json::Value faults, Fields& fields, Definition& definition) {
  if (!fields.IsSequence(faults, "`faults`")) return;
  for (json::Value value : faults.items()) {
    if (!fields.IsMapping(value, "a fault",
                          {"tool", "on_call", "probability", "error", "message", "malformed",
                           "truncated", "timeout", "delay", "progress"},
                          {"tool"})) {
      continue;
    }
    FaultDefinition fault;
    fault.line = fields.document().SpanOf(value).line;
    if (!LoadTarget(value, fields, definition, fault) || !HasOneWay(value, fields) ||
        !LoadError(value, fields, fault) ||
        !LoadMalformed(value.Find("malformed"), definition.tools[fault.tool], fields, fault) ||
        !LoadTruncated(value.Find("truncated"), fields, fault) ||
        !LoadTimeout(value.Find("timeout"), fields, fault) || !LoadDelay(value, fields, fault)) {
      continue;
    }
    if (!value.Find("delay").exists() || fault.delay > absl::ZeroDuration()) {
      definition.faults.push_back(std::move(fault));
    } else {
      fields.Error(value.Find("delay"), kFaultCode, "a delay of nothing does nothing");
    }
  }
}

}  // namespace tipstaff::engine
