// How often each keyword held, and how often it refused: what a run of random calls has covered.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tipstaff::reference {

struct Count {
  uint64_t held = 0, refused = 0;
};

class Counters {
 public:
  void Add(const std::string& word, bool held) {
    Count& count = counts_[word];
    ++(held ? count.held : count.refused);
  }
  void Add(const Counters& other) {
    for (const auto& [word, count] : other.counts_) {
      counts_[word].held += count.held;
      counts_[word].refused += count.refused;
    }
  }
  const std::map<std::string, Count>& counts() const { return counts_; }

 private:
  std::map<std::string, Count> counts_;
};

}  // namespace tipstaff::reference
