#include "mediator/host/granting.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/config/folders.h"

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

absl::StatusOr<Granted> MakeGranted(const SkillFiles& files, const json::Document& bindings,
                                    absl::Span<const std::string> canaries, const std::string& seed,
                                    const backend::Catalog& catalog,
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
    TIPSTAFF_RETURN_IF_ERROR(ref.kind == policy::BackendRef::Kind::kStub
                                 ? AddStub(alias, ref.name, seed, catalog, granted)
                                 : AddTestSystem(alias, ref.name, catalog, granted));
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

}  // namespace

backend::Catalog DiskCatalog(const config::Config& config) {
  std::vector<std::string> names;
  for (const config::TestSystem& system : config.test_systems) names.push_back(system.name);
  backend::Catalog catalog(
      [config](const std::string& name) -> absl::StatusOr<engine::StubFiles> {
        TIPSTAFF_ASSIGN_OR_RETURN(const std::string path, config::FindStub(config, name));
        return engine::ReadStubFiles(std::filesystem::path(path).parent_path().string());
      },
      config::ListStubs(config),
      [systems = config.test_systems](const std::string& name) { return FromDisk(systems, name); },
      std::move(names));
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
  return MakeGranted(files, bindings, canaries, seed, catalog, diagnostics);
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
  const backend::Catalog catalog(
      read, std::move(names),
      [&](const std::string& name) { return FromPins(opened, content, name); }, std::move(systems));
  source::Diagnostics diagnostics;
  return MakeGranted(files, opened.bindings, opened.canaries, opened.seed, catalog, diagnostics);
}

}  // namespace tipstaff::host
