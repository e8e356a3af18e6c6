// A channel: the one way in of one VM or run. Its socket is the guest's identity.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/base/fd.h"
#include "mediator/host/framed_socket.h"
#include "mediator/host/gate_process.h"
#include "mediator/host/guest_service.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::host {

// Starts the channel's gate when its first connection arrives, and again after the gate ended.
// A gate that breaks the protocol is ended. On the event loop's thread only.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  Channel(boost::asio::io_context& loop, std::string name, std::string gate_program,
          GuestContext context);
  ~Channel();

  // Guests connect to the Unix socket `path`.
  absl::Status Listen(const std::string& path, transport::FolderLink link);
  // Guests' connections are accepted elsewhere and handed over (AF_VSOCK).
  void HandOver(base::Fd connection);

  // Takes no new connections any more; the gate is ended after `grace`, in which guests that are
  // connected still learn that the run is over, and for what reason.
  void Retire(call::Reason reason, absl::Duration grace);
  // Ends the gate now; guests' calls are cancelled.
  void Shut();
  // Retired, and its gate has ended.
  bool over() const { return retired_ && gate_ == nullptr; }

  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }

 private:
  void AwaitConnection();
  void StartGate(Connections kind, int connections);
  void GateEnded(const std::string& how);

  boost::asio::io_context& loop_;
  const std::string name_, gate_program_;
  const GuestContext context_;
  std::string path_;
  transport::FolderLink link_ = transport::FolderLink::kFollow;
  std::unique_ptr<boost::asio::posix::stream_descriptor> listener_;
  base::Fd handoff_;  // our end, while a gate in handoff mode runs
  std::unique_ptr<GateProcess> gate_;
  std::shared_ptr<FramedSocket> socket_;
  std::shared_ptr<GuestService> service_;
  boost::asio::steady_timer pause_;
  bool retired_ = false;
};

}  // namespace tipstaff::host
