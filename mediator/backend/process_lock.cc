#include "mediator/backend/process_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"

namespace tipstaff::backend {
namespace {

namespace fs = std::filesystem;

constexpr absl::Duration kPause = absl::Milliseconds(2);

// Whether descriptor `fd` of the process is open on the file and holds a lock on it.
bool Holds(const fs::path& process, const std::string& fd, const struct stat& file) {
  struct stat info;
  if (::stat((process / "fd" / fd).c_str(), &info) != 0) return false;
  if (info.st_dev != file.st_dev || info.st_ino != file.st_ino) return false;
  std::ifstream lines(process / "fdinfo" / fd);
  for (std::string line; std::getline(lines, line);) {
    if (absl::StartsWith(line, "lock:")) return true;
  }
  return false;
}

bool IsHolder(const fs::path& process, const struct stat& file) {
  std::error_code error;
  for (fs::directory_iterator it(process / "fd", error), end; !error && it != end;
       it.increment(error)) {
    if (Holds(process, it->path().filename().string(), file)) return true;
  }
  return false;
}

}  // namespace

std::string ProcessLockPath(const std::string& run_folder, absl::string_view alias) {
  return absl::StrCat(run_folder, "/", alias, ".lock");
}

absl::StatusOr<base::Fd> TakeProcessLock(const std::string& path) {
  base::Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return base::ErrnoToStatus(errno, absl::StrCat("cannot open `", path, "`"));
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) {
      return absl::UnavailableError(absl::StrCat("`", path, "` is held by a process"));
    }
    return base::ErrnoToStatus(errno, absl::StrCat("cannot lock `", path, "`"));
  }
  return file;
}

base::Fd OpenHolder(const std::string& path, pid_t pid) {
  struct stat file;
  // A pidfd first: what is looked at and what it stands for are then the same process.
  base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process || ::stat(path.c_str(), &file) != 0) return base::Fd();
  return IsHolder(absl::StrCat("/proc/", pid), file) ? std::move(process) : base::Fd();
}

void SignalHolders(const std::string& path, int signal) {
  std::error_code error;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    int pid;
    if (!absl::SimpleAtoi(it->path().filename().string(), &pid) || pid == ::getpid()) continue;
    if (const base::Fd process = OpenHolder(path, pid)) {
      ::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
    }
  }
}

void KillHolders(const std::string& path) { SignalHolders(path, SIGKILL); }

absl::StatusOr<base::Fd> TakeFromHolders(const std::string& path, absl::Duration patience) {
  const absl::Time deadline = absl::Now() + patience;
  for (;;) {
    absl::StatusOr<base::Fd> taken = TakeProcessLock(path);
    if (!absl::IsUnavailable(taken.status())) return taken;
    if (absl::Now() > deadline) {
      return absl::DeadlineExceededError(
          absl::StrCat("processes that hold `", path, "` do not end; end them by hand"));
    }
    KillHolders(path);
    absl::SleepFor(kPause);
  }
}

}  // namespace tipstaff::backend
