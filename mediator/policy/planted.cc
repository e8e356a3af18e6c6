#include "mediator/policy/planted.h"

#include <algorithm>

namespace tipstaff::policy::internal {

void Planted::Add(absl::Span<const uint32_t> letters) {
  AddPath(letters, {texts_, false});
  AddPath(std::vector<uint32_t>(letters.rbegin(), letters.rend()), {texts_, true});
  ++texts_;
  Link();
}

void Planted::AddPath(absl::Span<const uint32_t> letters, Found found) {
  NoteBeginning(letters.front());
  int node = 0;
  for (const uint32_t letter : letters) {
    int child = Child(node, letter);
    if (child < 0) {
      child = static_cast<int>(nodes_.size());
      nodes_.push_back({.letter = letter, .next_sibling = nodes_[node].first_child});
      nodes_[node].first_child = child;
    }
    node = child;
  }
  // Of two that have the same letters the first is named.
  if (!nodes_[node].found) nodes_[node].found = found;
}

void Planted::NoteBeginning(uint32_t letter) {
  const Letters& letters = Letters::Get();
  for (uint32_t c = 0; c < kPlane; ++c) {
    const absl::Span<const uint32_t> of = letters.Of(c);
    if (std::find(of.begin(), of.end(), letter) != of.end()) {
      begins_[c / 64] |= uint64_t{1} << (c % 64);
    }
  }
}

// Goes through the nodes by depth: what a node ends with is shorter than itself.
void Planted::Link() {
  std::vector<int> level = {0};
  while (!level.empty()) {
    std::vector<int> next;
    for (const int node : level) {
      for (int child = nodes_[node].first_child; child >= 0; child = nodes_[child].next_sibling) {
        Node& at = nodes_[child];
        at.shorter = node == 0 ? 0 : After(nodes_[node].shorter, at.letter);
        if (!at.found) at.found = nodes_[at.shorter].found;
        next.push_back(child);
      }
    }
    level = std::move(next);
  }
}

}  // namespace tipstaff::policy::internal
