#include "tests/reference/units.h"

#include <string>

namespace tipstaff::reference {

uint64_t Bytes(json::Value size) {
  if (size.is_number()) return static_cast<uint64_t>(size.number());
  const std::string text(size.string());
  size_t end = 0;
  const uint64_t number = std::stoull(text, &end);
  const std::string unit = text.substr(end);
  if (unit == "KiB") return number << 10;
  if (unit == "MiB") return number << 20;
  return unit == "GiB" ? number << 30 : number;
}

uint64_t Milliseconds(json::Value duration) {
  const std::string text(duration.string());
  uint64_t total = 0;
  for (size_t at = 0; at < text.size();) {
    size_t digits = 0;
    const uint64_t number = std::stoull(text.substr(at), &digits);
    const size_t begin = at + digits;
    at = std::min(text.find_first_of("0123456789", begin), text.size());
    const std::string unit = text.substr(begin, at - begin);
    total += number * (unit == "ms"  ? 1
                       : unit == "s" ? 1'000
                       : unit == "m" ? 60'000
                       : unit == "h" ? 3'600'000
                                     : 86'400'000);
  }
  return total;
}

}  // namespace tipstaff::reference
