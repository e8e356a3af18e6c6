#include "mediator/host/granting.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/digest.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/config/folders.h"
#include "mediator/json/parse.h"
#include "mediator/upstream/load.h"

namespace tipstaff::host {
namespace {

run::PinnedFile Pin(const std::string& path, const std::string& bytes,
                    std::vector<ledger::Pinned>& pinned) {
  const base::Digest digest = base::DigestOf(bytes);
  pinned.push_back({digest, bytes});
  return {path, base::ToHex(digest)};
}

using SkillFiles = std::vector<std::shared_ptr<const source::File>>;

absl::Status FirstError(const source::Diagnostics& diagnostics) {
  return source::HasErrors(diagnostics)
             ? source::ToStatus(diagnostics)
             : absl::InternalError("a file was refused without a diagnostic");
}

absl::Status AddStub(const std::string& alias, const std::string& name, const std::string& seed,
                     const backend::Catalog& catalog, Granted& granted) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const engine::Stub> stub,
                            catalog.StubNamed(name));
  TIPSTAFF_ASSIGN_OR_RETURN(std::unique_ptr<engine::State> state,
                            engine::State::Create(stub, {seed, alias, granted.grant->bindings()}));
  granted.states.emplace(alias, GrantedStub{stub, std::move(state)});
  run::PinnedStub pinned{alias, name, {}};
  for (const auto& [path, bytes] : stub->files().files) {
    pinned.files.push_back(Pin(path, bytes, granted.pinned));
  }
  granted.stubs.push_back(std::move(pinned));
  return absl::OkStatus();
}

absl::Status AddTestSystem(const std::string& alias, const std::string& name,
                           const backend::Catalog& catalog, Granted& granted) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const backend::TestSystem> system,
                            catalog.TestSystemNamed(name));
  const source::File& file = *system->tools_file;
  granted.test_systems.push_back({alias, name, system->command, system->folder, system->stop,
                                  system->timeout, Pin(file.path, file.text, granted.pinned)});
  granted.systems.emplace(alias, system);
  return absl::OkStatus();
}

void AddServer(const std::string& alias, const std::string& name, const std::string& pins_text,
               upstream::ApprovedServer approved, Granted& granted) {
  const config::McpServer& server = approved.system->server;
  granted.mcp_servers.push_back({alias, name, config::Encode(server),
                                 Pin(server.pins, pins_text, granted.pinned),
                                 Pin(server.sign_off, approved.sign_off_text, granted.pinned),
                                 approved.by, approved.system->approved_until});
  granted.servers.emplace(alias, std::move(approved.system));
}

// Of a server that a skill names: approved, by whoever has to say so.
using Approve = std::function<absl::Status(const std::string& alias, const std::string& name,
                                           Granted& granted)>;

absl::StatusOr<Granted> MakeGranted(const SkillFiles& files, const json::Document& bindings,
                                    absl::Span<const std::string> canaries, const std::string& seed,
                                    const backend::Catalog& catalog, const Approve& approve,
                                    source::Diagnostics& diagnostics) {
  Granted granted;
  std::vector<std::shared_ptr<const policy::Skill>> skills;
  const auto fail = [&]() -> absl::Status {
    // A skill that names a stub which does not check is refused; say why the stub is.
    diagnostics.insert(diagnostics.end(), catalog.diagnostics().begin(),
                       catalog.diagnostics().end());
    return FirstError(diagnostics);
  };
  for (const std::shared_ptr<const source::File>& file : files) {
    std::shared_ptr<const policy::Skill> skill = policy::LoadSkill(file, catalog, diagnostics);
    if (skill == nullptr) return fail();
    granted.skills.push_back({skill->name(), Pin(file->path, file->text, granted.pinned)});
    skills.push_back(std::move(skill));
  }
  granted.grant = policy::Grant::Make(std::move(skills), bindings, catalog, diagnostics, canaries);
  if (granted.grant == nullptr) return fail();
  for (const auto& [alias, ref] : granted.grant->backends()) {
    if (ref.kind == policy::BackendRef::Kind::kStub) {
      TIPSTAFF_RETURN_IF_ERROR(AddStub(alias, ref.name, seed, catalog, granted));
    } else if (catalog.IsTestSystem(ref.name)) {
      TIPSTAFF_RETURN_IF_ERROR(AddTestSystem(alias, ref.name, catalog, granted));
    } else {
      TIPSTAFF_RETURN_IF_ERROR(approve(alias, ref.name, granted));
    }
  }
  return granted;
}

