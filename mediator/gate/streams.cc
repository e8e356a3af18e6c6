#include "mediator/gate/streams.h"

#include "absl/strings/str_cat.h"
#include "tipstaff/gate/v1/gate.pb.h"

namespace tipstaff::gate {
namespace {

bool IsLast(const v1::ToGate& frame) {
  return frame.message_case() != v1::ToGate::kEvent || frame.event().has_end();
}

}  // namespace

uint64_t StreamTable::Open(Stream& stream) {
  if (closed_) return 0;
  streams_.emplace(++last_, &stream);
  return last_;
}

bool StreamTable::Forget(uint64_t number) { return streams_.erase(number) != 0; }

absl::Status StreamTable::Route(v1::ToGate& frame) {
  if (frame.message_case() == v1::ToGate::MESSAGE_NOT_SET) {
    return absl::InvalidArgumentError("a frame of the mediator holds no message");
  }
  if (frame.stream() == 0 || frame.stream() > last_) {
    return absl::InvalidArgumentError(
        absl::StrCat("a frame of the mediator is for stream ", frame.stream(), ", not opened yet"));
  }
  const auto found = streams_.find(frame.stream());
  if (found == streams_.end()) return absl::OkStatus();
  Stream& stream = *found->second;
  if (IsLast(frame)) streams_.erase(found);
  if (stream.Take(frame)) return absl::OkStatus();
  stream.Lost();
  return absl::InvalidArgumentError(absl::StrCat(
      "a frame of the mediator is no answer to the request of stream ", frame.stream()));
}

void StreamTable::Close() {
  closed_ = true;
  std::unordered_map<uint64_t, Stream*> streams;
  streams.swap(streams_);
  for (const auto& [number, stream] : streams) stream->Lost();
}

}  // namespace tipstaff::gate
