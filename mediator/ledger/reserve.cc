#include "mediator/ledger/reserve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"

namespace tipstaff::ledger {
namespace {

constexpr absl::Duration kPause = absl::Seconds(1);
constexpr size_t kBlock = 64 << 10;

// Where the file system cannot allocate.
absl::Status Fill(int fd, uint64_t bytes) {
  const std::string zeros(kBlock, '\0');
  for (uint64_t done = 0; done < bytes;) {
    const size_t next = std::min<uint64_t>(kBlock, bytes - done);
    const ssize_t written = ::pwrite(fd, zeros.data(), next, static_cast<off_t>(done));
    if (written <= 0) return base::ErrnoToStatus(errno, "cannot keep room");
    done += static_cast<uint64_t>(written);
  }
  return absl::OkStatus();
}

}  // namespace

bool EndsSomething(call::RecordKind kind) {
  switch (kind) {
    case call::RecordKind::kOutcome:
    case call::RecordKind::kAccepted:
    case call::RecordKind::kRefused:
    case call::RecordKind::kUnknown:
    case call::RecordKind::kHeld:
    case call::RecordKind::kResolved:
    case call::RecordKind::kExpired:
    case call::RecordKind::kRevoked:
    case call::RecordKind::kClosing:
    case call::RecordKind::kCleaned:
    case call::RecordKind::kClosed:
      return true;
    default:
      return false;
  }
}

absl::Status Reserve::Hold() {
  if (held_ || bytes_ == 0) return absl::OkStatus();
  const absl::Time now = absl::Now();
  if (now < next_try_) return absl::ResourceExhaustedError("there is no room on the disk");
  if (const absl::Status allocated = Allocate(); !allocated.ok()) {
    ::unlink(path_.c_str());
    next_try_ = now + kPause;
    return absl::ResourceExhaustedError(
        absl::StrCat("`", path_, "`: no room to keep for closing runs: ", allocated.message()));
  }
  held_ = true;
  return absl::OkStatus();
}

absl::Status Reserve::Allocate() const {
  const base::Fd fd(
      ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!fd) return base::ErrnoToStatus(errno, "cannot be made");
  struct stat info {};
  if (::fstat(fd.get(), &info) == 0 && static_cast<uint64_t>(info.st_size) == bytes_ &&
      static_cast<uint64_t>(info.st_blocks) * 512 >= bytes_) {
    return absl::OkStatus();
  }
  if (::fallocate(fd.get(), 0, 0, static_cast<off_t>(bytes_)) == 0) return absl::OkStatus();
  if (errno != EOPNOTSUPP) return base::ErrnoToStatus(errno, "cannot keep room");
  return Fill(fd.get(), bytes_);
}

bool Reserve::Release() {
  if (!held_) return false;
  held_ = false;
  next_try_ = absl::Now() + kPause;
  return ::unlink(path_.c_str()) == 0;
}

}  // namespace tipstaff::ledger
