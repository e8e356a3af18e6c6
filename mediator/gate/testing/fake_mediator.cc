#include "mediator/gate/testing/fake_mediator.h"

#include <poll.h>
#include <sys/socket.h>

#include <chrono>

namespace tipstaff::gate {

std::optional<v1::FromGate> FakeMediator::Next(int milliseconds) {
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    const auto next = frames_.Next();
    if (!next.ok()) return std::nullopt;
    if (next->has_value()) {
      v1::FromGate frame;
      if (!frame.ParseFromArray((*next)->data(), static_cast<int>((*next)->size()))) return {};
      return frame;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    pollfd polled{socket_.get(), POLLIN, 0};
    if (left <= 0 || ::poll(&polled, 1, static_cast<int>(left)) <= 0) return std::nullopt;
    char buffer[65536];
    const ssize_t got = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (got <= 0) return std::nullopt;
    frames_.Add(absl::string_view(buffer, got));
  }
}

bool FakeMediator::Send(const v1::ToGate& frame) {
  std::string bytes;
  transport::AppendFrame(frame.SerializeAsString(), bytes);
  return SendBytes(bytes);
}

bool FakeMediator::SendBytes(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(sent);
  }
  return true;
}

bool FakeMediator::SendPiece(uint64_t stream, std::string piece) {
  v1::ToGate frame;
  frame.set_stream(stream);
  frame.mutable_event()->set_piece(std::move(piece));
  return Send(frame);
}

bool FakeMediator::SendProgress(uint64_t stream, double progress) {
  v1::ToGate frame;
  frame.set_stream(stream);
  frame.mutable_event()->mutable_progress()->set_progress(progress);
  return Send(frame);
}

bool FakeMediator::SendEnd(uint64_t stream, std::string result) {
  v1::ToGate frame;
  frame.set_stream(stream);
  frame.mutable_event()->mutable_end()->set_result(std::move(result));
  return Send(frame);
}

bool FakeMediator::SendFailure(uint64_t stream, int code, std::string message, bool close) {
  v1::ToGate frame;
  frame.set_stream(stream);
  frame.mutable_failure()->set_code(code);
  frame.mutable_failure()->set_message(std::move(message));
  frame.mutable_failure()->set_close_connection(close);
  return Send(frame);
}

}  // namespace tipstaff::gate
