// Which node belongs to which member's name.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace tipstaff::schema::internal {

inline constexpr uint32_t kNone = ~uint32_t{0};

class Members {
 public:
  // Each name once.
  void Add(absl::string_view name, uint32_t node) {
    list_.emplace_back(std::string(name), node);
    if (list_.size() <= kFew) return;
    for (size_t place = index_.size(); place < list_.size(); ++place) {
      index_.emplace(list_[place].first, static_cast<uint32_t>(place));
    }
  }

  // kNone when there is no such name.
  uint32_t Find(absl::string_view name) const {
    const uint32_t place = FindPlace(name);
    return place == kNone ? kNone : list_[place].second;
  }
  // Its place in list().
  uint32_t FindPlace(absl::string_view name) const {
    if (list_.size() > kFew) {
      const auto found = index_.find(name);
      return found == index_.end() ? kNone : found->second;
    }
    for (uint32_t place = 0; place < list_.size(); ++place) {
      if (name == absl::string_view(list_[place].first)) return place;
    }
    return kNone;
  }

  const std::vector<std::pair<std::string, uint32_t>>& list() const { return list_; }

 private:
  // Comparing with so many is faster than hashing.
  static constexpr size_t kFew = 12;

  std::vector<std::pair<std::string, uint32_t>> list_;
  absl::flat_hash_map<std::string, uint32_t> index_;  // places of all, when there are many
};

}  // namespace tipstaff::schema::internal
