#include "mediator/gate/connections.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "mediator/base/file.h"

namespace tipstaff::gate {

bool Connection::Held() const {
  struct stat info;
  return ::fstat(fd_, &info) == 0 && S_ISSOCK(info.st_mode) && info.st_ino == inode_;
}

void Connection::Shutdown() const { ::shutdown(own_.get(), SHUT_RDWR); }

absl::StatusOr<std::shared_ptr<Connection>> Connections::Add(int fd) {
  struct stat info;
  if (::fstat(fd, &info) != 0) return base::ErrnoToStatus(errno, "cannot look at a connection");
  base::Fd own(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!own) return base::ErrnoToStatus(errno, "cannot duplicate a connection");
  auto connection = std::make_shared<Connection>(fd, std::move(own), info.st_ino);
  const std::lock_guard lock(mutex_);
  connections_.push_back(connection);
  return connection;
}

std::shared_ptr<Connection> Connections::Find(absl::string_view peer) const {
  int fd = -1;
  if (!absl::ConsumePrefix(&peer, "fd:") || !absl::SimpleAtoi(peer, &fd)) return nullptr;
  const std::lock_guard lock(mutex_);
  for (const auto& connection : connections_) {
    if (connection->fd_ == fd && connection->Held()) return connection;
  }
  return nullptr;
}

void Connections::Remove(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(std::remove(connections_.begin(), connections_.end(), connection),
                     connections_.end());
}

}  // namespace tipstaff::gate
