// Listening sockets of channels. The socket a connection came through is who it is from.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mediator/base/fd.h"

namespace tipstaff::transport {

// All descriptors returned are non-blocking and close-on-exec.

// Whether the socket's folder may be a symbolic link. kRefuse where the folder is somebody else's.
enum class FolderLink { kFollow, kRefuse };

// Listens on a Unix stream socket at `path` with `mode` (for instance 0600). Makes the last folder
// of the path (0700) when it is not there. Works through a descriptor of the folder and follows no
// symbolic link for the socket itself. A socket file that nobody listens on is replaced; one that
// answers is AlreadyExists ("in use"), any other kind of file FailedPrecondition. A path over the
// kernel's 107 bytes is InvalidArgument with the length and the fix.
absl::StatusOr<base::Fd> ListenUnix(const std::string& path, int mode,
                                    FolderLink link = FolderLink::kFollow);

// Removes the socket file at `path` if it is a socket.
void RemoveSocket(const std::string& path, FolderLink link = FolderLink::kFollow);

// Listens on AF_VSOCK `port` for any CID. Unavailable where the kernel has no vsock.
absl::StatusOr<base::Fd> ListenVsock(uint32_t port);
// The CID of an accepted AF_VSOCK connection's peer, as the kernel gives it.
absl::StatusOr<uint32_t> PeerCid(int connection);

// Hands an open descriptor to the process at the other end of a Unix socket (SCM_RIGHTS, with one
// byte), and takes one. ReceiveFd: Unavailable when there is none yet, OutOfRange at the end.
absl::Status SendFd(int socket, int fd);
absl::StatusOr<base::Fd> ReceiveFd(int socket);

}  // namespace tipstaff::transport
