#include "mediator/backend/catalog.h"

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
  if (backend.kind == policy::BackendRef::Kind::kUpstream) {
    return absl::NotFoundError(absl::StrCat("upstream `", backend.name,
                                            "` is not there: this version routes to stubs only"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const engine::Stub> stub,
                            StubNamed(backend.name));
  return std::vector<call::Tool>(stub->tools().begin(), stub->tools().end());
}

std::vector<std::string> Catalog::NamesOf(policy::BackendRef::Kind kind) const {
  return kind == policy::BackendRef::Kind::kStub ? stub_names_ : std::vector<std::string>();
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

}  // namespace tipstaff::backend
