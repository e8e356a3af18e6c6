// The framing of messages between processes of this host (gate and mediator, operator and
// mediator): four bytes of length, little-endian, then that many bytes of a protobuf message.
// No I/O here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::transport {

inline constexpr size_t kFrameHeaderBytes = 4;
// The largest message either side may send: a call's arguments, or a piece of a result, and room.
inline constexpr size_t kMaxFrameBytes = 512 << 10;
// But a reply to the operator, who trusts the mediator: a whole result, or all open runs.
inline constexpr size_t kMaxAdminReplyBytes = 64 << 20;

// Appends header and message to `out`. Precondition: no larger than the peer takes.
void AppendFrame(absl::string_view message, std::string& out);

// Cuts a stream of bytes into messages.
class FrameReader {
 public:
  explicit FrameReader(size_t max_message_bytes = kMaxFrameBytes) : max_(max_message_bytes) {}

  // Takes in what was read from the peer.
  void Add(absl::string_view bytes);
  // The next whole message (valid until the next Add), nothing when more bytes are needed, or
  // OutOfRange when a length is over the maximum: the stream is then of no more use.
  absl::StatusOr<std::optional<absl::string_view>> Next();
  // Bytes of an unfinished frame.
  size_t pending() const { return buffer_.size() - read_; }

 private:
  size_t max_;
  std::string buffer_;
  size_t read_ = 0;
};

}  // namespace tipstaff::transport
