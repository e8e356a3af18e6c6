// The stubs there are, loaded when they are first asked for: what skills are checked against.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mediator/policy/catalog.h"
#include "stubs/engine/stub.h"

namespace tipstaff::backend {

// Thread-compatible.
class Catalog final : public policy::Catalog {
 public:
  // Where a stub's files come from: a folder, or the pinned contents of a run.
  using ReadFiles = std::function<absl::StatusOr<engine::StubFiles>(const std::string& name)>;

  Catalog(ReadFiles read_files, std::vector<std::string> stub_names)
      : read_files_(std::move(read_files)), stub_names_(std::move(stub_names)) {}

  absl::StatusOr<std::vector<call::Tool>> ToolsOf(const policy::BackendRef& backend) const override;
  std::vector<std::string> NamesOf(policy::BackendRef::Kind kind) const override;

  // NotFound, or InvalidArgument when its files do not check (see diagnostics()).
  absl::StatusOr<std::shared_ptr<const engine::Stub>> StubNamed(const std::string& name) const;

  // What was wrong with the stubs that were asked for.
  const source::Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  ReadFiles read_files_;
  std::vector<std::string> stub_names_;
  mutable std::map<std::string, absl::StatusOr<std::shared_ptr<const engine::Stub>>> loaded_;
  mutable source::Diagnostics diagnostics_;
};

}  // namespace tipstaff::backend
