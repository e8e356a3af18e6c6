// Which node belongs to which member's name.
#pragma once

#include <cstdint>
#include <cstring>
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
  // Its place in list(). Found soonest when it is `from`.
  uint32_t FindPlace(absl::string_view name, uint32_t from = 0) const {
    if (list_.size() > kFew) {
      const auto found = index_.find(name);
      return found == index_.end() ? kNone : found->second;
    }
    for (uint32_t place = from; place < list_.size(); ++place) {
      if (IsNamed(place, name)) return place;
    }
    for (uint32_t place = 0; place < from && place < list_.size(); ++place) {
      if (IsNamed(place, name)) return place;
    }
    return kNone;
  }

  const std::vector<std::pair<std::string, uint32_t>>& list() const { return list_; }

 private:
  bool IsNamed(uint32_t place, absl::string_view name) const {
    const std::string& listed = list_[place].first;
    return listed.size() == name.size() && AreSame(listed.data(), name.data(), name.size());
  }
  // std::memcmp() for names, which are mostly too short for a call.
  static bool AreSame(const char* a, const char* b, size_t size) {
    if (size > 16) return std::memcmp(a, b, size) == 0;
    if (size >= 8) {
      return Load<uint64_t>(a) == Load<uint64_t>(b) &&
             Load<uint64_t>(a + size - 8) == Load<uint64_t>(b + size - 8);
    }
    if (size >= 4) {
      return Load<uint32_t>(a) == Load<uint32_t>(b) &&
             Load<uint32_t>(a + size - 4) == Load<uint32_t>(b + size - 4);
    }
    for (size_t i = 0; i < size; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  template <typename Word>
  static Word Load(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof(word));
    return word;
  }

  // Comparing with so many is faster than hashing.
  static constexpr size_t kFew = 12;

  std::vector<std::pair<std::string, uint32_t>> list_;
  absl::flat_hash_map<std::string, uint32_t> index_;  // places of all, when there are many
};

}  // namespace tipstaff::schema::internal
