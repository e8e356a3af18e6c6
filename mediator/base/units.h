// Durations and sizes as the files and options write them: "200ms", "30m", "1h30m"; "64KiB".
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::base {

// Units us, ms, s, m, h, d; a unit is required; not negative.
absl::StatusOr<absl::Duration> ParseDuration(absl::string_view text);
// Bytes: digits with an optional KiB, MiB or GiB. KB and MB are refused (1000 or 1024?).
absl::StatusOr<uint64_t> ParseBytes(absl::string_view text);

// For people: "1.2 MiB", "350 us", "12 ms", "1h30m".
std::string ShowBytes(uint64_t bytes);
std::string ShowDuration(absl::Duration duration);

}  // namespace tipstaff::base
