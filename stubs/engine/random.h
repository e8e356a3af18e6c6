// Randomness that a run's seed decides, so that a replay draws the same.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::engine {

// The key of a state's streams: BLAKE2b-256 of the run's seed and the backend's alias.
using RandomKey = std::array<uint8_t, 32>;
RandomKey MakeRandomKey(absl::string_view seed, absl::string_view backend);

// A stream for one purpose of one call. Block i is BLAKE2b-512, keyed, of the purpose (1 byte), the
// call's number and i (8 bytes each, little-endian).
class RandomStream {
 public:
  enum class Purpose : uint8_t { kScript = 1, kFault = 2 };
  RandomStream(const RandomKey& key, Purpose purpose, uint64_t number)
      : key_(key), purpose_(purpose), number_(number) {}

  uint64_t Next();
  // Even over 0 .. below-1; below > 0.
  uint64_t Below(uint64_t below);
  // In [0, 1), with 53 bits.
  double Fraction() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  // Characters of a-z and 2-7.
  std::string Text(size_t length);

 private:
  const RandomKey key_;
  const Purpose purpose_;
  const uint64_t number_;
  uint64_t block_ = 0;
  std::array<uint64_t, 8> words_ = {};
  size_t used_ = 8;
};

}  // namespace tipstaff::engine
