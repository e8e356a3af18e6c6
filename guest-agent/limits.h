// Limits of the guest agent. Those of the mediator that it knows are held together with them by
// static_assert in calls_test.cc.
#pragma once

#include <cstddef>

#include "absl/time/time.h"

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

// Of HTTP. A request has a head and a body as large as a line of stdio.
inline constexpr size_t kMaxHttpConnections = 128;
inline constexpr size_t kMaxHttpSessions = 64;
inline constexpr size_t kMaxHttpHeadBytes = 16 << 10;
inline constexpr size_t kMaxHttpUnwrittenBytes = 1 << 20;    // before progress is left out
inline constexpr size_t kMostHttpUnwrittenBytes = 32 << 20;  // before a client is given up
inline constexpr absl::Duration kHttpSessionIdle = absl::Minutes(30);
inline constexpr absl::Duration kHttpConnectionIdle = absl::Seconds(60);
inline constexpr absl::Duration kHttpRequestTime = absl::Seconds(20);  // from its first byte on
inline constexpr absl::Duration kHttpWriteTime = absl::Seconds(60);    // of one piece
inline constexpr absl::Duration kHttpKeepAlive = absl::Seconds(15);

}  // namespace tipstaff::guest_agent
