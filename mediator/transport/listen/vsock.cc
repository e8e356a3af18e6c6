// AF_VSOCK: see vsock(7). The peer's CID is set by the host kernel, not by the guest.
#include <sys/socket.h>

#include <cerrno>

// After sys/socket.h, which it needs.
#include <linux/vm_sockets.h>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::transport {
namespace {

constexpr int kBacklog = 128;

}  // namespace

absl::StatusOr<base::Fd> ListenVsock(uint32_t port) {
  base::Fd fd(::socket(AF_VSOCK, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) {
    return absl::UnavailableError(
        absl::StrCat("this kernel has no vsock (errno ", errno,
                     "): load the module vhost_vsock, or use the VM's Unix socket"));
  }
  sockaddr_vm address{};
  address.svm_family = AF_VSOCK;
  address.svm_cid = VMADDR_CID_ANY;
  address.svm_port = port;
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno == EADDRINUSE) {
      return absl::AlreadyExistsError(
          absl::StrCat("vsock port ", port, " is in use: another process listens there"));
    }
    return base::ErrnoToStatus(errno, absl::StrCat("cannot bind vsock port ", port));
  }
  if (::listen(fd.get(), kBacklog) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot listen on vsock port ", port));
  }
  return fd;
}

absl::StatusOr<uint32_t> PeerCid(int connection) {
  sockaddr_vm address{};
  socklen_t size = sizeof address;
  if (::getpeername(connection, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return base::ErrnoToStatus(errno, "cannot tell the peer of a vsock connection");
  }
  if (address.svm_family != AF_VSOCK || size < sizeof address) {
    return absl::FailedPreconditionError("the connection is not a vsock connection");
  }
  return address.svm_cid;
}

}  // namespace tipstaff::transport
