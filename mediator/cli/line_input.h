// Lines of standard input that come while other things are waited for.
#pragma once

#include <optional>
#include <string>

namespace tipstaff::cli {

// Not thread-safe.
class LineInput {
 public:
  static constexpr size_t kMaxLineBytes = 1 << 20;

  // `fd` is only read from, and only when poll(2) says that there is something.
  explicit LineInput(int fd) : fd_(fd) {}
  int fd() const { return fd_; }

  // The next whole line without its end, or the last one, which may have none. Of a line that is
  // too long nothing is kept, and it is `too_long`.
  struct Line {
    std::string text;
    bool too_long = false;
  };
  std::optional<Line> Take();
  // Reads what there is; false at the end of input.
  bool Read();
  bool at_end() const { return at_end_; }

 private:
  const int fd_;
  std::string buffer_;
  bool too_long_ = false;
  bool at_end_ = false;
};

}  // namespace tipstaff::cli
