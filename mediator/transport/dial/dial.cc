#include "mediator/transport/dial/dial.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
// Needs sys/socket.h before it.
#include <linux/vm_sockets.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::transport {
namespace {

absl::Status UnixError(int error, const std::string& path) {
  switch (error) {
    case ENOENT:
    case ECONNREFUSED: {
      struct stat status;
      if (::stat(path.c_str(), &status) == 0 && !S_ISSOCK(status.st_mode)) {
        return absl::FailedPreconditionError(absl::StrCat(
            "`", path, "` is not a socket: name the socket that `tipstaff run open` made"));
      }
      return absl::UnavailableError(
          absl::StrCat("no mediator listens on `", path,
                       "`: is `tipstaff serve` running and the socket mounted?"));
    }
    case EAGAIN:
      return absl::UnavailableError(
          absl::StrCat("the mediator at `", path, "` does not accept connections now"));
    case EACCES:
    case EPERM:
      return absl::PermissionDeniedError(absl::StrCat("this user may not connect to `", path,
                                                      "`: check the owner and mode of the socket"));
    default:
      return base::ErrnoToStatus(error, absl::StrCat("connecting to `", path, "`"));
  }
}

absl::Status VsockError(int error, const std::string& address) {
  switch (error) {
    case EAFNOSUPPORT:
    case ENODEV:
      return absl::UnavailableError(absl::StrCat("cannot reach ", address,
                                                 ": this machine has no vsock device (is the "
                                                 "module `vmw_vsock_virtio_transport` loaded?)"));
    case ECONNREFUSED:
    case ECONNRESET:
      return absl::UnavailableError(absl::StrCat("no mediator listens on ", address,
                                                 ": is `tipstaff serve` running on the host?"));
    case ETIMEDOUT:
      return absl::UnavailableError(absl::StrCat("no answer from ", address, " in time"));
    default:
      return absl::UnavailableError(
          base::ErrnoToStatus(error, absl::StrCat("connecting to ", address)).message());
  }
}

// connect(2), and what comes of it within `timeout`: 0 or an errno.
int Connect(int fd, const sockaddr* address, socklen_t size, absl::Duration timeout) {
  if (::connect(fd, address, size) == 0) return 0;
  if (errno != EINPROGRESS && errno != EINTR) return errno;
  const absl::Time deadline = absl::Now() + timeout;
  while (true) {
    const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
    pollfd ready = {fd, POLLOUT, 0};
    const int count = ::poll(&ready, 1, left > 0 ? static_cast<int>(left) : 0);
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) break;
    if (absl::Now() >= deadline) return ETIMEDOUT;
  }
  int error = 0;
  socklen_t error_size = sizeof error;
  if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_size) != 0) return errno;
  return error;
}

base::Fd NewSocket(int family) {
  return base::Fd(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

}  // namespace

absl::StatusOr<base::Fd> DialUnix(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty()) return absl::InvalidArgumentError("the socket's path is empty");
  if (path.size() >= sizeof address.sun_path) {
    return absl::InvalidArgumentError(
        absl::StrCat("the socket's path has ", path.size(), " bytes, the kernel takes at most ",
                     sizeof address.sun_path - 1, ": use a shorter path"));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  base::Fd fd = NewSocket(AF_UNIX);
  if (!fd) return base::ErrnoToStatus(errno, "making a socket");
  const int error = Connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address,
                            absl::ZeroDuration());
  if (error != 0) return UnixError(error, path);
  return fd;
}

absl::StatusOr<base::Fd> DialVsock(uint32_t cid, uint32_t port, absl::Duration timeout) {
  const std::string name = absl::StrCat("vsock ", cid, ":", port);
  sockaddr_vm address = {};
  address.svm_family = AF_VSOCK;
  address.svm_cid = cid;
  address.svm_port = port;
  base::Fd fd = NewSocket(AF_VSOCK);
  if (!fd) return VsockError(errno, name);
  const int error =
      Connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address, timeout);
  if (error != 0) return VsockError(error, name);
  return fd;
}

}  // namespace tipstaff::transport