absl::StatusOr<backend::TestSystem> FromDisk(const std::vector<config::TestSystem>& systems,
                                             const std::string& name) {
  for (const config::TestSystem& system : systems) {
    if (system.name != name) continue;
    const std::optional<run::StopKind> stop = run::ParseStopKind(system.stop);
    if (!stop) return absl::InternalError("a stop kind that the configuration does not have");
    TIPSTAFF_ASSIGN_OR_RETURN(std::string text, base::ReadFile(system.tools));
    return backend::TestSystem{
        system.name,
        system.command,
        std::filesystem::absolute(system.folder.empty() ? "." : system.folder).string(),
        *stop,
        system.timeout,
        std::make_shared<source::File>(source::File{system.tools, std::move(text)}),
        {}};
  }
  return absl::NotFoundError(absl::StrCat("there is no upstream `", name, "`"));
}

absl::StatusOr<backend::TestSystem> FromPins(const run::Opened& opened,
                                             const PinnedContent& content,
                                             const std::string& name) {
  for (const run::PinnedTestSystem& pinned : opened.test_systems) {
    if (pinned.name != name) continue;
    TIPSTAFF_ASSIGN_OR_RETURN(std::string text, content(pinned.tools.digest));
    return backend::TestSystem{
        pinned.name,
        pinned.command,
        pinned.folder,
        pinned.stop,
        pinned.timeout,
        std::make_shared<source::File>(source::File{pinned.tools.path, std::move(text)}),
        {}};
  }
  return absl::NotFoundError(absl::StrCat("the run pinned no upstream `", name, "`"));
}

const config::McpServer* Find(const std::vector<config::McpServer>& servers,
                              const std::string& name) {
  const auto it =
      std::find_if(servers.begin(), servers.end(),
                   [&](const config::McpServer& server) { return server.name == name; });
  return it == servers.end() ? nullptr : &*it;
}

// What a run pinned of a server. Its sign-off was checked when the run opened, and ends when it
// ends.
absl::StatusOr<upstream::PinnedServer> PinnedServerOf(const run::PinnedMcpServer& pinned,
                                                      const PinnedContent& content) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document configuration,
                            json::Parse(pinned.configuration, {.max_depth = 2 * json::kMaxDepth}));
  TIPSTAFF_ASSIGN_OR_RETURN(config::McpServer server,
                            config::DecodeMcpServer(configuration.root()));
  server.pins = pinned.pins.path;
  server.sign_off = pinned.sign_off.path;
  TIPSTAFF_ASSIGN_OR_RETURN(std::string text, content(pinned.pins.digest));
  return upstream::ParsePins(server, std::move(text));
}

}  // namespace

backend::Catalog DiskCatalog(const config::Config& config) {
  std::vector<std::string> names;
  for (const config::TestSystem& system : config.test_systems) names.push_back(system.name);
  std::vector<std::string> servers;
  for (const config::McpServer& server : config.mcp_servers) servers.push_back(server.name);
  backend::Catalog catalog(
      [config](const std::string& name) -> absl::StatusOr<engine::StubFiles> {
        TIPSTAFF_ASSIGN_OR_RETURN(const std::string path, config::FindStub(config, name));
        return engine::ReadStubFiles(std::filesystem::path(path).parent_path().string());
      },
      config::ListStubs(config),
      [systems = config.test_systems](const std::string& name) { return FromDisk(systems, name); },
      std::move(names));
  catalog.set_servers(
      [servers =
           config.mcp_servers](const std::string& name) -> absl::StatusOr<std::vector<call::Tool>> {
        TIPSTAFF_ASSIGN_OR_RETURN(const upstream::PinnedServer pinned,
                                  upstream::ReadPins(*Find(servers, name)));
        return pinned.pins.Tools();
      },
      std::move(servers));
  std::vector<std::string> approvers;
  for (const config::Person& person : config.people) {
    approvers.push_back(person.name);
    approvers.insert(approvers.end(), person.groups.begin(), person.groups.end());
  }
  catalog.set_approvers(std::move(approvers));
  return catalog;
}

