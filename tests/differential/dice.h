// Where all that is random comes from: the same seed makes the same skills and calls.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace tipstaff::differential {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  // From 0 to n - 1; n is over 0.
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  bool Chance(unsigned percent) { return random_() % 100 < percent; }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[Below(from.size())];
  }
  std::string Pick(std::initializer_list<const char*> from) {
    return *(from.begin() + Below(from.size()));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tipstaff::differential
