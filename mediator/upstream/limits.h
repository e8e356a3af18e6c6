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
// Of an answer with an HTTP error; what is longer is cut.
inline constexpr size_t kMaxErrorBytes = 64 << 10;
// Of the headers of one answer, all of them.
inline constexpr size_t kMaxHeaderBytes = 64 << 10;
inline constexpr size_t kMaxSessionBytes = 1024;
// Events that wait for the event loop; beyond that no more of the stream is read.
inline constexpr size_t kMaxUndeliveredBytes = 1 << 20;
// What an answer to a notification may take, and how long the end of a session is waited for when
// the process ends.
inline constexpr absl::Duration kNotificationTime = absl::Seconds(30);
inline constexpr absl::Duration kLastWordsTime = absl::Milliseconds(500);
// A response that ends before its answer, and whose events have ids, is asked for again so often.
inline constexpr int kMaxResumptions = 10;
inline constexpr size_t kMaxEventIdBytes = 1024;
// A connection that was not used for longer is not used again: many servers close theirs after 5 s.
inline constexpr absl::Duration kIdleConnectionTime = absl::Seconds(4);
// Before the stream of notifications is opened again: doubled from the first to the last, and the
// first again after one that lasted longer than the last.
inline constexpr absl::Duration kFirstReopen = absl::Seconds(1);
inline constexpr absl::Duration kLastReopen = absl::Minutes(1);
// Notes of a server for the operator's log: bytes of one, and how many of one connection.
inline constexpr size_t kMaxNoteBytes = 1024;
inline constexpr int kMaxNotes = 100;

}  // namespace tipstaff::upstream
