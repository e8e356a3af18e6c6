#include "mediator/doctor/host_machine.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/confine/can_confine.h"
#include "mediator/doctor/converse.h"
#include "mediator/transport/dial/dial.h"
#include "mediator/upstream/load.h"

namespace tipstaff::doctor {
namespace {

constexpr absl::Duration kToAnswer = absl::Seconds(10);
constexpr int kMillisecondsToConnect = 2000;
// What MCP clients let a server have of their environment (getDefaultEnvironment of the SDKs).
constexpr const char* kPassedOn[] = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"};

PathFacts::Kind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return PathFacts::Kind::kFile;
  if (S_ISDIR(mode)) return PathFacts::Kind::kFolder;
  if (S_ISSOCK(mode)) return PathFacts::Kind::kSocket;
  return PathFacts::Kind::kOther;
}

absl::Status ConnectTo(const sockaddr* address, socklen_t size) {
  const base::Fd socket(
      ::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return base::ErrnoToStatus(errno, "cannot make a socket");
  if (::connect(socket.get(), address, size) == 0) return absl::OkStatus();
  if (errno != EINPROGRESS) return base::ErrnoToStatus(errno, "cannot connect");
  pollfd ready = {socket.get(), POLLOUT, 0};
  if (::poll(&ready, 1, kMillisecondsToConnect) <= 0) {
    return absl::DeadlineExceededError("nobody answers");
  }
  int error = 0;
  socklen_t error_size = sizeof error;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &error_size);
  return error == 0 ? absl::OkStatus() : base::ErrnoToStatus(error, "cannot connect");
}

}  // namespace

PathFacts HostMachine::Look(const std::string& path) {
  PathFacts facts;
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == EACCES) facts.kind = PathFacts::Kind::kHidden;
    return facts;
  }
  facts.kind = KindOf(status.st_mode);
  facts.mode = status.st_mode & 07777;
  facts.readable = ::access(path.c_str(), R_OK) == 0;
  facts.writable = ::access(path.c_str(), W_OK) == 0;
  facts.executable = ::access(path.c_str(), X_OK) == 0;
  return facts;
}

absl::StatusOr<std::string> HostMachine::Read(const std::string& path, size_t max_bytes) {
  return base::ReadFile(path, max_bytes);
}

std::optional<std::string> HostMachine::Variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::make_optional<std::string>(value);
}

absl::Time HostMachine::Now() { return absl::Now(); }

absl::StatusOr<Room> HostMachine::RoomAt(const std::string& path) {
  struct statvfs room;
  if (::statvfs(path.c_str(), &room) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("the room at `", base::Escape(path), "`"));
  }
  return Room{uint64_t{room.f_bavail} * room.f_frsize, uint64_t{room.f_blocks} * room.f_frsize};
}

absl::Status HostMachine::Connect(const std::string& socket) {
  return transport::DialUnix(socket).status();
}

absl::Status HostMachine::ConnectLoopback(bool ipv6, uint16_t port) {
  if (ipv6) {
    sockaddr_in6 address = {};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_loopback;
    address.sin6_port = htons(port);
    return ConnectTo(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return ConnectTo(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

absl::Status HostMachine::CanConfine() { return confine::CanConfine(); }

absl::Status HostMachine::CanUse(const config::McpServer& server,
                                 const std::vector<config::Person>& people) {
  absl::StatusOr<upstream::PinnedServer> pinned = upstream::ReadPins(server);
  if (!pinned.ok()) return pinned.status();
  return upstream::ReadApproval(*std::move(pinned), people, absl::Now()).status();
}

absl::StatusOr<std::vector<std::string>> HostMachine::Converse(const Conversation& conversation) {
  std::vector<std::string> environment;
  for (const char* name : kPassedOn) {
    if (const char* value = std::getenv(name)) {
      environment.push_back(absl::StrCat(name, "=", value));
    }
  }
  return doctor::Converse(conversation, environment, kToAnswer);
}

}  // namespace tipstaff::doctor
