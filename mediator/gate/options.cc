#include "mediator/gate/options.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"

namespace tipstaff::gate {

const char kUsage[] =
    R"(usage: tipstaff-gate --channel NAME --connections listen|handoff

Carries the calls of one channel's guest to the mediator. Started by `tipstaff serve`, with
  descriptor 3   listen: the channel's listening Unix socket
                 handoff: a Unix socket over which accepted connections are passed
  descriptor 4   a stream socket to the mediator
Ends when the mediator closes descriptor 4. Exit codes: 0 the mediator closed it, 2 wrong
arguments or descriptors, 3 the mediator broke the protocol, 5 could not run.
)";

namespace {

constexpr size_t kMaxChannelBytes = 200;

bool IsChannelName(const std::string& name) {
  return !name.empty() && name.size() <= kMaxChannelBytes &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return absl::ascii_isgraph(c); });
}

absl::Status SetOption(const std::string& name, const std::string& value, Options& options) {
  if (name == "--channel") {
    if (!IsChannelName(value)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--channel `", base::EscapeAndCut(value, 80),
          "`: a name of 1 to 200 printable ASCII characters without spaces is needed"));
    }
    options.channel = value;
    return absl::OkStatus();
  }
  if (value == "listen") {
    options.source = ConnectionSource::kListen;
  } else if (value == "handoff") {
    options.source = ConnectionSource::kHandoff;
  } else {
    return absl::InvalidArgumentError(absl::StrCat("--connections `", base::EscapeAndCut(value, 80),
                                                   "`: `listen` or `handoff` is needed"));
  }
  return absl::OkStatus();
}

// The integer socket option `option` of `fd`, or -1 when `fd` is no open socket.
int SocketOption(int fd, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

bool IsConnected(int fd) {
  sockaddr_storage peer;
  socklen_t size = sizeof peer;
  return ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
}

absl::Status CheckStreamSocket(int fd, absl::string_view what) {
  if (::fcntl(fd, F_GETFD) < 0) {
    return absl::InvalidArgumentError(absl::StrCat("descriptor ", fd, " is not open: it must be ",
                                                   what, " (`tipstaff serve` sets it up)"));
  }
  if (SocketOption(fd, SO_TYPE) != SOCK_STREAM) {
    return absl::InvalidArgumentError(
        absl::StrCat("descriptor ", fd, " is no stream socket: it must be ", what));
  }
  return absl::OkStatus();
}

absl::Status CheckConnected(int fd, absl::string_view what) {
  TIPSTAFF_RETURN_IF_ERROR(CheckStreamSocket(fd, what));
  if (!IsConnected(fd)) {
    return absl::InvalidArgumentError(
        absl::StrCat("descriptor ", fd, " is not connected: it must be ", what));
  }
  return absl::OkStatus();
}

absl::Status CheckListening(int fd) {
  constexpr absl::string_view kWhat = "the channel's listening Unix socket";
  TIPSTAFF_RETURN_IF_ERROR(CheckStreamSocket(fd, kWhat));
  if (SocketOption(fd, SO_DOMAIN) != AF_UNIX || SocketOption(fd, SO_ACCEPTCONN) != 1) {
    return absl::InvalidArgumentError(absl::StrCat("descriptor ", fd,
                                                   " is no listening Unix socket: it must be ",
                                                   kWhat, ", or say `--connections handoff`"));
  }
  return absl::OkStatus();
}

absl::Status SetFlags(int fd, bool blocking) {
  const int flags = ::fcntl(fd, F_GETFL);
  const int wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
  if (flags < 0 || ::fcntl(fd, F_SETFL, wanted) != 0 || ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
    return absl::InternalError(absl::StrCat("cannot set the flags of descriptor ", fd));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments) {
  Options options;
  bool source_given = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--help") {
      options.help = true;
      return options;
    }
    if (name != "--channel" && name != "--connections") {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown argument `", base::EscapeAndCut(name, 80), "`: see --help"));
    }
    if (i + 1 == arguments.size()) {
      return absl::InvalidArgumentError(absl::StrCat(name, " needs a value: see --help"));
    }
    TIPSTAFF_RETURN_IF_ERROR(SetOption(name, arguments[++i], options));
    source_given = source_given || name == "--connections";
  }
  if (options.channel.empty()) return absl::InvalidArgumentError("--channel NAME is missing");
  if (!source_given) {
    return absl::InvalidArgumentError("--connections listen|handoff is missing");
  }
  return options;
}

absl::Status PrepareDescriptors(ConnectionSource source) {
  if (source == ConnectionSource::kListen) {
    TIPSTAFF_RETURN_IF_ERROR(CheckListening(kConnectionsFd));
  } else {
    constexpr absl::string_view kWhat = "a Unix socket over which connections are passed";
    TIPSTAFF_RETURN_IF_ERROR(CheckConnected(kConnectionsFd, kWhat));
    if (SocketOption(kConnectionsFd, SO_DOMAIN) != AF_UNIX) {
      return absl::InvalidArgumentError(
          absl::StrCat("descriptor ", kConnectionsFd, " is no Unix socket: it must be ", kWhat));
    }
  }
  TIPSTAFF_RETURN_IF_ERROR(CheckConnected(kMediatorFd, "the socket to the mediator"));
  TIPSTAFF_RETURN_IF_ERROR(SetFlags(kConnectionsFd, /*blocking=*/false));
  return SetFlags(kMediatorFd, /*blocking=*/true);
}

}  // namespace tipstaff::gate
