// The socket to the mediator, as messages.
#pragma once

#include <mutex>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "mediator/base/fd.h"

namespace tipstaff::gate::v1 {
class FromGate;
class ToGate;
}  // namespace tipstaff::gate::v1

namespace tipstaff::gate {

class MediatorLink {
 public:
  // Owns `socket`, a connected blocking stream socket.
  explicit MediatorLink(base::Fd socket);

  // Thread-safe; frames go out whole and in the order of the calls. Blocks until the kernel has
  // taken the frame, for kMediatorSendTime at most. False: the link is down, now and for good.
  bool Send(const v1::FromGate& frame);

  // Reads until the mediator closes and gives each message to `take`; one thread only. OK: closed
  // between frames. InvalidArgument: a bad frame, or what `take` returned. Unavailable: the
  // connection broke, or Send failed.
  absl::Status Read(absl::FunctionRef<absl::Status(v1::ToGate&)> take);

 private:
  bool SendBytes(const char* bytes, size_t size);
  void Break(absl::Status why);

  const base::Fd socket_;
  std::mutex mutex_;
  absl::Status broken_;  // of the first failed Send; guarded by mutex_
};

}  // namespace tipstaff::gate
