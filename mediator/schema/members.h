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
    if (list_.size() == kFew + 1) index_.insert(list_.begin(), list_.end());
    if (list_.size() > kFew + 1) index_.insert(list_.back());
  }

  // kNone when there is no such name.
  uint32_t Find(absl::string_view name) const {
    if (list_.size() > kFew) {
      const auto found = index_.find(name);
      return found == index_.end() ? kNone : found->second;
    }
    for (const auto& [known, node] : list_) {
      if (known.size() == name.size() && name == absl::string_view(known)) return node;
    }
    return kNone;
  }

  const std::vector<std::pair<std::string, uint32_t>>& list() const { return list_; }

 private:
  // Comparing with so many is faster than hashing.
  static constexpr size_t kFew = 12;

  std::vector<std::pair<std::string, uint32_t>> list_;
  absl::flat_hash_map<std::string, uint32_t> index_;  // of all, when there are more than a few
};

}  // namespace tipstaff::schema::internal
