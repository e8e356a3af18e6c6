// A connected Unix socket that carries framed protobuf messages, on the event loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"
#include "mediator/transport/framing.h"

namespace google::protobuf {
class MessageLite;
}

namespace tipstaff::host {

// What the peer sends is untrusted: lengths are bounded, and the owner decides what a bad message
// means. Sends of one turn of the loop leave as one write. A peer that does not read is cut off
// once kMaxUnsentBytes wait for it.
class FramedSocket : public std::enable_shared_from_this<FramedSocket> {
 public:
  static constexpr size_t kMaxUnsentBytes = 64 << 20;

  FramedSocket(boost::asio::io_context& loop, base::Fd fd);

  // `on_message` returns false for a message that must not be: the socket is then closed.
  // `on_closed` is called once, unless Close() came first.
  void Start(std::function<bool(absl::string_view)> on_message,
             std::function<void(absl::Status)> on_closed);
  void Send(const google::protobuf::MessageLite& message);
  // No callback follows. What was sent before and fits the socket's buffer still leaves.
  void Close();

 private:
  void Read();
  void Flush();
  void Fail(absl::Status why);

  boost::asio::io_context& loop_;
  boost::asio::local::stream_protocol::socket socket_;
  transport::FrameReader reader_;
  std::string chunk_;
  std::string unsent_;
  bool flush_due_ = false;
  bool waiting_to_write_ = false;
  bool open_ = true;
  std::function<bool(absl::string_view)> on_message_;
  std::function<void(absl::Status)> on_closed_;
};

}  // namespace tipstaff::host
