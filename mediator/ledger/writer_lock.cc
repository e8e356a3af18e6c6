#include "mediator/ledger/writer_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/file.h"

namespace tipstaff::ledger {
namespace {

// "process 123", or words for a holder that has not written its id yet.
std::string Holder(int fd) {
  char text[32];
  const ssize_t size = ::pread(fd, text, sizeof text, 0);
  absl::string_view id(text, std::max<ssize_t>(size, 0));
  absl::ConsumeSuffix(&id, "\n");
  const bool number = !id.empty() && std::all_of(id.begin(), id.end(), absl::ascii_isdigit);
  return number ? absl::StrCat("process ", id) : "another process";
}

}  // namespace

absl::StatusOr<WriterLock> WriterLock::Take(const std::string& ledger) {
  const std::string path = absl::StrCat(ledger, ".lock");
  base::Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd) return base::ErrnoToStatus(errno, absl::StrCat("cannot open `", path, "`"));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) {
      return base::ErrnoToStatus(errno, absl::StrCat("cannot lock `", path, "`"));
    }
    return absl::FailedPreconditionError(absl::StrCat("ledger `", ledger, "` is in use by ",
                                                      Holder(fd.get()),
                                                      ": stop it first, or use another ledger"));
  }
  const std::string id = absl::StrCat(::getpid(), "\n");
  if (::ftruncate(fd.get(), 0) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot write `", path, "`"));
  }
  // The lock holds without it: on a full disk the name is missing.
  if (::pwrite(fd.get(), id.data(), id.size(), 0) < 0 && errno != ENOSPC && errno != EDQUOT) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot write `", path, "`"));
  }
  return WriterLock(std::move(fd));
}

WriterLock::~WriterLock() {
  // A name that is left behind misleads whoever reads the file; the lock does not depend on it.
  if (fd_ && ::ftruncate(fd_.get(), 0) != 0) fd_.reset();
}

}  // namespace tipstaff::ledger
