// The mediator's end of a gate's socket, driven by a test line by line.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"
#include "mediator/transport/framing.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {

// Of one thread.
class FakeMediator {
 public:
  // `socket`: connected, blocking.
  explicit FakeMediator(base::Fd socket) : socket_(std::move(socket)) {}

  // The next message; nothing when none came within `milliseconds` or the gate closed.
  std::optional<v1::FromGate> Next(int milliseconds = 10'000);
  bool Send(const v1::ToGate& frame);
  bool SendBytes(absl::string_view bytes);
  void Close() { socket_.reset(); }

  // Messages of the usual kinds.
  bool SendPiece(uint64_t stream, std::string piece);
  bool SendProgress(uint64_t stream, double progress);
  bool SendEnd(uint64_t stream, std::string result);
  bool SendFailure(uint64_t stream, int code, std::string message, bool close = false);

 private:
  base::Fd socket_;
  transport::FrameReader frames_;
};

}  // namespace tipstaff::gate
