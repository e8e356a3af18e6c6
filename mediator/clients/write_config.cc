#include "mediator/clients/write_config.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <optional>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::clients {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFileBytes = 64 << 20;
constexpr int kMostBackups = 100;
constexpr int kNewFileMode = 0600;  // other servers' entries may come to have secrets

absl::Status InFile(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat("`", base::Escape(path), "`: ", status.message()));
}

// The text; nullopt when there is no file.
absl::StatusOr<std::optional<std::string>> Read(const std::string& path) {
  absl::StatusOr<std::string> text = base::ReadFile(path, kMaxFileBytes);
  if (absl::IsNotFound(text.status())) return std::nullopt;
  if (!text.ok()) return text.status();
  return *std::move(text);
}

absl::StatusOr<int> ModeOf(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot look at `", base::Escape(path), "`"));
  }
  return status.st_mode & 07777;
}

absl::StatusOr<std::string> Keep(const std::string& path, absl::string_view text, int mode) {
  for (int number = 1; number <= kMostBackups; ++number) {
    const std::string backup = absl::StrCat(path, ".bak", number == 1 ? "" : absl::StrCat(number));
    const absl::Status created = base::CreateFile(backup, text, mode);
    if (created.ok()) return backup;
    if (!absl::IsAlreadyExists(created)) return created;
  }
  return absl::FailedPreconditionError(
      absl::StrCat("`", base::Escape(path), ".bak` and ", kMostBackups - 1,
                   " more are there already: remove some of them"));
}

absl::Status MakeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return absl::OkStatus();
  return base::ErrnoToStatus(
      error.value(), absl::StrCat("cannot make the folder `", base::Escape(folder.string()), "`"));
}

// Where the file is: a link to it stays one. A link that leads nowhere is an error.
absl::StatusOr<std::string> Resolved(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const fs::path target = fs::canonical(path, error);
  if (!error) return target.string();
  return absl::InvalidArgumentError(
      absl::StrCat("`", base::Escape(path),
                   "` is a link that leads nowhere: remove it, or name the file itself"));
}

}  // namespace

absl::StatusOr<Written> WriteConfig(const std::string& path, absl::string_view servers_key,
                                    absl::string_view name, json::Value entry, bool replaces) {
  Written written;
  TIPSTAFF_ASSIGN_OR_RETURN(written.path, Resolved(path));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::optional<std::string> old, Read(written.path));
  const absl::StatusOr<Merged> merged = Merge(old.value_or(""), servers_key, name, entry, replaces);
  if (!merged.ok()) return InFile(path, merged.status());
  written.change = merged->change;
  if (merged->change == Change::kNone) return written;
  if (!old) {
    const fs::path folder = fs::path(written.path).parent_path();
    if (!folder.empty()) TIPSTAFF_RETURN_IF_ERROR(MakeFolder(folder));
    TIPSTAFF_RETURN_IF_ERROR(base::CreateFile(written.path, merged->text, kNewFileMode));
    return written;
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const int mode, ModeOf(written.path));
  TIPSTAFF_ASSIGN_OR_RETURN(written.backup, Keep(written.path, *old, mode));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::optional<std::string> now, Read(written.path));
  if (now != old) {
    return absl::AbortedError(absl::StrCat("`", base::Escape(path),
                                           "` was changed by another program just now, and was "
                                           "left alone: try again"));
  }
  TIPSTAFF_RETURN_IF_ERROR(base::WriteFile(written.path, merged->text, mode));
  ::chmod(written.path.c_str(), static_cast<mode_t>(mode));  // what the umask took away
  return written;
}

}  // namespace tipstaff::clients
