#include "mediator/host/sensitive_key.h"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"

namespace tipstaff::host {
namespace {

constexpr size_t kKeyBytes = 32;

std::string PathIn(const std::string& run_folder) {
  return absl::StrCat(run_folder, "/sensitive.key");
}

}  // namespace

absl::StatusOr<std::string> SensitiveKeyIn(const std::string& run_folder) {
  const std::string path = PathIn(run_folder);
  const absl::StatusOr<std::string> there = base::ReadFile(path);
  if (there.ok() && there->size() == kKeyBytes) return *there;
  if (!absl::IsNotFound(there.status())) {
    spdlog::warn("`{}` cannot be used; a new key takes its place", path);
  }
  std::string key = base::RandomBytes(kKeyBytes);
  TIPSTAFF_RETURN_IF_ERROR(base::WriteFile(path, key, 0600));
  return key;
}

absl::Status DestroySensitiveKeyIn(const std::string& run_folder) {
  std::error_code error;
  std::filesystem::remove(PathIn(run_folder), error);
  if (!error) return absl::OkStatus();
  return base::ErrnoToStatus(error.value(),
                             absl::StrCat("cannot remove `", PathIn(run_folder), "`"));
}

}  // namespace tipstaff::host
