#include "mediator/base/units.h"

#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace tipstaff::base {

absl::StatusOr<absl::Duration> ParseDuration(absl::string_view text) {
  const auto bad = [text] {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is not a duration like 200ms, 30s, 15m, 1h or 7d"));
  };
  // absl knows no days and takes signs, fractions and "inf"; one form per length is enough here.
  if (text.empty() || !absl::ascii_isdigit(text.front())) return bad();
  for (char c : text) {
    if (!absl::ascii_isdigit(c) && !absl::ascii_islower(c)) return bad();
  }
  if (absl::string_view days = text; absl::ConsumeSuffix(&days, "d")) {
    uint32_t count;
    if (!absl::SimpleAtoi(days, &count)) return bad();
    return absl::Hours(24) * count;
  }
  absl::Duration duration;
  if (!absl::ParseDuration(text, &duration) || text == "0") return bad();
  if (duration == absl::InfiniteDuration()) return bad();
  return duration;
}

absl::StatusOr<uint64_t> ParseBytes(absl::string_view text) {
  const absl::string_view whole = text;
  int shift = 0;
  if (absl::ConsumeSuffix(&text, "KiB"))
    shift = 10;
  else if (absl::ConsumeSuffix(&text, "MiB"))
    shift = 20;
  else if (absl::ConsumeSuffix(&text, "GiB"))
    shift = 30;
  uint64_t count;
  if (text.empty() || !absl::ascii_isdigit(text.front()) || !absl::SimpleAtoi(text, &count) ||
      count > std::numeric_limits<uint64_t>::max() >> shift) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", whole, "` is not a size like 4096, 64KiB, 2MiB or 1GiB"));
  }
  return count << shift;
}

std::string ShowBytes(uint64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  const char* const kUnits[] = {"KiB", "MiB", "GiB"};
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  while (value >= 1024 && unit < 2) {
    value /= 1024;
    ++unit;
  }
  return absl::StrFormat("%.1f %s", value, kUnits[unit]);
}

std::string ShowDuration(absl::Duration duration) {
  if (duration < absl::Milliseconds(1)) {
    return absl::StrCat(absl::ToInt64Microseconds(duration), " us");
  }
  if (duration < absl::Seconds(10)) {
    return absl::StrCat(absl::ToInt64Milliseconds(duration), " ms");
  }
  return absl::FormatDuration(absl::Trunc(duration, absl::Seconds(1)));
}

}  // namespace tipstaff::base
