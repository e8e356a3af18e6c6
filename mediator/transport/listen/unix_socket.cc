// Unix sockets, made and removed through a descriptor of their folder: whoever can write to a
// folder further up cannot move the place between the check and the bind.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::transport {
namespace {

constexpr int kBacklog = 128;
constexpr size_t kMaxPathBytes = sizeof(sockaddr_un::sun_path) - 1;
// Leaves room for "/proc/self/fd/1234567/" before it.
constexpr size_t kMaxNameBytes = kMaxPathBytes - 22;

// A socket's place: an open folder and a name in it.
struct Place {
  base::Fd folder;
  std::string name;
};

std::string Quoted(const std::string& path) { return absl::StrCat("`", path, "`"); }

absl::Status CheckPath(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError("a socket path must not hold a NUL byte");
  }
  if (path.size() > kMaxPathBytes) {
    return absl::InvalidArgumentError(absl::StrCat("socket path ", Quoted(path), " has ",
                                                   path.size(), " bytes: the kernel takes at most ",
                                                   kMaxPathBytes, "; choose a shorter folder"));
  }
  return absl::OkStatus();
}

// Opens the folder of `path`; makes it (0700) when `make` and only the last folder is missing.
absl::StatusOr<Place> OpenPlace(const std::string& path, FolderLink link, bool make) {
  TIPSTAFF_RETURN_IF_ERROR(CheckPath(path));
  const size_t slash = path.rfind('/');
  Place place;
  place.name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (place.name.empty() || place.name == "." || place.name == "..") {
    return absl::InvalidArgumentError(
        absl::StrCat("socket path ", Quoted(path), " names no file: add a name at its end"));
  }
  if (place.name.size() > kMaxNameBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("socket name ", Quoted(place.name), " has ", place.name.size(),
                     " bytes: at most ", kMaxNameBytes, " are possible; choose a shorter name"));
  }
  std::string folder = ".";
  if (slash != std::string::npos) folder = slash == 0 ? "/" : path.substr(0, slash);
  if (make && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST && errno != EROFS &&
      errno != EACCES && errno != EPERM) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot make folder ", Quoted(folder)));
  }
  const int follow = link == FolderLink::kRefuse ? O_NOFOLLOW : 0;
  place.folder.reset(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | follow));
  if (!place.folder && follow != 0 && errno == ENOTDIR) {
    return absl::FailedPreconditionError(absl::StrCat(
        Quoted(folder), " is a symbolic link or no folder: a socket is not made behind one"));
  }
  if (!place.folder) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot open folder ", Quoted(folder)));
  }
  return place;
}

// The place as an address; short, whatever the folder's path.
sockaddr_un Address(const Place& place) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = absl::StrCat("/proc/self/fd/", place.folder.get(), "/", place.name);
  std::strncpy(address.sun_path, path.c_str(), kMaxPathBytes);
  return address;
}

absl::StatusOr<base::Fd> NewSocket() {
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return base::ErrnoToStatus(errno, "cannot make a Unix socket");
  return fd;
}

// OK when the place is free: nothing there, or a socket that nobody listens on, which goes.
absl::Status Clear(const Place& place, const std::string& path) {
  struct stat info;
  if (::fstatat(place.folder.get(), place.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return absl::OkStatus();
    return base::ErrnoToStatus(errno, absl::StrCat("cannot look at ", Quoted(path)));
  }
  if (!S_ISSOCK(info.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat(Quoted(path), " is ", S_ISLNK(info.st_mode) ? "a symbolic link" : "no socket",
                     ": move it away or choose another path"));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const base::Fd probe, NewSocket());
  const sockaddr_un address = Address(place);
  const int connected =
      ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  if (connected == 0 || errno != ECONNREFUSED) {
    // EAGAIN: a listener with a full queue; anything else is not known to be dead.
    return absl::AlreadyExistsError(
        absl::StrCat(Quoted(path), " is in use: another process listens there"));
  }
  if (::unlinkat(place.folder.get(), place.name.c_str(), 0) != 0 && errno != ENOENT) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot replace the stale ", Quoted(path)));
  }
  return absl::OkStatus();
}

// Gives the socket file exactly `mode`, whatever the umask took away.
absl::Status SetMode(const Place& place, int mode, const std::string& path) {
  const base::Fd file(
      ::openat(place.folder.get(), place.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat info;
  if (!file || ::fstat(file.get(), &info) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot look at ", Quoted(path)));
  }
  if (!S_ISSOCK(info.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat(Quoted(path), " was replaced while the socket was made"));
  }
  if (::chmod(absl::StrCat("/proc/self/fd/", file.get()).c_str(), mode) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot set the mode of ", Quoted(path)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<base::Fd> ListenUnix(const std::string& path, int mode, FolderLink link) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Place place, OpenPlace(path, link, /*make=*/true));
  TIPSTAFF_RETURN_IF_ERROR(Clear(place, path));
  TIPSTAFF_ASSIGN_OR_RETURN(base::Fd fd, NewSocket());
  // The file is made with the mode of the socket's own inode: never wider, not for a moment.
  if (::fchmod(fd.get(), mode) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot set the mode of ", Quoted(path)));
  }
  const sockaddr_un address = Address(place);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno == EADDRINUSE) {
      return absl::AlreadyExistsError(absl::StrCat(Quoted(path), " is in use"));
    }
    return base::ErrnoToStatus(errno, absl::StrCat("cannot make the socket ", Quoted(path)));
  }
  TIPSTAFF_RETURN_IF_ERROR(SetMode(place, mode, path));
  if (::listen(fd.get(), kBacklog) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot listen on ", Quoted(path)));
  }
  return fd;
}

void RemoveSocket(const std::string& path, FolderLink link) {
  const absl::StatusOr<Place> place = OpenPlace(path, link, /*make=*/false);
  if (!place.ok()) return;
  struct stat info;
  const int folder = place->folder.get();
  const char* name = place->name.c_str();
  if (::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISSOCK(info.st_mode)) ::unlinkat(folder, name, 0);
}

}  // namespace tipstaff::transport
