// The common AF_VSOCK listener: accepts, asks the kernel who called, hands the connection on.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>

#include "mediator/base/fd.h"

namespace tipstaff::host {

class VsockListener {
 public:
  // `on_connection` gets the peer's CID and the connection; one of an unknown CID is dropped there.
  VsockListener(boost::asio::io_context& loop, base::Fd listener,
                std::function<void(uint32_t cid, base::Fd connection)> on_connection);

 private:
  void Await();
  void Accept();

  boost::asio::posix::stream_descriptor listener_;
  std::function<void(uint32_t, base::Fd)> on_connection_;
};

}  // namespace tipstaff::host
