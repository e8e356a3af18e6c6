#include "mediator/source/lines.h"

#include <algorithm>

#include "absl/strings/strip.h"
#include "mediator/base/utf8.h"

namespace tipstaff::source {

Lines::Lines(absl::string_view text) : text_(text), starts_{0} {
  for (size_t i = text.find('\n'); i != absl::string_view::npos; i = text.find('\n', i + 1)) {
    if (i + 1 < text.size()) starts_.push_back(i + 1);
  }
  int points = 0;
  for (size_t at = 0; at < text.size();) {
    if (at >= marks_.size() * kStride) marks_.push_back({.offset = at, .points = points});
    const size_t next = marks_.size() * kStride;
    if (const size_t ascii = base::AsciiRun(text.substr(at, next - at)); ascii > 0) {
      at += ascii;
      points += static_cast<int>(ascii);
    } else {
      at += base::FirstCodePoint(text.substr(at)).bytes;
      ++points;
    }
  }
}

int Lines::PointsBefore(size_t offset) const {
  const size_t after = std::min(offset / kStride + 1, marks_.size());
  for (size_t i = after; i-- > 0;) {
    const Mark& mark = marks_[i];
    if (mark.offset > offset) continue;
    return mark.points +
           static_cast<int>(base::CountCodePoints(text_.substr(mark.offset, offset - mark.offset)));
  }
  return 0;
}

int Lines::PointsWithin(size_t begin, size_t end) const {
  if (end - begin > kStride) return PointsBefore(end) - PointsBefore(begin);
  return static_cast<int>(base::CountCodePoints(text_.substr(begin, end - begin)));
}

size_t Lines::EndOf(int line) const {
  size_t end = line < count() ? starts_[line] : text_.size();
  const size_t start = StartOf(line);
  if (end > start && text_[end - 1] == '\n') --end;
  if (end > start && text_[end - 1] == '\r') --end;
  return end;
}

absl::string_view Lines::Line(int line) const {
  if (line < 1 || line > count()) return "";
  return text_.substr(StartOf(line), EndOf(line) - StartOf(line));
}

int Lines::LineAt(size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<int>(after - starts_.begin());
}

bool Lines::AreInOneLine(size_t begin, size_t end) const {
  return end <= begin || LineAt(begin) == LineAt(end - 1);
}

Span Lines::SpanOf(size_t begin, size_t end) const {
  begin = std::min(begin, text_.size());
  const int line = LineAt(begin);
  end = std::clamp(end, begin, std::max(EndOf(line), begin));
  return {.line = line,
          .column = PointsWithin(StartOf(line), begin) + 1,
          .length = std::max(1, PointsWithin(begin, end))};
}

absl::string_view LineOf(absl::string_view text, int line) {
  if (line < 1) return "";
  for (int before = 1; before < line; ++before) {
    const size_t end = text.find('\n');
    if (end == absl::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  return absl::StripSuffix(text.substr(0, text.find('\n')), "\r");
}

}  // namespace tipstaff::source
