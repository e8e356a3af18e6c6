// The framing of MCP over stdio: one message a line, split on the byte '\n' alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::mcp {

// Room for a call's 256 KiB of arguments with every character written as \uNNNN.
inline constexpr size_t kMaxLineBytes = 2 << 20;

// Cuts a stream of bytes into lines and keeps at most one line that is not yet whole. Not
// thread-safe.
class LineReader {
 public:
  struct Line {
    // Without '\n' and a '\r' before it; valid until the next Add. Empty when `too_long`.
    absl::string_view text;
    // The line is longer than the maximum. It is reported once, and skipped up to its end.
    bool too_long = false;
  };

  explicit LineReader(size_t max_line_bytes = kMaxLineBytes) : max_(max_line_bytes) {}

  // Takes in what was read.
  void Add(absl::string_view bytes);
  // The next line that is not blank, or nothing until more bytes are there.
  std::optional<Line> Next();

 private:
  size_t max_;
  std::string buffer_;
  size_t read_ = 0;     // bytes of buffer_ already given out
  size_t scanned_ = 0;  // up to where no '\n' was found
  bool skipping_ = false;
};

}  // namespace tipstaff::mcp
