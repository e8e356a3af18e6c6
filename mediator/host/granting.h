// From names and files to what a run is made of: skills, grant, what backends are made of, pinned
// contents.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/backend/catalog.h"
#include "mediator/config/config.h"
#include "mediator/ledger/ledger.h"
#include "mediator/policy/grant.h"
#include "mediator/run/records.h"
#include "mediator/upstream/mcp_system.h"
#include "stubs/engine/stub.h"

namespace tipstaff::host {

// What the backend of a stub is made of.
struct GrantedStub {
  std::shared_ptr<const engine::Stub> stub;
  std::unique_ptr<engine::State> state;
};

struct Granted {
  std::shared_ptr<const policy::Grant> grant;
  // As run_opened names them, and their contents.
  std::vector<run::PinnedSkill> skills;
  std::vector<run::PinnedStub> stubs;
  std::vector<run::PinnedTestSystem> test_systems;
  std::vector<run::PinnedMcpServer> mcp_servers;
  // What backends are made of, by alias, together with what is a run's own.
  std::map<std::string, GrantedStub> states;
  std::map<std::string, std::shared_ptr<const backend::TestSystem>> systems;
  std::map<std::string, std::shared_ptr<const upstream::McpSystem>> servers;
  std::vector<ledger::Pinned> pinned;
};

// The stubs that the configuration's folders hold, its test systems and its MCP servers as they are
// pinned, read when they are asked for. Whether a server is approved is not asked.
backend::Catalog DiskCatalog(const config::Config& config);

// Loads skills by name from the configuration's folders, with these bindings, canaries and seed.
// What is wrong with a file goes to `diagnostics`, beside an InvalidArgument status.
absl::StatusOr<Granted> GrantFromDisk(const config::Config& config,
                                      const std::vector<std::string>& skills,
                                      const json::Document& bindings,
                                      absl::Span<const std::string> canaries,
                                      const std::string& seed, source::Diagnostics& diagnostics);

// The same from what a run pinned; `content` gives a pinned file's bytes by hex digest.
using PinnedContent = std::function<absl::StatusOr<std::string>(const std::string& digest)>;
absl::StatusOr<Granted> GrantFromPins(const run::Opened& opened, const PinnedContent& content);

}  // namespace tipstaff::host
