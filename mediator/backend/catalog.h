// The stubs and test systems there are, loaded when they are first asked for: what skills are
// checked against.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mediator/backend/test_system.h"
#include "mediator/policy/catalog.h"
#include "stubs/engine/stub.h"

namespace tipstaff::backend {

// Thread-compatible.
class Catalog final : public policy::Catalog {
 public:
  // Where a stub's files come from: a folder, or the pinned contents of a run.
  using ReadFiles = std::function<absl::StatusOr<engine::StubFiles>(const std::string& name)>;

  // Likewise a test system: all of it but its `tools`, which are loaded here from its `tools_file`.
  using ReadTestSystem = std::function<absl::StatusOr<TestSystem>(const std::string& name)>;

  Catalog(ReadFiles read_files, std::vector<std::string> stub_names,
          ReadTestSystem read_test_system = nullptr, std::vector<std::string> test_systems = {})
      : read_files_(std::move(read_files)),
        stub_names_(std::move(stub_names)),
        read_test_system_(std::move(read_test_system)),
        test_system_names_(std::move(test_systems)) {}

  // MCP servers, which are upstreams too: what they offer, by name.
  using ReadServer =
      std::function<absl::StatusOr<std::vector<call::Tool>>(const std::string& name)>;
  void set_servers(ReadServer read_server, std::vector<std::string> names) {
    read_server_ = std::move(read_server);
    servers_ = std::move(names);
  }
  // Else an upstream is an MCP server.
  bool IsTestSystem(const std::string& name) const;

  absl::StatusOr<std::vector<call::Tool>> ToolsOf(const policy::BackendRef& backend) const override;
  std::vector<std::string> NamesOf(policy::BackendRef::Kind kind) const override;
  std::optional<std::vector<std::string>> Approvers() const override { return approvers_; }
  void set_approvers(std::vector<std::string> names) { approvers_ = std::move(names); }

  // NotFound, or InvalidArgument when its files do not check (see diagnostics()).
  absl::StatusOr<std::shared_ptr<const engine::Stub>> StubNamed(const std::string& name) const;

  // Likewise.
  absl::StatusOr<std::shared_ptr<const TestSystem>> TestSystemNamed(const std::string& name) const;

  // What was wrong with the files that were asked for.
  const source::Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  ReadFiles read_files_;
  std::vector<std::string> stub_names_;
  ReadTestSystem read_test_system_;
  std::vector<std::string> test_system_names_;
  ReadServer read_server_;
  std::vector<std::string> servers_;
  mutable std::map<std::string, absl::StatusOr<std::vector<call::Tool>>> server_tools_;
  std::optional<std::vector<std::string>> approvers_;
  mutable std::map<std::string, absl::StatusOr<std::shared_ptr<const engine::Stub>>> loaded_;
  mutable std::map<std::string, absl::StatusOr<std::shared_ptr<const TestSystem>>> systems_;
  mutable source::Diagnostics diagnostics_;
};

}  // namespace tipstaff::backend
