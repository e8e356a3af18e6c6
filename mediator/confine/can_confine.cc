#include "mediator/confine/can_confine.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/spawn.h"
#include "mediator/base/status.h"
#include "mediator/confine/view.h"

namespace tipstaff::confine {
namespace {

constexpr int kMostMilliseconds = 10'000;
constexpr size_t kShownColumns = 160;

// The exit status as wait(2) has it; ends it where it takes too long.
int Await(const base::Spawned& spawned) {
  pollfd ended = {spawned.pidfd.get(), POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&ended, 1, kMostMilliseconds);
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) ::kill(-spawned.pid, SIGKILL);
  int status = -1;
  while (::waitpid(spawned.pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string FirstLine(int file) {
  char bytes[1024];
  const ssize_t got = ::pread(file, bytes, sizeof bytes, 0);
  const absl::string_view said(bytes, got > 0 ? static_cast<size_t>(got) : 0);
  return base::EscapeAndCut(said.substr(0, said.find('\n')), kShownColumns);
}

}  // namespace

absl::Status TryBubblewrap(const std::string& bubblewrap) {
  if (::access(bubblewrap.c_str(), X_OK) != 0) {
    return absl::NotFoundError(
        "bubblewrap is not installed, so nothing can be confined: apt-get install bubblewrap");
  }
  const base::Fd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  TIPSTAFF_ASSIGN_OR_RETURN(const base::Fd errors, base::FileInMemory(""));
  TIPSTAFF_ASSIGN_OR_RETURN(const base::Fd options,
                            base::FileInMemory(OptionBytes(ViewOptions(/*network=*/false))));
  TIPSTAFF_ASSIGN_OR_RETURN(const base::Spawned spawned,
                            base::Spawn({.command = {bubblewrap, "--args", "3", "--", "/bin/true"},
                                         .descriptors = {{nothing.get(), STDIN_FILENO},
                                                         {nothing.get(), STDOUT_FILENO},
                                                         {errors.get(), STDERR_FILENO},
                                                         {options.get(), 3}}}));
  if (Await(spawned) == 0) return absl::OkStatus();
  const std::string said = FirstLine(errors.get());
  return absl::FailedPreconditionError(absl::StrCat(
      "this machine cannot confine a program (", said.empty() ? "no reason given" : said,
      "): allow user namespaces to this user (sysctl kernel.unprivileged_userns_clone "
      "or kernel.apparmor_restrict_unprivileged_userns; in a container, its options)"));
}

absl::Status CanConfine() {
  static const absl::Status* const found = new absl::Status(TryBubblewrap(kBubblewrap));
  return *found;
}

}  // namespace tipstaff::confine
