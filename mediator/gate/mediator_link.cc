#include "mediator/gate/mediator_link.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "mediator/gate/limits.h"
#include "mediator/transport/framing.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {
namespace {

constexpr size_t kReadBytes = 64 << 10;
// More than this is not kept back for Flush.
constexpr size_t kUnsentBytes = 64 << 10;

}  // namespace

MediatorLink::MediatorLink(base::Fd socket) : socket_(std::move(socket)) {
  timeval time{};
  time.tv_sec = kMediatorSendTime.count();
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

void MediatorLink::Send(const v1::FromGate& frame) {
  frame.SerializeToString(&message_);
  transport::AppendFrame(message_, unsent_);
  if (unsent_.size() >= kUnsentBytes) Flush();
}

void MediatorLink::Flush() {
  absl::string_view rest = unsent_;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      // EAGAIN is the end of SO_SNDTIMEO. A frame may be out in part: nothing can follow it. Any
      // other error says no more than the end that Read meets.
      Break(errno == EAGAIN ? absl::UnavailableError("the mediator takes no more frames")
                            : absl::OkStatus());
      break;
    }
    rest.remove_prefix(sent);
  }
  unsent_.clear();
}

void MediatorLink::Break(absl::Status why) {
  const std::lock_guard lock(mutex_);
  if (down_) return;
  down_ = true;
  why_ = std::move(why);
  ::shutdown(socket_.get(), SHUT_RDWR);  // wakes Read, and fails what is sent from now on
}

absl::Status MediatorLink::why() const {
  const std::lock_guard lock(mutex_);
  return why_;
}

bool MediatorLink::Read(absl::FunctionRef<void(absl::string_view)> take) {
  std::string buffer(kReadBytes, '\0');
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) return true;
    if (got < 0) {
      // A mediator that went with frames of ours unread resets the connection.
      if (errno != ECONNRESET) {
        Break(absl::UnavailableError(absl::StrCat("cannot read from the mediator: errno ", errno)));
      }
      return false;
    }
    take(absl::string_view(buffer.data(), got));
  }
}

}  // namespace tipstaff::gate
