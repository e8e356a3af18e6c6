// The one implementation of Stub.
#pragma once

#include <utility>
#include <vector>

#include "stubs/engine/definition.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

class LoadedStub final : public Stub {
 public:
  LoadedStub(StubFiles files, Definition definition)
      : files_(std::move(files)), definition_(std::move(definition)) {
    for (const ToolDefinition& tool : definition_.tools) tools_.push_back(tool.tool);
  }

  const std::string& name() const override { return definition_.name; }
  const std::string& description() const override { return definition_.description; }
  absl::Span<const call::Tool> tools() const override { return tools_; }
  const StubFiles& files() const override { return files_; }
  const Definition& definition() const { return definition_; }

 private:
  const StubFiles files_;
  const Definition definition_;
  std::vector<call::Tool> tools_;
};

}  // namespace tipstaff::engine
