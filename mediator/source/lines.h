// The lines of a text, and offsets in bytes as places that a reader understands.
#pragma once

#include <cstddef>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::source {

// One line alone, without what Lines finds out of all of them. As Lines::Line().
absl::string_view LineOf(absl::string_view text, int line);

// A view: `text` must outlive it. Lines end with LF or CRLF.
class Lines {
 public:
  explicit Lines(absl::string_view text);

  int count() const { return static_cast<int>(starts_.size()); }
  // The line's content without its end; "" for a line that is not there. Lines count from 1.
  absl::string_view Line(int line) const;
  // The line that the byte at `offset` is in; an offset past the end is in the last line.
  int LineAt(size_t offset) const;
  size_t StartOf(int line) const { return starts_[line - 1]; }
  // Whether the bytes [begin, end) are in one line.
  bool AreInOneLine(size_t begin, size_t end) const;
  // The bytes [begin, end), as far as they are in the first line; at least one column.
  Span SpanOf(size_t begin, size_t end) const;

 private:
  size_t EndOf(int line) const;  // without the line end
  int PointsBefore(size_t offset) const;
  int PointsWithin(size_t begin, size_t end) const;

  absl::string_view text_;
  std::vector<size_t> starts_;
  // Code points before the first one that begins at or after each multiple of kStride bytes, so
  // that a place in a very long line is found in constant time.
  struct Mark {
    size_t offset;
    int points;
  };
  static constexpr size_t kStride = 256;
  std::vector<Mark> marks_;
};

}  // namespace tipstaff::source
