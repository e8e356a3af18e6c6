#include "mediator/backend/first_process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "mediator/backend/process_lock.h"
#include "mediator/json/parse.h"

namespace tipstaff::backend {
namespace {

// Far more than bubblewrap says; a pipe has room for it.
constexpr size_t kMaxInfoBytes = 4096;

}  // namespace

FirstProcess::FirstProcess(base::Fd info, std::string lock_path)
    : info_(std::move(info)), lock_path_(std::move(lock_path)) {
  ::fcntl(info_.get(), F_SETFL, O_NONBLOCK);
}

void FirstProcess::Find() {
  if (looked_) return;
  char bytes[kMaxInfoBytes];
  const ssize_t got = ::read(info_.get(), bytes, sizeof bytes);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  looked_ = true;
  if (got <= 0) return;
  // It is written in several pieces; the number comes first.
  std::string text(bytes, static_cast<size_t>(got));
  if (text.find('}') == std::string::npos) text += "}";
  const auto said = json::Parse(text);
  if (!said.ok()) return;
  const int64_t pid = said->root().IntegerOr("child-pid", 0);
  if (pid > 0) process_ = OpenHolder(lock_path_, static_cast<pid_t>(pid));
}

bool FirstProcess::HasEnded() {
  Find();
  pollfd ended = {process_.get(), POLLIN, 0};
  return !process_ || ::poll(&ended, 1, 0) > 0;
}

void FirstProcess::Await(absl::Duration patience) {
  Find();
  pollfd ended = {process_.get(), POLLIN, 0};
  if (process_) ::poll(&ended, 1, static_cast<int>(absl::ToInt64Milliseconds(patience)));
}

}  // namespace tipstaff::backend
