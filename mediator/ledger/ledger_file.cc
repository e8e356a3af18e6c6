#include "mediator/ledger/ledger_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/ledger/migrations.h"

namespace tipstaff::ledger {
namespace {

// How long to wait for a lock that somebody else's connection holds: a database tool, for instance.
constexpr absl::Duration kLockTimeout = absl::Seconds(2);

absl::Status CheckRegular(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot open ledger `", path, "`"));
  }
  if (!S_ISREG(info.st_mode)) {
    return absl::DataLossError(
        absl::StrCat("`", path, "` is not a ledger: it is not a regular file"));
  }
  return absl::OkStatus();
}

// Before SQLite would, which takes the umask's mode; it gives -wal and -shm the mode of the file.
absl::Status MakeWhenAbsent(const std::string& path) {
  base::Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) {
    if (errno == EEXIST) return absl::OkStatus();
    return base::ErrnoToStatus(errno, absl::StrCat("cannot make ledger `", path, "`"));
  }
  // The file's name must be durable before a record in it is.
  const std::string folder = std::filesystem::path(path).parent_path();
  base::Fd folder_fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_fd || ::fsync(folder_fd.get()) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot sync `", folder, "`"));
  }
  return absl::OkStatus();
}

// Sets a pragma and refuses to go on unless it is in force.
absl::Status Require(Database& database, absl::string_view pragma, absl::string_view value,
                     absl::string_view answer, const std::string& path) {
  TIPSTAFF_RETURN_IF_ERROR(database.Execute(absl::StrCat("PRAGMA ", pragma, " = ", value)));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string found, database.Ask(absl::StrCat("PRAGMA ", pragma)));
  if (found == answer) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("ledger `", path, "`: sqlite keeps ", pragma, " at `", found, "` instead of ",
                   value, ": is it on a file system without shared memory?"));
}

absl::Status CheckForReading(Database& database, const std::string& path) {
  TIPSTAFF_ASSIGN_OR_RETURN(const int version, LedgerVersion(database, Migrations(), path));
  if (version == 0) {
    return absl::DataLossError(absl::StrCat("`", path, "` is not a ledger: it is empty"));
  }
  if (version < Migrations().back().version) {
    return absl::FailedPreconditionError(
        absl::StrCat("ledger `", path, "` has the older format ", version,
                     ": `tipstaff serve` migrates it when it starts"));
  }
  return CheckSchema(database, Migrations(), Objects::kTables, path);
}

absl::StatusOr<ReadableFile> OpenAsItLies(const std::string& path) {
  const std::string wal = absl::StrCat(path, "-wal");
  struct stat info;
  if (::stat(wal.c_str(), &info) == 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("ledger `", path, "` has records in `", wal,
                     "`, which cannot be read there: copy both to a folder of your own"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(auto database,
                            Database::Open(path, Database::Mode::kImmutable, kLockTimeout));
  TIPSTAFF_RETURN_IF_ERROR(CheckForReading(*database, path));
  return ReadableFile{std::move(database), /*immutable=*/true};
}

}  // namespace

absl::StatusOr<std::string> ResolveLedgerPath(const std::string& path) {
  if (path.empty()) return absl::InvalidArgumentError("a ledger needs a path");
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) {
    return base::ErrnoToStatus(error.value(), absl::StrCat("cannot open ledger `", path, "`"));
  }
  if (!fs::is_directory(resolved.parent_path(), error)) {
    return absl::NotFoundError(absl::StrCat("cannot open ledger `", path, "`: there is no folder `",
                                            resolved.parent_path().string(), "`"));
  }
  return resolved.string();
}

absl::StatusOr<std::unique_ptr<Database>> OpenForWriting(const std::string& path) {
  TIPSTAFF_RETURN_IF_ERROR(MakeWhenAbsent(path));
  TIPSTAFF_RETURN_IF_ERROR(CheckRegular(path));
  TIPSTAFF_ASSIGN_OR_RETURN(auto database,
                            Database::Open(path, Database::Mode::kWrite, kLockTimeout));
  // Before anything is set: a database of another program stays as it was.
  TIPSTAFF_RETURN_IF_ERROR(LedgerVersion(*database, Migrations(), path).status());
  TIPSTAFF_RETURN_IF_ERROR(Require(*database, "journal_mode", "WAL", "wal", path));
  TIPSTAFF_RETURN_IF_ERROR(Require(*database, "synchronous", "FULL", "2", path));
  TIPSTAFF_RETURN_IF_ERROR(Require(*database, "foreign_keys", "ON", "1", path));
  TIPSTAFF_RETURN_IF_ERROR(Migrate(*database, Migrations(), path));
  TIPSTAFF_RETURN_IF_ERROR(CheckSchema(*database, Migrations(), Objects::kAll, path));
  // After a burst the -wal file shrinks to this when it begins anew.
  TIPSTAFF_RETURN_IF_ERROR(Require(*database, "journal_size_limit", "4194304", "4194304", path));
  return database;
}

absl::StatusOr<ReadableFile> OpenForReading(const std::string& path) {
  TIPSTAFF_RETURN_IF_ERROR(CheckRegular(path));
  TIPSTAFF_RETURN_IF_ERROR(base::ErrnoToStatus(::access(path.c_str(), R_OK) == 0 ? 0 : errno,
                                               absl::StrCat("cannot read `", path, "`")));
  TIPSTAFF_ASSIGN_OR_RETURN(auto database,
                            Database::Open(path, Database::Mode::kRead, kLockTimeout));
  const absl::Status checked = CheckForReading(*database, path);
  if (absl::IsPermissionDenied(checked)) return OpenAsItLies(path);
  TIPSTAFF_RETURN_IF_ERROR(checked);
  return ReadableFile{std::move(database)};
}

}  // namespace tipstaff::ledger
