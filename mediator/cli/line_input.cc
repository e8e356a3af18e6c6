#include "mediator/cli/line_input.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tipstaff::cli {

std::optional<LineInput::Line> LineInput::Take() {
  const size_t end = buffer_.find('\n');
  if (end == std::string::npos) {
    if (!at_end_ || (buffer_.empty() && !too_long_)) return std::nullopt;
    return Line{std::exchange(buffer_, ""), std::exchange(too_long_, false)};
  }
  Line line{buffer_.substr(0, end), std::exchange(too_long_, false)};
  buffer_.erase(0, end + 1);
  if (line.too_long) line.text.clear();
  return line;
}

bool LineInput::Read() {
  char chunk[65536];
  const ssize_t got = ::read(fd_, chunk, sizeof chunk);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) {
    at_end_ = true;
    return false;
  }
  buffer_.append(chunk, got);
  if (buffer_.size() > kMaxLineBytes && buffer_.find('\n') == std::string::npos) {
    buffer_.clear();
    too_long_ = true;
  }
  return true;
}

}  // namespace tipstaff::cli
