// From the mediator's bytes to the streams that its messages are for.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mediator/gate/streams.h"
#include "mediator/transport/framing.h"

namespace tipstaff::gate {

// Of one thread, that of the streams.
class MediatorFrames {
 public:
  // `streams` must outlive this.
  explicit MediatorFrames(StreamTable& streams);
  ~MediatorFrames();

  // Delivers the messages that `bytes` complete. InvalidArgument: a bad frame; it is the last.
  absl::Status Take(absl::string_view bytes);
  // InvalidArgument when the bytes ended within a frame.
  absl::Status AtEnd() const;

 private:
  StreamTable& streams_;
  transport::FrameReader frames_;
  const std::unique_ptr<v1::ToGate> message_;
};

}  // namespace tipstaff::gate
