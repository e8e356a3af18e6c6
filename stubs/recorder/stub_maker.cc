#include "stubs/recorder/stub_maker.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "mediator/json/write.h"
#include "mediator/schema/program.h"
#include "stubs/engine/limits.h"
#include "stubs/recorder/stub_writer.h"
#include "stubs/recorder/tables.h"

namespace tipstaff::recorder {
namespace {

using Kind = RecordedCall::Kind;

// Those whose arguments the tool takes: the others are refused before anything answers them.
std::vector<const RecordedCall*> ToAnswer(const Recording& recording,
                                          std::vector<std::string>& refused) {
  std::vector<const RecordedCall*> calls;
  for (const call::Tool& tool : recording.tools) {
    const auto input = schema::Program::Compile(tool.input_schema.root(), schema::Dialect::kTool);
    for (const RecordedCall& call : recording.calls) {
      if (call.tool != tool.name) continue;
      if (!input.ok() || input->Accepts(call.arguments.root())) {
        calls.push_back(&call);
      } else {
        refused.push_back(absl::StrCat("#", call.number, " ", call.tool,
                                       ": its arguments, as they are now, do not pass `input`"));
      }
    }
  }
  std::sort(calls.begin(), calls.end());  // as they were made
  return calls;
}

bool IsAnsweredAs(const RecordedCall& call, const engine::Reply& reply) {
  if (call.kind == Kind::kError) return reply.error == call.error && reply.message == call.message;
  return reply.is_content == (call.kind == Kind::kContent) &&
         (reply.is_content || reply.kind == call::OutcomeKind::kOk) &&
         json::Dump(reply.value.root()) == json::Dump(call.answer.root());
}

// Makes the calls; the tools that answer one of them otherwise.
absl::StatusOr<std::set<std::string>> WhoDiffers(std::shared_ptr<const engine::Stub> stub,
                                                 const std::vector<const RecordedCall*>& calls) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      const std::unique_ptr<engine::State> state,
      engine::State::Create(std::move(stub), {.seed = "recorded", .backend = "recorded"}));
  std::set<std::string> tools;
  uint64_t number = 0;
  for (const RecordedCall* call : calls) {
    const engine::Reply reply = state->Call(++number, call->tool, call->arguments);
    if (!IsAnsweredAs(*call, reply)) tools.insert(call->tool);
  }
  return tools;
}

// A stub is read from its folder, which has limits.
absl::Status CheckSizes(const std::map<std::string, std::string>& files) {
  size_t all = 0;
  for (const auto& [path, text] : files) {
    all += text.size();
    if (text.size() > engine::kMaxFileBytes || all > engine::kMaxFilesBytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`", path, "` would have ", base::ShowBytes(text.size()), ", of ", base::ShowBytes(all),
          " in all: a stub's file has at most ", base::ShowBytes(engine::kMaxFileBytes),
          ", all of them ", base::ShowBytes(engine::kMaxFilesBytes),
          "; record a run with fewer or smaller calls"));
    }
  }
  return absl::OkStatus();
}

std::set<std::string> ToolsOf(const std::vector<FoundTable>& tables) {
  std::set<std::string> tools;
  for (const FoundTable& table : tables) {
    tools.insert(table.read_tool);
    for (const FoundUpdate& update : table.updates) tools.insert(update.tool);
  }
  return tools;
}

}  // namespace

absl::StatusOr<MadeStub> MakeStub(const Recording& recording, const MakeOptions& options) {
  std::vector<std::string> refused;
  const std::vector<const RecordedCall*> answer = ToAnswer(recording, refused);
  if (answer.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no call of `", recording.system, "` that could be answered again"));
  }
  std::set<std::string> left_out;
  for (;;) {
    const std::vector<FoundTable> tables = FindTables(recording, left_out);
    const std::set<std::string> told = ToolsOf(tables);
    MadeStub made{WriteStub(recording, answer, tables, options),
                  {told.begin(), told.end()},
                  answer.size(),
                  refused,
                  {}};
    TIPSTAFF_RETURN_IF_ERROR(CheckSizes(made.files));
    source::Diagnostics diagnostics;
    const auto stub = engine::Stub::Load({options.name, made.files}, diagnostics);
    if (stub == nullptr) {
      if (told.empty()) return source::ToStatus(diagnostics);
      left_out.insert(told.begin(), told.end());
      continue;
    }
    TIPSTAFF_ASSIGN_OR_RETURN(const std::set<std::string> differ, WhoDiffers(stub, answer));
    std::set<std::string> wrong;
    std::set_intersection(differ.begin(), differ.end(), told.begin(), told.end(),
                          std::inserter(wrong, wrong.begin()));
    if (!wrong.empty()) {
      left_out.insert(wrong.begin(), wrong.end());
      continue;
    }
    if (!differ.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("tool `", *differ.begin(), "` does not answer as it was recorded"));
    }
    for (const call::Tool& tool : recording.tools) {
      const bool used = std::any_of(answer.begin(), answer.end(), [&](const RecordedCall* call) {
        return call->tool == tool.name;
      });
      if (!used) made.unused.push_back(tool.name);
    }
    return made;
  }
}

}  // namespace tipstaff::recorder