absl::StatusOr<Granted> GrantFromDisk(const config::Config& config,
                                      const std::vector<std::string>& skills,
                                      const json::Document& bindings,
                                      absl::Span<const std::string> canaries,
                                      const std::string& seed, source::Diagnostics& diagnostics) {
  if (skills.empty()) return absl::InvalidArgumentError("a run needs at least one skill");
  SkillFiles files;
  for (const std::string& name : skills) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::string path, config::FindSkill(config, name));
    TIPSTAFF_ASSIGN_OR_RETURN(std::string text, base::ReadFile(path));
    files.push_back(std::make_shared<source::File>(source::File{path, std::move(text)}));
  }
  const backend::Catalog catalog = DiskCatalog(config);
  const auto approve = [&](const std::string& alias, const std::string& name, Granted& granted) {
    const config::McpServer* server = Find(config.mcp_servers, name);
    if (server == nullptr) return absl::NotFoundError(absl::StrCat("no upstream `", name, "`"));
    TIPSTAFF_ASSIGN_OR_RETURN(upstream::PinnedServer pinned, upstream::ReadPins(*server));
    const std::string text = pinned.pins_text;
    TIPSTAFF_ASSIGN_OR_RETURN(
        upstream::ApprovedServer approved,
        upstream::ReadApproval(std::move(pinned), config.people, absl::Now()));
    AddServer(alias, name, text, std::move(approved), granted);
    return absl::OkStatus();
  };
  return MakeGranted(files, bindings, canaries, seed, catalog, approve, diagnostics);
}

absl::StatusOr<Granted> GrantFromPins(const run::Opened& opened, const PinnedContent& content) {
  SkillFiles files;
  for (const run::PinnedSkill& skill : opened.skills) {
    TIPSTAFF_ASSIGN_OR_RETURN(std::string text, content(skill.file.digest));
    files.push_back(std::make_shared<source::File>(source::File{skill.file.path, std::move(text)}));
  }
  const auto read = [&](const std::string& name) -> absl::StatusOr<engine::StubFiles> {
    for (const run::PinnedStub& stub : opened.stubs) {
      if (stub.name != name) continue;
      engine::StubFiles stub_files{absl::StrCat("pinned:", name), {}};
      for (const run::PinnedFile& file : stub.files) {
        TIPSTAFF_ASSIGN_OR_RETURN(stub_files.files[file.path], content(file.digest));
      }
      return stub_files;
    }
    return absl::NotFoundError(absl::StrCat("the run pinned no stub `", name, "`"));
  };
  std::vector<std::string> names;
  for (const run::PinnedStub& stub : opened.stubs) names.push_back(stub.name);
  std::vector<std::string> systems;
  for (const run::PinnedTestSystem& system : opened.test_systems) systems.push_back(system.name);
  backend::Catalog catalog(
      read, std::move(names),
      [&](const std::string& name) { return FromPins(opened, content, name); }, std::move(systems));
  const auto pinned_of = [&](const std::string& name) -> absl::StatusOr<upstream::PinnedServer> {
    for (const run::PinnedMcpServer& pinned : opened.mcp_servers) {
      if (pinned.name == name) return PinnedServerOf(pinned, content);
    }
    return absl::NotFoundError(absl::StrCat("the run pinned no upstream `", name, "`"));
  };
  std::vector<std::string> servers;
  for (const run::PinnedMcpServer& pinned : opened.mcp_servers) servers.push_back(pinned.name);
  catalog.set_servers(
      [&](const std::string& name) -> absl::StatusOr<std::vector<call::Tool>> {
        TIPSTAFF_ASSIGN_OR_RETURN(const upstream::PinnedServer pinned, pinned_of(name));
        return pinned.pins.Tools();
      },
      std::move(servers));
  const auto approve = [&](const std::string& alias, const std::string& name, Granted& granted) {
    TIPSTAFF_ASSIGN_OR_RETURN(upstream::PinnedServer pinned, pinned_of(name));
    for (const run::PinnedMcpServer& was : opened.mcp_servers) {
      if (was.alias != alias) continue;
      granted.mcp_servers.push_back(was);
      granted.servers.emplace(
          alias, std::make_shared<upstream::McpSystem>(upstream::McpSystem{
                     std::move(pinned.server), std::move(pinned.pins), was.approved_until}));
    }
    return absl::OkStatus();
  };
  source::Diagnostics diagnostics;
  return MakeGranted(files, opened.bindings, opened.canaries, opened.seed, catalog, approve,
                     diagnostics);
}

}  // namespace tipstaff::host
