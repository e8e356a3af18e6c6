#include "mediator/gate/mediator_link.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <string>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/gate/limits.h"
#include "mediator/transport/framing.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {
namespace {

constexpr size_t kReadBytes = 64 << 10;

}  // namespace

MediatorLink::MediatorLink(base::Fd socket) : socket_(std::move(socket)) {
  timeval time{};
  time.tv_sec = kMediatorSendTime.count();
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

bool MediatorLink::Send(const v1::FromGate& frame) {
  std::string bytes;
  transport::AppendFrame(frame.SerializeAsString(), bytes);
  const std::lock_guard lock(mutex_);
  return broken_.ok() && SendBytes(bytes.data(), bytes.size());
}

bool MediatorLink::SendBytes(const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket_.get(), bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      // EAGAIN is the end of SO_SNDTIMEO. A frame may be out in part: nothing can follow it.
      Break(errno == EAGAIN ? absl::UnavailableError("the mediator takes no more frames")
                            : base::ErrnoToStatus(errno, "cannot send to the mediator"));
      return false;
    }
    bytes += sent;
    size -= sent;
  }
  return true;
}

void MediatorLink::Break(absl::Status why) {
  broken_ = std::move(why);
  ::shutdown(socket_.get(), SHUT_RDWR);  // wakes Read
}

absl::Status MediatorLink::Read(absl::FunctionRef<absl::Status(v1::ToGate&)> take) {
  transport::FrameReader frames;
  std::string buffer(kReadBytes, '\0');
  v1::ToGate message;
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      const int error = got < 0 ? errno : 0;
      const std::lock_guard lock(mutex_);
      if (error != 0 && error != ECONNRESET) {
        return absl::UnavailableError(absl::StrCat("cannot read from the mediator: errno ", error));
      }
      // A send that met the closed socket first says no more than the end does.
      if (absl::IsUnavailable(broken_)) return broken_;
      if (frames.pending() == 0 || error != 0) return absl::OkStatus();
      return absl::InvalidArgumentError("the mediator closed in the middle of a frame");
    }
    frames.Add(absl::string_view(buffer.data(), got));
    for (;;) {
      const auto next = frames.Next();
      if (!next.ok()) return absl::InvalidArgumentError(next.status().message());
      if (!next->has_value()) break;
      if (!message.ParseFromArray((*next)->data(), static_cast<int>((*next)->size()))) {
        return absl::InvalidArgumentError("a frame of the mediator is no ToGate message");
      }
      TIPSTAFF_RETURN_IF_ERROR(take(message));
    }
  }
}

}  // namespace tipstaff::gate
