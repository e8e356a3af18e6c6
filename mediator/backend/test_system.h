// A test system as configured or pinned: how its process is started, and what it offers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/run/stop_kind.h"
#include "mediator/source/diagnostic.h"
#include "stubs/engine/tool_file.h"

namespace tipstaff::backend {

// Immutable, shared by runs.
struct TestSystem {
  std::string name;
  std::vector<std::string> command;
  std::string folder;  // that it is started in
  run::StopKind stop = run::StopKind::kNone;
  absl::Duration timeout;
  std::shared_ptr<const source::File> tools_file;
  std::vector<engine::DeclaredTool> tools;  // of that file

  const engine::DeclaredTool* Find(absl::string_view tool) const;
};

}  // namespace tipstaff::backend
