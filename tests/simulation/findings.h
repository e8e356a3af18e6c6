// What one schedule shows: whether a promise was broken, what it came to, and how it went.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace tipstaff::simulation {

class Findings {
 public:
  explicit Findings(bool keeps_trace) : keeps_trace_(keeps_trace) {}

  // The first promise that does not hold is what counts.
  void Expect(bool holds, absl::string_view promise) {
    if (!holds && violation_.empty()) violation_ = std::string(promise);
  }
  bool broken() const { return !violation_.empty(); }
  const std::string& violation() const { return violation_; }

  // Something that a schedule is of use for.
  void Saw(const std::string& what) { ++seen_[what]; }
  const std::map<std::string, int>& seen() const { return seen_; }

  // One line of what happened. `Text` is only asked for it where it is kept.
  template <typename Text>
  void Trace(Text text) {
    if (keeps_trace_) trace_.push_back(text());
  }
  const std::vector<std::string>& trace() const { return trace_; }

 private:
  const bool keeps_trace_;
  std::string violation_;
  std::map<std::string, int> seen_;
  std::vector<std::string> trace_;
};

}  // namespace tipstaff::simulation
