#include "stubs/engine/coverage.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "stubs/engine/faults.h"
#include "stubs/engine/loaded_stub.h"
#include "stubs/engine/replies.h"

namespace tipstaff::engine {
namespace {

// The errors that a tool's rows can answer with.
std::vector<std::string> RowCodes(const Definition& definition, const Action& action) {
  if (const auto* select = std::get_if<Select>(&action)) {
    return select->one ? std::vector<std::string>{"not_found"} : std::vector<std::string>();
  }
  if (const auto* insert = std::get_if<Insert>(&action)) {
    // A key that is drawn is never in use.
    const bool drawn = insert->row.Draws(definition.tables[insert->table].key);
    return drawn ? std::vector<std::string>() : std::vector<std::string>{"already_exists"};
  }
  if (const auto* replies = std::get_if<std::shared_ptr<const Replies>>(&action)) {
    return (*replies)->Errors();
  }
  if (std::holds_alternative<Transition>(action)) return {"invalid_transition", "not_found"};
  return {"not_found"};
}

// What a fault does, in a word.
std::string CodeOf(const FaultDefinition& fault) {
  if (!fault.error.empty()) return fault.error;
  if (fault.is_malformed) return "malformed";
  if (fault.truncated) return "truncated";
  return fault.timeout == FaultDefinition::Timeout::kNone ? "delay" : "timeout";
}

}  // namespace

std::string StubPart::ToString() const {
  switch (kind) {
    case Kind::kTool:
      return absl::StrCat("tool `", owner, "`");
    case Kind::kError:
      return absl::StrCat("error `", code, "` of `", owner, "`");
    case Kind::kFault:
      return absl::StrCat("the fault in line ", line, " (`", code, "` of `", owner, "`)");
  }
  return "";
}

StubCoverage::StubCoverage(std::shared_ptr<const Stub> stub)
    : stub_(std::dynamic_pointer_cast<const LoadedStub>(std::move(stub))) {
  if (stub_ == nullptr) return;
  const Definition& definition = stub_->definition();
  const auto add_error = [this](const std::string& owner, const std::string& code) {
    const bool there = std::any_of(parts_.begin(), parts_.end(), [&](const StubPart& part) {
      return part.kind == StubPart::Kind::kError && part.owner == owner && part.code == code;
    });
    if (!there) parts_.push_back({StubPart::Kind::kError, owner, code});
  };
  for (size_t i = 0; i < definition.tools.size(); ++i) {
    const ToolDefinition& tool = definition.tools[i];
    parts_.push_back({StubPart::Kind::kTool, tool.tool.name, ""});
    const std::string owner = OwnerOfErrors(i);
    const auto* script = std::get_if<Script>(&tool.action);
    const auto text = stub_->files().files.find(owner);
    const std::vector<std::string> codes = script == nullptr ? RowCodes(definition, tool.action)
                                           : text == stub_->files().files.end()
                                               ? std::vector<std::string>()
                                               : FailCodes(text->second);
    for (const std::string& code : codes) add_error(owner, code);
  }
  for (size_t i = 0; i < definition.faults.size(); ++i) {
    const FaultDefinition& fault = definition.faults[i];
    parts_.push_back({StubPart::Kind::kFault, definition.tools[fault.tool].tool.name, CodeOf(fault),
                      i + 1, fault.line});
  }
}

// A script that several tools run need not answer with each of its errors for each of them.
std::string StubCoverage::OwnerOfErrors(size_t tool) const {
  const ToolDefinition& definition = stub_->definition().tools[tool];
  const auto* script = std::get_if<Script>(&definition.action);
  return script != nullptr ? script->path : definition.tool.name;
}

void StubCoverage::Mark(StubPart::Kind kind, absl::string_view owner, absl::string_view code) {
  for (StubPart& part : parts_) {
    if (part.kind == kind && part.owner == owner && part.code == code) part.reached = true;
  }
}

void StubCoverage::Add(absl::string_view tool, const Reply& reply) {
  if (stub_ == nullptr) return;
  const std::optional<size_t> index = stub_->definition().FindTool(tool);
  if (!index) return;
  const Definition& definition = stub_->definition();
  if (reply.fault) {
    for (StubPart& part : parts_) {
      if (part.kind == StubPart::Kind::kFault && part.fault == *reply.fault + 1) {
        part.reached = true;
      }
    }
    // The tool itself was not asked.
    if (Prevents(definition.faults[*reply.fault])) return;
  }
  // The schema's refusal, most often: then the tool was not asked.
  if (reply.error != "invalid_arguments") Mark(StubPart::Kind::kTool, tool, "");
  if (!reply.error.empty()) Mark(StubPart::Kind::kError, OwnerOfErrors(*index), reply.error);
}

}  // namespace tipstaff::engine
