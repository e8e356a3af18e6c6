#include "mediator/mcp/lines.h"

#include "absl/strings/ascii.h"
#include "absl/strings/strip.h"

namespace tipstaff::mcp {

void LineReader::Add(absl::string_view bytes) {
  buffer_.erase(0, read_);
  scanned_ -= read_;
  read_ = 0;
  buffer_.append(bytes.data(), bytes.size());
}

std::optional<LineReader::Line> LineReader::Next() {
  while (true) {
    const size_t end = buffer_.find('\n', scanned_);
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      const bool too_long = scanned_ - read_ > max_;
      if (!skipping_ && !too_long) return std::nullopt;
      read_ = scanned_;
      if (skipping_) return std::nullopt;
      skipping_ = true;
      return Line{.too_long = true};
    }
    absl::string_view line = absl::string_view(buffer_).substr(read_, end - read_);
    read_ = scanned_ = end + 1;
    if (skipping_) {
      skipping_ = false;
      continue;
    }
    if (line.size() > max_) return Line{.too_long = true};
    absl::ConsumeSuffix(&line, "\r");
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    return Line{.text = line};
  }
}

}  // namespace tipstaff::mcp
