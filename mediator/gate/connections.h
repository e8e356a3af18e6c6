// The connections that gRPC serves. gRPC names one by its descriptor's number only, and tells
// nobody when it closes it; so the gate keeps a duplicate of each.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"

namespace tipstaff::gate {

using Clock = std::chrono::steady_clock;

// Thread-safe.
class Connection {
 public:
  // `fd` is the number gRPC uses, `own` a duplicate of it.
  Connection(int fd, base::Fd own, ino_t inode) : fd_(fd), own_(std::move(own)), inode_(inode) {}

  int fd() const { return own_.get(); }
  // Whether gRPC still has it open. (Its number may be another socket's by now.)
  bool Held() const;
  // Ends it for both sides; gRPC sees the end and lets go.
  void Shutdown() const;
  // Asks the acceptor to shut it down at `time`, whatever the guest reads until then.
  void ShutdownAt(Clock::time_point time) { shutdown_at_ = time.time_since_epoch().count(); }
  bool IsDue(Clock::time_point now) const { return now.time_since_epoch().count() >= shutdown_at_; }

 private:
  friend class Connections;
  const int fd_;
  const base::Fd own_;
  const ino_t inode_;
  std::atomic<Clock::rep> shutdown_at_{Clock::time_point::max().time_since_epoch().count()};
};

// Thread-safe.
class Connections {
 public:
  // Enters the connected socket `fd`, which gRPC is given next.
  absl::StatusOr<std::shared_ptr<Connection>> Add(int fd);
  // By what grpc::ServerContext::peer() says ("fd:7"); only from within an RPC of that connection,
  // which keeps the number from being used again. Null when there is none.
  std::shared_ptr<Connection> Find(absl::string_view peer) const;
  void Remove(const std::shared_ptr<Connection>& connection);

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Connection>> connections_;
};

}  // namespace tipstaff::gate
