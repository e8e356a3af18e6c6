#include "mediator/cli/user_files.h"

#include <filesystem>
#include <optional>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/config/folders.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

std::optional<UserFile::Kind> KindOf(const std::string& name) {
  if (name == "skill.yaml") return UserFile::Kind::kSkill;
  if (name == "stub.yaml") return UserFile::Kind::kStub;
  if (name == "tipstaff.yaml") return UserFile::Kind::kConfig;
  return std::nullopt;
}

// The user's own where there are any, else those that come with Tipstaff.
absl::StatusOr<std::vector<UserFile>> FilesOfConfig(config::Config config) {
  if (!config.policies.empty()) config.shipped_policies.clear();
  if (!config.stubs.empty()) config.shipped_stubs.clear();
  std::vector<UserFile> files;
  if (!config.path.empty()) files.push_back({UserFile::Kind::kConfig, config.path});
  for (const std::string& name : config::ListSkills(config)) {
    TIPSTAFF_ASSIGN_OR_RETURN(std::string path, config::FindSkill(config, name));
    files.push_back({UserFile::Kind::kSkill, std::move(path)});
  }
  for (const std::string& name : config::ListStubs(config)) {
    TIPSTAFF_ASSIGN_OR_RETURN(std::string path, config::FindStub(config, name));
    files.push_back({UserFile::Kind::kStub, std::move(path)});
  }
  return files;
}

}  // namespace

std::string UserFile::folder() const {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

absl::StatusOr<std::vector<UserFile>> FindUserFiles(const config::Config& config,
                                                    const std::vector<std::string>& paths) {
  if (paths.empty()) return FilesOfConfig(config);
  std::vector<UserFile> files;
  for (const std::string& path : paths) {
    if (!fs::exists(path)) return absl::NotFoundError(absl::StrCat("`", path, "` is not there"));
    if (!fs::is_directory(path)) {
      const auto kind = KindOf(fs::path(path).filename().string());
      if (!kind) {
        return absl::InvalidArgumentError(
            absl::StrCat("`", path, "` is neither a skill.yaml, a stub.yaml nor a tipstaff.yaml"));
      }
      files.push_back({*kind, path});
      continue;
    }
    const size_t before = files.size();
    TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> found, base::ListFiles(path));
    for (const std::string& name : found) {
      const auto kind = KindOf(fs::path(name).filename().string());
      if (kind) files.push_back({*kind, (fs::path(path) / name).string()});
    }
    if (files.size() == before) {
      return absl::NotFoundError(
          absl::StrCat("there is no skill.yaml or stub.yaml below `", path, "`"));
    }
  }
  return files;
}

}  // namespace tipstaff::cli
