#include "mediator/base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"

namespace tipstaff::base {

absl::StatusOr<Fd> FileInMemory(absl::string_view bytes) {
  Fd file(::memfd_create("tipstaff", MFD_CLOEXEC));
  if (!file) return ErrnoToStatus(errno, "cannot make a file in memory");
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.get(), bytes.data(), bytes.size());
    if (put < 0 && errno != EINTR) return ErrnoToStatus(errno, "cannot write to memory");
    if (put > 0) bytes.remove_prefix(static_cast<size_t>(put));
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

absl::Status ErrnoToStatus(int error, absl::string_view doing) {
  return absl::ErrnoToStatus(error, doing);
}

namespace {

absl::StatusOr<Fd> OpenRegular(const std::string& path) {
  // A pipe without a writer would be waited for, a terminal would become this process's.
  Fd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  const bool no_file = !fd && errno == ENXIO;  // a socket
  if (!fd && !no_file) return ErrnoToStatus(errno, absl::StrCat("cannot open `", path, "`"));
  struct stat info;
  if (fd && ::fstat(fd.get(), &info) != 0) {
    return ErrnoToStatus(errno, absl::StrCat("cannot read `", path, "`"));
  }
  if (no_file || !S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat("`", path, "` is not a regular file"));
  }
  return fd;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Fd fd, OpenRegular(path));
  std::string content;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoToStatus(errno, absl::StrCat("cannot read `", path, "`"));
    if (got == 0) return content;
    if (content.size() + got > max_bytes) {
      return absl::FailedPreconditionError(
          absl::StrCat("`", path, "` is larger than ", max_bytes, " bytes"));
    }
    content.append(buffer, got);
  }
}

namespace {

absl::Status CannotWrite(const std::string& path) {
  return ErrnoToStatus(errno, absl::StrCat("cannot write `", path, "`"));
}

// A file beside `path` with the content, synced; its name.
absl::StatusOr<std::string> WriteBeside(const std::string& path, absl::string_view content,
                                        int mode) {
  std::string beside = absl::StrCat(path, ".", RandomText(8), ".new");
  const auto failed = [&] {
    const absl::Status status = CannotWrite(path);
    ::unlink(beside.c_str());
    return status;
  };
  Fd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd) return failed();
  while (!content.empty()) {
    const ssize_t put = ::write(fd.get(), content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failed();
    content.remove_prefix(put);
  }
  if (::fsync(fd.get()) != 0) return failed();
  return beside;
}

}  // namespace

absl::Status WriteFile(const std::string& path, absl::string_view content, int mode) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string beside, WriteBeside(path, content, mode));
  if (::rename(beside.c_str(), path.c_str()) == 0) return absl::OkStatus();
  const absl::Status status = CannotWrite(path);
  ::unlink(beside.c_str());
  return status;
}

absl::Status CreateFile(const std::string& path, absl::string_view content, int mode) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string beside, WriteBeside(path, content, mode));
  // Unlike a rename, a link never takes the place of what is there.
  const absl::Status status =
      ::link(beside.c_str(), path.c_str()) == 0 ? absl::OkStatus() : CannotWrite(path);
  ::unlink(beside.c_str());
  return status;
}

absl::StatusOr<std::vector<std::string>> ListFiles(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator it(folder, error);
  if (error) {
    return ErrnoToStatus(error.value(), absl::StrCat("cannot list `", folder, "`"));
  }
  for (; it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (error) return ErrnoToStatus(error.value(), absl::StrCat("cannot list `", folder, "`"));
    const bool hidden = it->path().filename().string().starts_with(".");
    if (hidden && it->is_directory()) it.disable_recursion_pending();
    if (!hidden && it->symlink_status().type() == fs::file_type::regular) {
      found.push_back(it->path().lexically_relative(folder).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tipstaff::base
