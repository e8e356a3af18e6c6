#include "mediator/base/clock.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tipstaff::base {

absl::Time SystemClock::Now() const {
  return absl::FromUnixMicros(absl::ToUnixMicros(absl::Now()));
}

absl::Time AdvancingClock::Now() const {
  const int64_t now = absl::ToUnixMicros(clock_.Now());
  int64_t floor = floor_micros_.load();
  while (floor < now && !floor_micros_.compare_exchange_weak(floor, now)) {
  }
  return absl::FromUnixMicros(std::max(floor, now));
}

void AdvancingClock::AtLeast(absl::Time time) {
  const int64_t wanted = absl::ToUnixMicros(time);
  int64_t floor = floor_micros_.load();
  while (floor < wanted && !floor_micros_.compare_exchange_weak(floor, wanted)) {
  }
}

std::string ShowTime(absl::Time time) {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E3SZ", time, absl::UTCTimeZone());
}

absl::StatusOr<absl::Time> ParseTime(absl::string_view text) {
  absl::Time time;
  std::string error;
  if (!absl::ParseTime(absl::RFC3339_full, text, &time, &error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is not a time like 2026-05-01T09:00:00Z"));
  }
  return time;
}

}  // namespace tipstaff::base
