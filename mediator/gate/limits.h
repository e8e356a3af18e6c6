// What one gate takes on for its guest. Over a limit a call or connection is refused; none waits.
#pragma once

#include <chrono>
#include <cstddef>

#include "mediator/transport/framing.h"

namespace tipstaff::gate {

// Connections of one channel, counting those that have yet to say that they speak HTTP/2.
inline constexpr size_t kMaxConnections = 4;
// RPCs from their start until gRPC has let go of them, cancelled ones included: a flood of resets
// is not bounded by kMaxStreamsPerConnection.
inline constexpr size_t kMaxRpcs = 64;
inline constexpr int kMaxStreamsPerConnection = 16;
// A message from the guest: 256 KiB of arguments and room for the rest.
inline constexpr size_t kMaxGuestMessageBytes = 300 << 10;
static_assert(kMaxGuestMessageBytes + 64 < transport::kMaxFrameBytes);
// Request headers of an RPC.
inline constexpr int kMaxMetadataBytes = 8 << 10;
// Events that a guest has not read yet: of one call (a whole result and then some), and of all.
inline constexpr size_t kMaxQueuedBytesPerCall = 9 << 20;
inline constexpr size_t kMaxQueuedBytes = 48 << 20;

// From the mediator, not yet looked at; it is not read from beyond that.
inline constexpr size_t kMaxInboxBytes = 1 << 20;

// Of the process: writable memory (what is queued, what gRPC writes, and room), descriptors, and a
// thread's stack.
inline constexpr size_t kMaxDataBytes = 128 << 20;
static_assert(2 * kMaxQueuedBytes < kMaxDataBytes);
inline constexpr size_t kMaxDescriptors = 64;
inline constexpr size_t kThreadStackBytes = 256 << 10;

// From accept until the 24 bytes of the HTTP/2 preface have come.
inline constexpr std::chrono::milliseconds kHandshakeTime{3'000};
// A connection without RPCs for this long is closed; a guest agent connects anew.
inline constexpr std::chrono::minutes kIdleTime{10};
// A peer that does not answer a ping is gone.
inline constexpr std::chrono::milliseconds kKeepaliveTime{10'000};
inline constexpr std::chrono::milliseconds kKeepaliveTimeout{5'000};
inline constexpr std::chrono::milliseconds kMinPingInterval{5'000};
// How long a connection that is to be closed may take to read why.
inline constexpr std::chrono::milliseconds kCloseTime{500};
// The mediator reads always: one that takes nothing for this long is taken for dead.
inline constexpr std::chrono::seconds kMediatorSendTime{5};
// From the mediator's end to the gate's.
inline constexpr std::chrono::milliseconds kDrainTime{200};
inline constexpr std::chrono::milliseconds kEndTime{800};

}  // namespace tipstaff::gate
