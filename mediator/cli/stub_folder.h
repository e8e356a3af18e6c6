// The stub that a command line names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/cli/settings.h"
#include "mediator/json/document.h"
#include "stubs/engine/stub.h"

namespace tipstaff::cli {

// `text` is a stub's folder, its stub.yaml, or a name that is found in the configuration's stub
// folders (which is read only then). NotFound and InvalidArgument say what to write.
absl::StatusOr<std::string> FindStubFolder(const Settings& settings, const std::string& text);

struct LoadedFolder {
  std::shared_ptr<const engine::Stub> stub;  // null: it does not load, and `problem` says why
  std::string diagnostics;                   // errors and warnings, for a terminal
  absl::Status problem;
};
LoadedFolder LoadStubFolder(const std::string& folder);

// What the commands that make calls have in common.
struct StubOptions {
  Settings settings;
  std::string stub;
  std::string seed;
  std::vector<std::string> bindings;
};
void AddStubOptions(CLI::App& command, StubOptions& options);

// Finds and loads the stub, with its diagnostics on standard error, and reads the bindings.
struct OpenedStub {
  std::string folder;
  std::shared_ptr<const engine::Stub> stub;
  json::Document bindings;
};
absl::StatusOr<OpenedStub> OpenStub(const StubOptions& options);

}  // namespace tipstaff::cli
