#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
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
    if (!fields.IsText(error, "`error`")) return false;
    if (!IsErrorCode(error.string())) {
      fields.Error(error, kValueCode,
                   absl::StrCat("bad error code `", base::Escape(error.string()), "`"),
                   "expected a-z, then a-z, 0-9 and _");
      return false;
    }
    fault.error = std::string(error.string());
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

}  // namespace

void LoadFaults(json::Value faults, Fields& fields, Definition& definition) {
  if (!fields.IsSequence(faults, "`faults`")) return;
  for (json::Value value : faults.items()) {
    if (!fields.IsMapping(
            value, "a fault",
            {"tool", "on_call", "probability", "error", "message", "delay", "progress"},
            {"tool"})) {
      continue;
    }
    FaultDefinition fault;
    if (!LoadTarget(value, fields, definition, fault) || !LoadError(value, fields, fault) ||
        !LoadDelay(value, fields, fault)) {
      continue;
    }
    if (fault.error.empty() && fault.delay == absl::ZeroDuration()) {
      fields.Error(value, kFaultCode, "a fault that does nothing", "give it `error` or `delay`");
      continue;
    }
    definition.faults.push_back(std::move(fault));
  }
}

}  // namespace tipstaff::engine
