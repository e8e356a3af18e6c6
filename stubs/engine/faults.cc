#include "stubs/engine/faults.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::engine {
namespace {

std::string Describe(const FaultDefinition& fault) {
  std::string what;
  if (!fault.error.empty()) {
    what = absl::StrCat("error `", fault.error, "`");
  } else if (fault.is_malformed) {
    what = "malformed result";
  } else if (fault.truncated) {
    what = absl::StrCat("result truncated to ", *fault.truncated, " bytes");
  } else if (fault.timeout == FaultDefinition::Timeout::kBefore) {
    what = "time-out before the effect";
  } else if (fault.timeout == FaultDefinition::Timeout::kAfter) {
    what = "time-out after the effect";
  }
  if (fault.delay > absl::ZeroDuration()) {
    absl::StrAppend(&what, what.empty() ? "" : ", ", "delay of ", base::ShowDuration(fault.delay));
  }
  return absl::StrCat("fault of stub.yaml:", fault.line, ": ", what);
}

json::Document TextOf(absl::string_view text) {
  json::Builder builder;
  builder.String(text);
  return std::move(builder).Build().value_or(json::Document());
}

// The same members, none of its kind.
json::Document WithOtherKinds(json::Value result) {
  json::Builder builder;
  builder.StartObject();
  for (const json::Member& member : result.members()) {
    builder.Key(member.key);
    if (member.value.is_string()) {
      builder.Integer(0);
    } else {
      builder.String("malformed");
    }
  }
  builder.EndObject();
  return std::move(builder).Build().value_or(json::Document());
}

// What is as near to `result` as can be without passing `output`, which takes objects only.
json::Document MakeMalformed(json::Value result, const schema::Program& output) {
  json::Document others = WithOtherKinds(result);
  if (!output.Accepts(others.root())) return others;
  json::Document empty = json::MustParse("{}");
  if (!output.Accepts(empty.root())) return empty;
  return TextOf("malformed");
}

void Truncate(size_t bytes, json::Document& value) {
  const json::Value root = value.root();
  const std::string text = root.is_string() ? std::string(root.string()) : json::Dump(root);
  value = TextOf(base::CutUtf8(text, bytes));
}

}  // namespace

const FaultDefinition* PickFault(const Definition& definition, size_t tool, uint64_t tool_call,
                                 const RandomKey& key, uint64_t number) {
  RandomStream random(key, RandomStream::Purpose::kFault, number);
  for (const FaultDefinition& fault : definition.faults) {
    // Drawn for faults of other tools too: whether one applies depends on the call's number only.
    const double drawn = fault.probability ? random.Fraction() : 0;
    if (fault.tool != tool) continue;
    const bool numbered = std::find(fault.on_call.begin(), fault.on_call.end(),
                                    static_cast<int64_t>(tool_call)) != fault.on_call.end();
    if (!fault.on_call.empty() && !numbered) continue;
    if (fault.probability && drawn >= *fault.probability) continue;
    return &fault;
  }
  return nullptr;
}

bool Prevents(const FaultDefinition& fault) {
  return !fault.error.empty() || fault.timeout == FaultDefinition::Timeout::kBefore;
}

Reply TimedOut() {
  Reply reply;
  reply.kind = call::OutcomeKind::kUnknown;
  reply.error = "timed_out";
  reply.message = "the tool did not answer in time";
  return reply;
}

void ApplyFault(const FaultDefinition& fault, const ToolDefinition& tool, Reply& reply) {
  std::string note = Describe(fault);
  const bool ok = reply.kind == call::OutcomeKind::kOk;
  if (fault.timeout == FaultDefinition::Timeout::kAfter &&
      reply.kind != call::OutcomeKind::kStubError) {
    Reply lost = TimedOut();
    lost.changes = std::move(reply.changes);
    lost.log = std::move(reply.log);
    lost.note = ok ? "" : absl::StrCat("the answer that was lost: ", reply.error);
    reply = std::move(lost);
  } else if (fault.is_malformed && ok) {
    reply.is_content = false;
    reply.value =
        fault.malformed ? *fault.malformed : MakeMalformed(reply.value.root(), *tool.output);
  } else if (fault.truncated && ok) {
    reply.is_content = false;
    Truncate(*fault.truncated, reply.value);
  } else if (fault.error.empty() && fault.timeout != FaultDefinition::Timeout::kBefore &&
             (fault.is_malformed || fault.truncated ||
              fault.timeout == FaultDefinition::Timeout::kAfter)) {
    note += " (the call failed by itself, so there was nothing to spoil)";
  }
  reply.note = reply.note.empty() ? note : absl::StrCat(note, "\n", reply.note);
  reply.delay = fault.delay;
  reply.progress_reports = fault.progress;
}

}  // namespace tipstaff::engine
