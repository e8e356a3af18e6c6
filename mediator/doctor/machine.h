// The machine, as far as checks look at it. They change nothing on it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/config/config.h"

namespace tipstaff::doctor {

struct PathFacts {
  enum class Kind { kAbsent, kHidden, kFile, kFolder, kSocket, kOther };  // links are followed
  Kind kind = Kind::kAbsent;  // kHidden: a folder above does not let this user look
  mode_t mode = 0;            // permission bits
  // To this user.
  bool readable = false, writable = false, executable = false;
  bool exists() const { return kind != Kind::kAbsent && kind != Kind::kHidden; }
};

struct Room {
  uint64_t free_bytes = 0;  // to this user
  uint64_t total_bytes = 0;
};

// A program that speaks lines, and what it is told.
struct Conversation {
  std::vector<std::string> command;  // absolute
  struct Line {
    std::string text;
    std::string id;  // of the answer to wait for, as JSON; "": none comes
  };
  std::vector<Line> lines;
};

// Thread-compatible.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual PathFacts Look(const std::string& path) = 0;
  // As base::ReadFile.
  virtual absl::StatusOr<std::string> Read(const std::string& path, size_t max_bytes) = 0;
  virtual std::optional<std::string> Variable(const std::string& name) = 0;
  virtual absl::Time Now() = 0;
  virtual absl::StatusOr<Room> RoomAt(const std::string& path) = 0;
  // Connects to the Unix socket, says nothing, and hangs up; as transport::DialUnix.
  virtual absl::Status Connect(const std::string& socket) = 0;
  // The same of a TCP port of 127.0.0.1 or [::1].
  virtual absl::Status ConnectLoopback(bool ipv6, uint16_t port) = 0;
  // As confine::CanConfine.
  virtual absl::Status CanConfine() = 0;
  // Whether its pins and its sign-off let calls through, as `tipstaff upstream list` says.
  virtual absl::Status CanUse(const config::McpServer& server,
                              const std::vector<config::Person>& people) = 0;
  // Starts the program with the environment that MCP clients give to servers, says the lines, and
  // ends it. The answers that were waited for, in their order; the message of an error quotes the
  // first line of what it said on standard error.
  virtual absl::StatusOr<std::vector<std::string>> Converse(const Conversation& conversation) = 0;
};

}  // namespace tipstaff::doctor
