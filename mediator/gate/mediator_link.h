// The socket to the mediator.
#pragma once

#include <mutex>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"

namespace tipstaff::gate::v1 {
class FromGate;
}

namespace tipstaff::gate {

// Of two threads: one sends, one reads.
class MediatorLink {
 public:
  // Owns `socket`, a connected blocking stream socket.
  explicit MediatorLink(base::Fd socket);

  // The sender's. Frames go out whole and in the order of the calls, with Flush at the latest.
  // When the link is down they are dropped: Read has ended then, or will at once.
  void Send(const v1::FromGate& frame);
  // Blocks until the kernel has taken all, for kMediatorSendTime at most.
  void Flush();

  // The reader's. Gives what comes to `take` until the end: true when the mediator closed the
  // link, false when it broke.
  bool Read(absl::FunctionRef<void(absl::string_view)> take);

  // Thread-safe. Ends the link for `why`, if nothing has ended it before.
  void Break(absl::Status why);
  // Why the link was ended. OK: the mediator is gone. InvalidArgument: a bad frame. Unavailable:
  // the connection broke.
  absl::Status why() const;

 private:
  const base::Fd socket_;
  std::string unsent_, message_;  // the sender's
  mutable std::mutex mutex_;
  bool down_ = false;  // guarded by mutex_, as why_ is
  absl::Status why_;
};

}  // namespace tipstaff::gate
