#include "mediator/gate/mediator_frames.h"

#include "mediator/base/status.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {

MediatorFrames::MediatorFrames(StreamTable& streams)
    : streams_(streams), message_(std::make_unique<v1::ToGate>()) {}

MediatorFrames::~MediatorFrames() = default;

absl::Status MediatorFrames::Take(absl::string_view bytes) {
  frames_.Add(bytes);
  for (;;) {
    const auto next = frames_.Next();
    if (!next.ok()) return absl::InvalidArgumentError(next.status().message());
    if (!next->has_value()) return absl::OkStatus();
    if (!message_->ParseFromArray((*next)->data(), static_cast<int>((*next)->size()))) {
      return absl::InvalidArgumentError("a frame of the mediator is no ToGate message");
    }
    TIPSTAFF_RETURN_IF_ERROR(streams_.Route(*message_));
  }
}

absl::Status MediatorFrames::AtEnd() const {
  if (frames_.pending() == 0) return absl::OkStatus();
  return absl::InvalidArgumentError("the mediator closed in the middle of a frame");
}

}  // namespace tipstaff::gate
