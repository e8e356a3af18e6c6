// Server-sent events, as Streamable HTTP uses them: each is one message. Source: the HTML standard,
// "Server-sent events", 9.2.5 and 9.2.6.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::upstream {

// Cuts a stream of bytes into events, and keeps at most one that is not yet whole. Events of
// another type than `message`, and those without data, are ignored, but for their `id` and `retry`.
// Not thread-safe.
class EventStream {
 public:
  explicit EventStream(size_t max_event_bytes) : max_(max_event_bytes) {}

  // The data of the events that are whole now, in order. ResourceExhausted when one (or a line of
  // it, a comment too) is larger than the maximum: the stream is of no use then.
  absl::StatusOr<std::vector<std::string>> Add(absl::string_view bytes);

  // Of the last event that had one, for Last-Event-ID; "": none. At most kMaxEventIdBytes.
  const std::string& last_id() const { return last_id_; }
  // How long to wait before the rest is asked for, where the server said it.
  std::optional<absl::Duration> retry() const { return retry_; }

 private:
  void TakeLine(absl::string_view line, std::vector<std::string>& events);
  void TakeField(absl::string_view name, absl::string_view value);

  const size_t max_;
  std::string line_;           // not whole yet
  bool first_line_ = true;     // a byte order mark may begin it
  bool after_return_ = false;  // a line feed that comes next belongs to the carriage return
  std::string type_, data_;
  bool has_data_ = false;
  std::string id_, last_id_;  // of the event that is not yet whole; of the last whole one
  std::optional<absl::Duration> retry_;
};

}  // namespace tipstaff::upstream
