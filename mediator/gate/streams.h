// The RPCs that the mediator is to answer, by stream number.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "absl/status/status.h"

namespace tipstaff::gate::v1 {
class ToGate;
}

namespace tipstaff::gate {

// What the mediator's messages reach.
class Stream {
 public:
  virtual ~Stream() = default;
  // Takes what it wants out of `frame`. False: this kind of RPC has no such message.
  virtual bool Take(v1::ToGate& frame) = 0;
  // The mediator is gone; nothing follows.
  virtual void Lost() = 0;
};

// Of one thread. A stream stands in the table until whichever comes first: its last message from
// the mediator, or Forget. So exactly one side ends it.
class StreamTable {
 public:
  // The number of a new stream, never used before; 0 when the table is closed. The stream must not
  // go while it stands here.
  uint64_t Open(Stream& stream);
  // Takes a stream out. False: it has ended already.
  bool Forget(uint64_t number);
  // Delivers a message. A stream that was forgotten is passed over; InvalidArgument for a number
  // never given, no message, or one the stream cannot take.
  absl::Status Route(v1::ToGate& frame);
  // Ends all streams with Lost.
  void Close();

 private:
  bool closed_ = false;
  uint64_t last_ = 0;
  std::unordered_map<uint64_t, Stream*> streams_;
};

}  // namespace tipstaff::gate
