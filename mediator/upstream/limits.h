// Limits and times of MCP servers.
#pragma once

#include <cstddef>

#include "absl/time/time.h"

namespace tipstaff::upstream {

// Of one message that a server says; a longer one ends the connection.
inline constexpr size_t kMaxMessageBytes = 32 << 20;
// What waits for a server that does not read; beyond that calls fail before they are sent.
inline constexpr size_t kMaxUnsentBytes = 8 << 20;
// From the end of a process's input to SIGTERM, and from there to SIGKILL.
inline constexpr absl::Duration kTimeToExit = absl::Seconds(2);
// A process that ends by itself is started again so often within kRestartTime; then the upstream is
// of no use to the run.
inline constexpr int kMaxRestarts = 5;
inline constexpr absl::Duration kRestartTime = absl::Minutes(1);
// Notes of a server for the operator's log: bytes of one, and how many of one connection.
inline constexpr size_t kMaxNoteBytes = 1024;
inline constexpr int kMaxNotes = 100;

}  // namespace tipstaff::upstream
