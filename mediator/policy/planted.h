// Planted texts as sequences of letters, found in one pass over a text, forward and backwards.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {

// An automaton of all texts at once (Aho and Corasick, 1975): a text's characters are looked at
// once, however many are planted. Thread-compatible.
class Planted {
 public:
  struct Found {
    int text = -1;  // its number, in the order in which they were added
    bool backwards = false;
    explicit operator bool() const { return text >= 0; }
  };

  // Neither is empty.
  void Add(absl::Span<const uint32_t> letters);
  size_t size() const { return static_cast<size_t>(texts_); }

  // Whether the character has a letter that a planted text begins with. May say so of others.
  bool MayBegin(uint32_t c) const { return c >= kPlane || (begins_[c / 64] >> (c % 64) & 1) != 0; }

  // The way through a text; what stands between letters does not count.
  class Search {
   public:
    explicit Search(const Planted& planted) : planted_(&planted) {}
    // Whether a planted text ends with the character `c`.
    Found Take(uint32_t c) {
      if (node_ == 0 && !planted_->MayBegin(c)) return {};
      for (const uint32_t letter : letters_->Of(c)) {
        node_ = planted_->After(node_, letter);
        if (planted_->nodes_[node_].found) return planted_->nodes_[node_].found;
      }
      return {};
    }
    void Forget() { node_ = 0; }
    // Whether the text ends with a beginning of a planted one.
    bool has_begun() const { return node_ != 0; }
    int node() const { return node_; }  // all that a search knows of what came before

   private:
    const Planted* planted_;
    const Letters* letters_ = &Letters::Get();
    int node_ = 0;
  };

 private:
  struct Node {
    uint32_t letter = 0;
    int first_child = -1;
    int next_sibling = -1;
    int shorter = 0;  // the longest other beginning that this one ends with
    Found found;
  };

  static constexpr uint32_t kPlane = 0x10000;

  int Child(int node, uint32_t letter) const {
    int child = nodes_[node].first_child;
    while (child >= 0 && nodes_[child].letter != letter) child = nodes_[child].next_sibling;
    return child;
  }
  int After(int node, uint32_t letter) const {
    int next;
    while ((next = Child(node, letter)) < 0 && node != 0) node = nodes_[node].shorter;
    return next < 0 ? 0 : next;
  }
  void AddPath(absl::Span<const uint32_t> letters, Found found);
  void Link();
  void NoteBeginning(uint32_t letter);

  std::vector<Node> nodes_ = std::vector<Node>(1);
  // Of each character of the first plane: whether a letter that it is made of begins a text, which
  // nearly none of a long text do.
  std::array<uint64_t, kPlane / 64> begins_{};
  int texts_ = 0;
};

}  // namespace tipstaff::policy::internal
