// Limits on how much a run or a permission is used.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::policy {

// In the order in which they are looked at.
enum class LimitKind {
  kCalls,           // allowed calls
  kArgumentBytes,   // of the allowed calls, as canonical JSON
  kResultBytes,     // of their results: the call that goes over it is the last
  kCallsPerMinute,  // allowed calls within the minute before
};
inline constexpr LimitKind kLimitKinds[] = {LimitKind::kCalls, LimitKind::kArgumentBytes,
                                            LimitKind::kResultBytes, LimitKind::kCallsPerMinute};

// The key in a skill: "calls_per_minute".
absl::string_view LimitKey(LimitKind kind);
// Whether it is a size such as 2MiB; else it is a count.
bool IsSize(LimitKind kind);
// Whether a call that is over it may be within it later.
bool Recovers(LimitKind kind);

// Unset: there is none.
class Limits {
 public:
  std::optional<uint64_t>& operator[](LimitKind kind) { return values_[static_cast<int>(kind)]; }
  const std::optional<uint64_t>& operator[](LimitKind kind) const {
    return values_[static_cast<int>(kind)];
  }

 private:
  std::array<std::optional<uint64_t>, std::size(kLimitKinds)> values_;
};

// What was used so far.
struct Use {
  uint64_t allowed = 0;    // calls
  uint64_t succeeded = 0;  // of them, with an outcome of kind ok
  uint64_t argument_bytes = 0;
  uint64_t result_bytes = 0;
  uint64_t last_minute = 0;  // calls that were allowed within the last minute

  bool operator==(const Use&) const = default;
};

// Whether one more call, whose arguments have so many bytes, would go over the limit.
bool IsOver(LimitKind kind, uint64_t limit, const Use& use, uint64_t argument_bytes);
// "at most 5 allowed calls", "at most 64 KiB of arguments".
std::string LimitInWords(LimitKind kind, uint64_t limit);
// "5 before this one".
std::string UseInWords(LimitKind kind, const Use& use, uint64_t argument_bytes);

}  // namespace tipstaff::policy
