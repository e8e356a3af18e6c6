#include "mediator/backend/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"

namespace tipstaff::backend {
namespace {

constexpr int kLockFd = 3;
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
  const posix_spawnattr_t* get() const { return &value_; }

 private:
  posix_spawnattr_t value_;
};

}  // namespace

absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& command, const std::string& folder,
                            const Descriptors& descriptors) {
  const base::Fd input(::fcntl(descriptors.input, F_DUPFD_CLOEXEC, kAboveTargets));
  const base::Fd output(::fcntl(descriptors.output, F_DUPFD_CLOEXEC, kAboveTargets));
  const base::Fd lock(::fcntl(descriptors.lock, F_DUPFD_CLOEXEC, kAboveTargets));
  if (!input || !output || !lock) {
    return base::ErrnoToStatus(errno, "cannot copy a test system's descriptors");
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, lock.get(), kLockFd);
  posix_spawn_file_actions_addclosefrom_np(&actions, kLockFd + 1);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  const char* path = std::getenv("PATH");
  const std::vector<std::string> environment = {
      absl::StrCat("PATH=", path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin")};
  const Attributes attributes;
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, command[0].c_str(), &actions, attributes.get(),
                                   Pointers(command).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return base::ErrnoToStatus(error, absl::StrCat("cannot start `", command[0], "`"));
  }
  return pid;
}

}  // namespace tipstaff::backend
