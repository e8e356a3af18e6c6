#include "mediator/base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::base {
namespace {

// Copies begin here, so that no dup2 overwrites a source.
constexpr int kAboveTargets = 10;

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& one : strings) pointers.push_back(const_cast<char*>(one.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

class Attributes {
 public:
  Attributes() {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&value_);
    posix_spawnattr_setsigmask(&value_, &none);
    posix_spawnattr_setsigdefault(&value_, &all);
    posix_spawnattr_setpgroup(&value_, 0);
    posix_spawnattr_setflags(
        &value_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Attributes() { posix_spawnattr_destroy(&value_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &value_; }

 private:
  posix_spawnattr_t value_;
};

class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&value_); }
  ~Actions() { posix_spawn_file_actions_destroy(&value_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  absl::Status Fill(const SpawnOptions& options) {
    int last = STDERR_FILENO;
    for (const SpawnOptions::Descriptor& one : options.descriptors) {
      Fd& copy = copies_.emplace_back(::fcntl(one.ours, F_DUPFD_CLOEXEC, kAboveTargets));
      if (!copy) return ErrnoToStatus(errno, "cannot copy a descriptor for a process");
      posix_spawn_file_actions_adddup2(&value_, copy.get(), one.theirs);
      last = std::max(last, one.theirs);
    }
    // Nor what this process was started with, or a library opened without O_CLOEXEC.
    posix_spawn_file_actions_addclosefrom_np(&value_, last + 1);
    if (!options.folder.empty())
      posix_spawn_file_actions_addchdir_np(&value_, options.folder.c_str());
    return absl::OkStatus();
  }
  const posix_spawn_file_actions_t* get() const { return &value_; }

 private:
  posix_spawn_file_actions_t value_;
  std::vector<Fd> copies_;
};

}  // namespace

absl::StatusOr<Spawned> Spawn(const SpawnOptions& options) {
  Actions actions;
  TIPSTAFF_RETURN_IF_ERROR(actions.Fill(options));
  const Attributes attributes;
  const std::string& program = options.command[0];
  Spawned spawned;
  const int error = (options.searches_path ? ::posix_spawnp : ::posix_spawn)(
      &spawned.pid, program.c_str(), actions.get(), attributes.get(),
      Pointers(options.command).data(), Pointers(options.environment).data());
  if (error != 0) return ErrnoToStatus(error, absl::StrCat("cannot start `", program, "`"));
  spawned.pidfd = Fd(static_cast<int>(::syscall(SYS_pidfd_open, spawned.pid, 0)));
  if (spawned.pidfd) return spawned;
  const int cause = errno;
  ::kill(-spawned.pid, SIGKILL);
  ::waitpid(spawned.pid, nullptr, 0);
  return ErrnoToStatus(cause, absl::StrCat("cannot watch `", program, "`"));
}

}  // namespace tipstaff::base
