#include "mediator/upstream/event_stream.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/upstream/header_value.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {

absl::StatusOr<std::vector<std::string>> EventStream::Add(absl::string_view bytes) {
  std::vector<std::string> events;
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && absl::ConsumePrefix(&bytes, "\n")) continue;
    const size_t end = bytes.find_first_of("\r\n");
    const absl::string_view part = bytes.substr(0, end);
    if (line_.size() + data_.size() + part.size() > max_) {
      return absl::ResourceExhaustedError(
          absl::StrCat("said an event of more than ", max_, " bytes"));
    }
    if (end == absl::string_view::npos) {
      line_.append(part.data(), part.size());
      break;
    }
    if (line_.empty()) {
      TakeLine(part, events);
    } else {
      line_.append(part.data(), part.size());
      TakeLine(line_, events);
      line_.clear();
    }
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
  }
  return events;
}

void EventStream::TakeLine(absl::string_view line, std::vector<std::string>& events) {
  if (std::exchange(first_line_, false)) absl::ConsumePrefix(&line, "\xEF\xBB\xBF");
  if (line.empty()) {
    if (!data_.empty() && (type_.empty() || type_ == "message")) {
      events.push_back(std::exchange(data_, {}));
    }
    data_.clear();
    type_.clear();
    has_data_ = false;
    last_id_ = id_;
    return;
  }
  const size_t colon = line.find(':');
  if (colon == 0) return;  // a comment
  absl::string_view value;
  if (colon != absl::string_view::npos) value = line.substr(colon + 1);
  absl::ConsumePrefix(&value, " ");
  TakeField(line.substr(0, colon), value);
}

void EventStream::TakeField(absl::string_view name, absl::string_view value) {
  if (name == "event") {
    type_ = std::string(value);
  } else if (name == "data") {
    if (std::exchange(has_data_, true)) data_ += '\n';
    data_.append(value.data(), value.size());
  } else if (name == "id") {
    if (value.size() <= kMaxEventIdBytes && IsPlainValue(value)) id_ = std::string(value);
  } else if (name == "retry") {
    if (uint32_t ms = 0; absl::SimpleAtoi(value, &ms)) retry_ = absl::Milliseconds(ms);
  }
}

}  // namespace tipstaff::upstream
