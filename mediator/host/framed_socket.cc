#include "mediator/host/framed_socket.h"

#include <google/protobuf/message_lite.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>

#include "mediator/base/file.h"

namespace tipstaff::host {

namespace asio = boost::asio;

FramedSocket::FramedSocket(asio::io_context& loop, base::Fd fd)
    : loop_(loop),
      socket_(loop, asio::local::stream_protocol(), fd.release()),
      chunk_(64 << 10, '\0') {
  socket_.native_non_blocking(true);
}

void FramedSocket::Start(std::function<bool(absl::string_view)> on_message,
                         std::function<void(absl::Status)> on_closed) {
  on_message_ = std::move(on_message);
  on_closed_ = std::move(on_closed);
  Read();
}

void FramedSocket::Read() {
  socket_.async_read_some(
      asio::buffer(chunk_), [self = shared_from_this()](boost::system::error_code error, size_t n) {
        if (!self->open_) return;
        if (error) return self->Fail(absl::UnavailableError(error.message()));
        self->reader_.Add(absl::string_view(self->chunk_.data(), n));
        const auto on_message = self->on_message_;  // outlives a Close() from within
        while (self->open_) {
          const auto message = self->reader_.Next();
          if (!message.ok()) return self->Fail(message.status());
          if (!message->has_value()) break;
          if (!on_message(**message)) {
            return self->Fail(absl::InvalidArgumentError("a message that has no place here"));
          }
        }
        if (self->open_) self->Read();
      });
}

void FramedSocket::Send(const google::protobuf::MessageLite& message) {
  if (!open_) return;
  std::string bytes;
  message.SerializeToString(&bytes);
  transport::AppendFrame(bytes, unsent_);
  if (unsent_.size() > kMaxUnsentBytes) {
    Fail(absl::ResourceExhaustedError("the peer does not read"));
    return;
  }
  if (flush_due_ || waiting_to_write_) return;
  flush_due_ = true;
  asio::post(loop_, [self = shared_from_this()] { self->Flush(); });
}

void FramedSocket::Flush() {
  flush_due_ = false;
  if (!open_) return;
  size_t sent = 0;
  while (sent < unsent_.size()) {
    const ssize_t n = ::send(socket_.native_handle(), unsent_.data() + sent, unsent_.size() - sent,
                             MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (n < 0) return Fail(base::ErrnoToStatus(errno, "cannot write to the peer"));
    sent += n;
  }
  unsent_.erase(0, sent);
  if (unsent_.empty() || waiting_to_write_) return;
  waiting_to_write_ = true;
  socket_.async_wait(asio::local::stream_protocol::socket::wait_write,
                     [self = shared_from_this()](boost::system::error_code) {
                       self->waiting_to_write_ = false;
                       self->Flush();
                     });
}

void FramedSocket::Close() {
  if (!open_) return;
  if (!unsent_.empty()) Flush();
  open_ = false;
  boost::system::error_code ignored;
  socket_.close(ignored);
  // The callbacks may own what owns this socket.
  on_message_ = nullptr;
  on_closed_ = nullptr;
}

void FramedSocket::Fail(absl::Status why) {
  if (!open_) return;
  open_ = false;
  boost::system::error_code ignored;
  socket_.close(ignored);
  const auto on_closed = std::move(on_closed_);
  on_message_ = nullptr;
  if (on_closed) on_closed(std::move(why));
}

}  // namespace tipstaff::host
