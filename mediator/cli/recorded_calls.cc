#include "mediator/cli/recorded_calls.h"

#include <re2/re2.h>

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/backend/structured_result.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/call/tool.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/run/records.h"

namespace tipstaff::cli {
namespace {

using recorder::RecordedCall;

constexpr size_t kRecordsAtOnce = 512;

// "" for what answered; else why the call is left out.
absl::string_view WhyLeftOut(const run::Decided& decided, const run::Settled& settled) {
  if (!decided.withheld.empty() || !settled.withheld.empty()) {
    return "sensitive values are not on record";
  }
  if (settled.result_left_out) return "its result is not on record, as the disk was full";
  switch (settled.outcome.kind) {
    case call::OutcomeKind::kOk:
    case call::OutcomeKind::kToolError:
    case call::OutcomeKind::kRefused:
      return settled.outcome.turned_away ? "the receiver did not take its token" : "";
    default:
      return "it was not answered";
  }
}

// The text of a result that is one text and nothing else.
absl::StatusOr<std::string> OnlyText(json::Value result) {
  const json::Value content = result.Find("content");
  if (content.size() != 1 || content.At(0).StringOr("type", "") != "text") {
    return absl::NotFoundError("other content");
  }
  return std::string(content.At(0).StringOr("text", ""));
}

json::Document CopyOf(json::Value value) {
  json::Builder builder(2 * json::kMaxDepth);
  builder.Copy(value);
  return std::move(builder).Build().value_or(json::Document());
}

// A stub's own forms are read as such, so that it can be seen what they say.
void ReadAnswer(const json::Document& result, const std::string& bytes, RecordedCall& call) {
  const json::Value value = result.root().Find("structuredContent");
  if (value.is_object() && backend::StructuredResult(value) == bytes) {
    call.kind = RecordedCall::Kind::kValue;
    call.answer = CopyOf(value);
    return;
  }
  const absl::StatusOr<std::string> text = OnlyText(result.root());
  if (text.ok()) {
    json::Builder builder;
    builder.String(*text);
    const json::Document plain = std::move(builder).Build().value_or(json::Document());
    if (backend::StructuredResult(plain.root()) == bytes) {
      call.kind = RecordedCall::Kind::kValue;
      call.answer = plain;
      return;
    }
  }
  static const RE2 kError("(?s)([a-z][a-z0-9_]*): (.+)");
  if (result.root().BoolOr("isError", false) && text.ok() &&
      RE2::FullMatch(*text, kError, &call.error, &call.message) &&
      call::ErrorResult(*text) == bytes) {
    call.kind = RecordedCall::Kind::kError;
    return;
  }
  call.kind = RecordedCall::Kind::kContent;
  call.answer = result;
}

class Reading {
 public:
  Reading(const std::string& alias, RecordedCalls& calls) : alias_(alias), calls_(calls) {}

  absl::Status Take(const call::Record& record) {
    if (record.kind == call::RecordKind::kDecided) {
      TIPSTAFF_ASSIGN_OR_RETURN(run::Decided decided, run::DecodeDecided(record));
      if (decided.decision.verdict == call::Verdict::kAllow && decided.same_as == 0 &&
          call::SplitName(decided.tool).first == alias_) {
        decided_[decided.number] = std::move(decided);
      }
    } else if (record.kind == call::RecordKind::kOutcome) {
      TIPSTAFF_ASSIGN_OR_RETURN(const run::Settled settled, run::DecodeSettled(record));
      const auto decided = decided_.find(settled.number);
      if (decided != decided_.end()) return Add(decided, settled);
    }
    return absl::OkStatus();
  }

 private:
  using Decisions = std::map<uint64_t, run::Decided>;

  absl::Status Add(Decisions::iterator of, const run::Settled& settled) {
    const run::Decided& decided = of->second;
    if (const absl::string_view why = WhyLeftOut(decided, settled); !why.empty()) {
      calls_.left_out.push_back(
          absl::StrCat("#", decided.number, " ", base::Escape(decided.tool), ": ", why));
      return absl::OkStatus();
    }
    RecordedCall call{.number = decided.number, .tool = call::SplitName(decided.tool).second};
    TIPSTAFF_ASSIGN_OR_RETURN(call.arguments, json::Parse(decided.arguments));
    TIPSTAFF_ASSIGN_OR_RETURN(
        const json::Document result,
        json::Parse(settled.outcome.result, {.max_depth = 2 * json::kMaxDepth}));
    ReadAnswer(result, settled.outcome.result, call);
    calls_.recording.calls.push_back(std::move(call));
    decided_.erase(of);
    return absl::OkStatus();
  }

  const std::string& alias_;
  RecordedCalls& calls_;
  Decisions decided_;  // and not answered yet
};

}  // namespace

absl::StatusOr<RecordedCalls> ReadRecordedCalls(ledger::Reader& reader, const PinnedRun& run,
                                                const std::string& alias) {
  RecordedCalls calls;
  calls.recording.system = alias;
  if (const auto stub = run.granted.states.find(alias); stub != run.granted.states.end()) {
    const auto tools = stub->second.stub->tools();
    calls.recording.tools.assign(tools.begin(), tools.end());
  } else if (const auto system = run.granted.systems.find(alias);
             system != run.granted.systems.end()) {
    for (const engine::DeclaredTool& tool : system->second->tools) {
      calls.recording.tools.push_back(tool.tool);
    }
  }
  Reading reading(alias, calls);
  for (uint64_t next = 2;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(
        const std::vector<ledger::StoredRecord> page,
        reader.Records(run.opened.run, next, kRecordsAtOnce, ledger::Reader::Payload::kFetch));
    if (page.empty()) return calls;
    for (const ledger::StoredRecord& stored : page) {
      TIPSTAFF_RETURN_IF_ERROR(reading.Take(stored.record));
    }
    next = page.back().seq + 1;
  }
}

std::vector<std::string> SystemsOf(const PinnedRun& run) {
  std::vector<std::string> aliases;
  for (const auto& [alias, stub] : run.granted.states) aliases.push_back(alias);
  for (const auto& [alias, system] : run.granted.systems) aliases.push_back(alias);
  return aliases;
}

}  // namespace tipstaff::cli
