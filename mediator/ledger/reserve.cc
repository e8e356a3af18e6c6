#include "mediator/ledger/reserve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::ledger {
namespace {

constexpr absl::Duration kPause = absl::Seconds(1);
constexpr size_t kBlock = 64 << 10;
// No writer of any version has kept more; so much is read to see whether it is ours.
constexpr off_t kMostEver = 1 << 30;

// Where the file system cannot allocate.
absl::Status Fill(int fd, uint64_t bytes) {
  const std::string zeros(kBlock, '\0');
  for (uint64_t done = 0; done < bytes;) {
    const size_t next = std::min<uint64_t>(kBlock, bytes - done);
    const ssize_t written = ::pwrite(fd, zeros.data(), next, static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      return base::ErrnoToStatus(written < 0 ? errno : ENOSPC, "its room cannot be taken");
    }
    done += static_cast<uint64_t>(written);
  }
  return absl::OkStatus();
}

absl::Status TakeFromDisk(int fd, uint64_t bytes) {
  int error;
  do {
    error = ::fallocate(fd, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error == EOPNOTSUPP || error == ENOSYS) return Fill(fd, bytes);
  return base::ErrnoToStatus(error, "its room cannot be taken");
}

// A file of somebody's that has this name by chance is not cut shorter.
absl::StatusOr<bool> HasOnlyZeros(int fd) {
  std::string block(kBlock, '\0');
  for (off_t at = 0;;) {
    const ssize_t size = ::pread(fd, block.data(), block.size(), at);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return base::ErrnoToStatus(errno, "it cannot be read");
    if (size == 0) return true;
    if (std::any_of(block.begin(), block.begin() + size, [](char c) { return c != '\0'; })) {
      return false;
    }
    at += size;
  }
}

absl::Status CheckOurs(int fd, const struct stat& info) {
  if (!S_ISREG(info.st_mode)) return absl::FailedPreconditionError("it is not a regular file");
  if (info.st_uid != ::geteuid()) {
    return absl::FailedPreconditionError(absl::StrCat("it belongs to uid ", info.st_uid));
  }
  if (info.st_nlink > 1) return absl::FailedPreconditionError("it has another name as well");
  if (info.st_size > kMostEver) return absl::FailedPreconditionError("it is larger than 1 GiB");
  TIPSTAFF_ASSIGN_OR_RETURN(const bool zeros, HasOnlyZeros(fd));
  return zeros ? absl::OkStatus() : absl::FailedPreconditionError("it has content");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Reserve>> Reserve::Open(const std::string& ledger, uint64_t bytes,
                                                       TakeRoom take) {
  std::unique_ptr<Reserve> reserve(
      new Reserve(ledger + "-reserve", bytes, take ? std::move(take) : TakeFromDisk));
  if (bytes == 0) return reserve;
  if (const absl::Status adopted = reserve->Adopt(); absl::IsFailedPrecondition(adopted)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "room for closing runs is kept in `", reserve->path_,
        "`, but what stands there is something else: ", adopted.message(), "; move it away"));
  }
  return reserve;
}

absl::Status Reserve::Adopt() {
  // Not waiting for a pipe's other end.
  base::Fd fd(::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!fd && errno == ELOOP) return absl::FailedPreconditionError("it is a symbolic link");
  if (!fd && (errno == EISDIR || errno == ENXIO)) {
    return absl::FailedPreconditionError("it is not a regular file");
  }
  if (!fd) return base::ErrnoToStatus(errno, "it cannot be opened");
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return base::ErrnoToStatus(errno, "it cannot be read");
  TIPSTAFF_RETURN_IF_ERROR(CheckOurs(fd.get(), info));
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size > bytes_ && ::ftruncate(fd.get(), static_cast<off_t>(bytes_)) != 0) {
    return base::ErrnoToStatus(errno, "it cannot be cut shorter");
  }
  fd_ = std::move(fd);
  // A copy may have holes.
  held_ = std::min({size, bytes_, static_cast<uint64_t>(info.st_blocks) * 512});
  return absl::OkStatus();
}

absl::Status Reserve::MakeFile() {
  struct stat info {};
  if (fd_ && ::fstat(fd_.get(), &info) == 0 && info.st_nlink > 0) return absl::OkStatus();
  fd_.reset();  // somebody has removed it
  held_ = 0;
  const absl::Status adopted = Adopt();
  if (!absl::IsNotFound(adopted)) return adopted;
  fd_.reset(
      ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  return fd_ ? absl::OkStatus() : base::ErrnoToStatus(errno, "it cannot be made");
}

absl::Status Reserve::Hold() {
  if (held_ >= bytes_) return absl::OkStatus();
  const absl::Time now = absl::Now();
  if (now < next_try_) return why_not_;
  absl::Status taken = MakeFile();
  if (taken.ok()) {
    taken = take_(fd_.get(), bytes_);
    if (taken.ok()) {
      held_ = bytes_;
      return absl::OkStatus();
    }
    // What a failed attempt took in part.
    if (::ftruncate(fd_.get(), static_cast<off_t>(held_)) != 0) held_ = 0;
  }
  next_try_ = now + kPause;
  why_not_ =
      absl::ResourceExhaustedError(absl::StrCat("nothing new begins while no room can be kept in `",
                                                path_, "` for closing runs: ", taken.message()));
  return why_not_;
}

bool Reserve::HasRoomBeside() {
  if (!Hold().ok()) return false;
  if (bytes_ == 0) return true;
  const bool room = take_(fd_.get(), bytes_ + kSlice).ok();
  return ::ftruncate(fd_.get(), static_cast<off_t>(bytes_)) == 0 && room;
}

bool Reserve::Release(uint64_t bytes) {
  if (held_ == 0) return false;
  next_try_ = absl::Now() + kPause;
  why_not_ = absl::ResourceExhaustedError(
      absl::StrCat("nothing new begins while the disk is full: what room there is in `", path_,
                   "` is for closing runs"));
  const uint64_t slices = (std::max<uint64_t>(bytes, 1) + kSlice - 1) / kSlice;
  const uint64_t left = held_ > slices * kSlice ? held_ - slices * kSlice : 0;
  const bool shorter = ::ftruncate(fd_.get(), static_cast<off_t>(left)) == 0;
  held_ = shorter ? left : 0;  // what cannot be given up is of no use
  return shorter;
}

}  // namespace tipstaff::ledger
