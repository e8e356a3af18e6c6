#include "mediator/cli/folder_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kQuietMs = 40, kMostRounds = 50;
constexpr uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                             IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

FolderWatch::FolderWatch(std::string folder)
    : folder_(std::move(folder)), fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  Watch();
}

// A folder that is watched already stays as it is.
void FolderWatch::Watch() {
  if (fd_.get() < 0) return;
  watching_ = ::inotify_add_watch(fd_.get(), folder_.c_str(), kEvents) >= 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (!at->is_directory(ignored) || at->is_symlink(ignored)) continue;
    ::inotify_add_watch(fd_.get(), at->path().c_str(), kEvents);
  }
}

bool FolderWatch::Take() {
  if (fd_.get() < 0) return true;
  bool happened = !watching_;
  alignas(inotify_event) char events[8192];
  while (::read(fd_.get(), events, sizeof events) > 0) happened = true;
  if (happened) Watch();
  return happened;
}

void FolderWatch::Settle() {
  for (int round = 0; round < kMostRounds; ++round) {
    pollfd wait{fd_.get(), POLLIN, 0};
    if (::poll(&wait, 1, kQuietMs) <= 0) return;
    Take();
  }
}

}  // namespace tipstaff::cli
