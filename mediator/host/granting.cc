#include "mediator/host/granting.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/backend/stub_backend.h"
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
    TIPSTAFF_ASSIGN_OR_RETURN(const std::shared_ptr<const engine::Stub> stub,
                              catalog.StubNamed(ref.name));
    TIPSTAFF_ASSIGN_OR_RETURN(
        std::unique_ptr<engine::State> state,
        engine::State::Create(stub, {seed, alias, granted.grant->bindings()}));
    granted.backends.emplace(alias, std::make_unique<backend::StubBackend>(stub, std::move(state)));
    run::PinnedStub pinned{alias, ref.name, {}};
    for (const auto& [path, bytes] : stub->files().files) {
      pinned.files.push_back(Pin(path, bytes, granted.pinned));
    }
    granted.stubs.push_back(std::move(pinned));
  }
  return granted;
}

}  // namespace

backend::Catalog DiskCatalog(const config::Config& config) {
  return backend::Catalog(
      [config](const std::string& name) -> absl::StatusOr<engine::StubFiles> {
        TIPSTAFF_ASSIGN_OR_RETURN(const std::string path, config::FindStub(config, name));
        return engine::ReadStubFiles(std::filesystem::path(path).parent_path().string());
      },
      config::ListStubs(config));
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
  const backend::Catalog catalog(read, std::move(names));
  source::Diagnostics diagnostics;
  return MakeGranted(files, opened.bindings, opened.canaries, opened.seed, catalog, diagnostics);
}

}  // namespace tipstaff::host
