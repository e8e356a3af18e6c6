// Starting and ending a gate: the process between one channel and the mediator.
#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/base/fd.h"

namespace tipstaff::host {

// Which kind of connections the gate's descriptor 3 brings.
enum class Connections {
  kListen,   // a listening socket
  kHandoff,  // a Unix socket over which the mediator hands accepted connections
};

// Owns one gate process. Destruction ends it.
class GateProcess {
 public:
  // Starts `program` with exec: descriptors 3 (`connections`) and 4 (the mediator's socket) and
  // standard error, an empty environment. `on_exit` is called on the loop when it has ended.
  static absl::StatusOr<std::unique_ptr<GateProcess>> Start(
      boost::asio::io_context& loop, const std::string& program, const std::string& channel,
      Connections kind, int connections, std::function<void(std::string how)> on_exit);
  ~GateProcess();

  // The mediator's end of the socket pair; to be taken once.
  base::Fd TakeSocket() { return std::move(socket_); }
  pid_t pid() const { return pid_; }

 private:
  class Watch;
  GateProcess(pid_t pid, base::Fd socket, std::shared_ptr<Watch> watch)
      : pid_(pid), socket_(std::move(socket)), watch_(std::move(watch)) {}

  pid_t pid_;
  base::Fd socket_;
  std::shared_ptr<Watch> watch_;
};

}  // namespace tipstaff::host
