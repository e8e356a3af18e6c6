#include "mediator/host/vsock_listener.h"

#include <sys/socket.h>

#include "mediator/transport/listen/listen.h"

namespace tipstaff::host {

VsockListener::VsockListener(boost::asio::io_context& loop, base::Fd listener,
                             std::function<void(uint32_t, base::Fd)> on_connection)
    : listener_(loop, listener.release()), on_connection_(std::move(on_connection)) {
  Await();
}

void VsockListener::Await() {
  listener_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                       [this](boost::system::error_code error) {
                         if (error) return;
                         Accept();
                         Await();
                       });
}

void VsockListener::Accept() {
  base::Fd connection(
      ::accept4(listener_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!connection) return;
  const absl::StatusOr<uint32_t> cid = transport::PeerCid(connection.get());
  if (cid.ok()) on_connection_(*cid, std::move(connection));
}

}  // namespace tipstaff::host
