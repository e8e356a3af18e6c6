#include "mediator/backend/catalog.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"

namespace tipstaff::backend {
namespace {

absl::Status DoesNotCheck(const std::string& name, const source::Diagnostics& found) {
  size_t errors = 0;
  std::string code;
  for (const source::Diagnostic& one : found) {
    if (one.severity == source::Severity::kError && ++errors == 1) code = one.code;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the stub `", name, "` has ", errors, errors == 1 ? " error" : " errors, the first", ": ",
      code, " at ", source::ToStatus(found).message()));
}

}  // namespace

absl::StatusOr<std::vector<call::Tool>> Catalog::ToolsOf(const policy::BackendRef& backend) const {
  if (std::find(servers_.begin(), servers_.end(), backend.name) != servers_.end() &&
      backend.kind == policy::BackendRef::Kind::kUpstream) {
    const auto it = server_tools_.find(backend.name);
    if (it != server_tools_.end()) return it->second;
    return server_tools_.emplace(backend.name, read_server_(backend.name)).first->second;
  }
  if (backend.kind == policy::BackendRef::Kind::kUpstream) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const TestSystem> system,
                              TestSystemNamed(backend.name));
    std::vector<call::Tool> tools;
    for (const engine::DeclaredTool& declared : system->tools) tools.push_back(declared.tool);
    return tools;
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const engine::Stub> stub,
                            StubNamed(backend.name));
  return std::vector<call::Tool>(stub->tools().begin(), stub->tools().end());
}

std::vector<std::string> Catalog::NamesOf(policy::BackendRef::Kind kind) const {
  if (kind == policy::BackendRef::Kind::kStub) return stub_names_;
  std::vector<std::string> names = test_system_names_;
  names.insert(names.end(), servers_.begin(), servers_.end());
  return names;
}

bool Catalog::IsTestSystem(const std::string& name) const {
  return std::find(test_system_names_.begin(), test_system_names_.end(), name) !=
         test_system_names_.end();
}

absl::StatusOr<std::shared_ptr<const engine::Stub>> Catalog::StubNamed(
    const std::string& name) const {
  const auto it = loaded_.find(name);
  if (it != loaded_.end()) return it->second;
  const auto load = [&]() -> absl::StatusOr<std::shared_ptr<const engine::Stub>> {
    TIPSTAFF_ASSIGN_OR_RETURN(engine::StubFiles files, read_files_(name));
    source::Diagnostics found;
    std::shared_ptr<const engine::Stub> stub = engine::Stub::Load(std::move(files), found);
    diagnostics_.insert(diagnostics_.end(), found.begin(), found.end());
    if (stub == nullptr) return DoesNotCheck(name, found);
    return stub;
  };
  return loaded_.emplace(name, load()).first->second;
}

absl::StatusOr<std::shared_ptr<const TestSystem>> Catalog::TestSystemNamed(
    const std::string& name) const {
  const auto it = systems_.find(name);
  if (it != systems_.end()) return it->second;
  const auto load = [&]() -> absl::StatusOr<std::shared_ptr<const TestSystem>> {
    const auto& names = test_system_names_;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return absl::NotFoundError(absl::StrCat("there is no upstream `", name,
                                              "`: `upstreams` in tipstaff.yaml does not name it"));
    }
    TIPSTAFF_ASSIGN_OR_RETURN(TestSystem system, read_test_system_(name));
    source::Diagnostics found;
    std::optional<std::vector<engine::DeclaredTool>> tools =
        engine::LoadToolFile(system.tools_file, found);
    diagnostics_.insert(diagnostics_.end(), found.begin(), found.end());
    if (!tools) return source::ToStatus(found);
    system.tools = *std::move(tools);
    return std::make_shared<const TestSystem>(std::move(system));
  };
  return systems_.emplace(name, load()).first->second;
}

}  // namespace tipstaff::backend
