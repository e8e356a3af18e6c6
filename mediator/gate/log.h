// The gate's few words for the operator, on standard error.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace tipstaff::gate {

// Thread-safe: one write(2) per line, "tipstaff-gate CHANNEL: TEXT". What a guest can cause is
// passed through Tally, so that it cannot fill a disk.
class Log {
 public:
  explicit Log(std::string channel) : channel_(std::move(channel)) {}
  void Line(absl::string_view text) const;

 private:
  const std::string channel_;
};

// Counts an event and says so at the 1st, 2nd, 4th, 8th, ... of its kind. Thread-safe.
class Tally {
 public:
  Tally(const Log& log, absl::string_view event) : log_(log), event_(event) {}
  // `what` is shown with those that are written; escaped and cut.
  void Count(absl::string_view what = "");

 private:
  const Log& log_;
  const std::string event_;
  std::atomic<uint64_t> count_{0};
};

}  // namespace tipstaff::gate
