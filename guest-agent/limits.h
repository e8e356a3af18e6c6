// Limits of the guest agent. Those of the mediator that it knows are held together with them by
// static_assert in calls_test.cc.
#pragma once

#include <cstddef>

namespace tipstaff::guest_agent {

inline constexpr size_t kMaxArgumentsBytes = 256 << 10;  // of one call
inline constexpr size_t kMaxResultBytes = 8 << 20;       // of one call
// Requests to the mediator at once; more wait here. One of the mediator's 16 is kept for the list,
// one for what changes and one for a Hello, so that none waits for calls that take long.
inline constexpr size_t kMaxCallsAtOnce = 13;
inline constexpr size_t kMaxListsAtOnce = 1;
inline constexpr size_t kMaxWatches = 1;
inline constexpr size_t kMaxAgentNameBytes = 64;     // of a name or version in Hello
inline constexpr size_t kMaxOutputBytes = 32 << 20;  // not yet read by the client

}  // namespace tipstaff::guest_agent
