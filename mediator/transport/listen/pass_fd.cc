// Descriptors over a Unix socket: unix(7), SCM_RIGHTS.
#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "mediator/base/file.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::transport {
namespace {

constexpr char kMark = 'f';  // a message needs one byte beside the descriptor

// Takes ownership of every descriptor that came, also of those that should not have.
std::vector<base::Fd> TakeDescriptors(msghdr& message) {
  std::vector<base::Fd> taken;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = 0; at + sizeof(int) <= c->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(c) + at, sizeof fd);
      taken.emplace_back(fd);
    }
  }
  return taken;
}

}  // namespace

absl::Status SendFd(int socket, int fd) {
  char mark = kMark;
  iovec data{&mark, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(c), &fd, sizeof fd);
  ssize_t sent;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent == 1) return absl::OkStatus();
  if (errno == EAGAIN) return absl::UnavailableError("the peer takes no descriptors now");
  return base::ErrnoToStatus(errno, "cannot pass a descriptor");
}

absl::StatusOr<base::Fd> ReceiveFd(int socket) {
  char mark = 0;
  iovec data{&mark, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  do {
    got = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && errno == EAGAIN) return absl::UnavailableError("no descriptor yet");
  if (got < 0) return base::ErrnoToStatus(errno, "cannot take a descriptor");
  if (got == 0) return absl::OutOfRangeError("the peer passes no more descriptors");
  std::vector<base::Fd> taken = TakeDescriptors(message);
  if (mark != kMark || taken.size() != 1 || (message.msg_flags & MSG_CTRUNC) != 0) {
    return absl::InvalidArgumentError("the peer sent something other than one descriptor");
  }
  const int flags = ::fcntl(taken[0].get(), F_GETFL);
  if (flags < 0 || ::fcntl(taken[0].get(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return base::ErrnoToStatus(errno, "cannot make a passed descriptor non-blocking");
  }
  return std::move(taken[0]);
}

}  // namespace tipstaff::transport
