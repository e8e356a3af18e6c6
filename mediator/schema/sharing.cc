#include <algorithm>

#include "mediator/schema/analyze.h"

namespace tipstaff::schema::internal {
namespace {

// Nodes times forks that are looked at one by one; above it more answers are kept than need be.
constexpr size_t kMaxSearch = 20'000'000;

class Sharing {
 public:
  explicit Sharing(Code& code)
      : code_(code),
        edges_in_(code.nodes.size()),
        ways_(code.nodes.size()),
        stamp_(code.nodes.size()) {}

  void Run() {
    edges_in_[0] = 1;
    std::vector<uint32_t> forks;
    for (uint32_t node = 0; node < code_.nodes.size(); ++node) {
      const auto count = [&](uint32_t target) { ++edges_in_[target]; };
      ForEachBranch(code_, node, [&](const Applicator&, uint32_t b) { count(code_.branches[b]); });
      ForEachPart(code_, node, [&](int, uint32_t target) { count(target); });
      if (code_.nodes[node].extra != kNone) forks.push_back(node);
    }
    if (std::all_of(edges_in_.begin(), edges_in_.end(), [](uint32_t n) { return n < 2; })) return;
    const bool all = forks.size() * code_.nodes.size() > kMaxSearch;
    std::vector<bool> shared(code_.nodes.size(), all && !forks.empty());
    for (size_t i = 0; i < forks.size() && !all; ++i) Search(forks[i], shared);
    for (uint32_t node = 0; node < code_.nodes.size(); ++node) {
      if (shared[node] && edges_in_[node] > 1) ExtraOf(code_, node).shared = true;
    }
  }

 private:
  // Marks what two of the ways out of `fork` lead to.
  void Search(uint32_t fork, std::vector<bool>& shared) {
    std::vector<std::pair<int, uint32_t>> out;
    ForEachPart(code_, fork, [&](int group, uint32_t target) { out.push_back({group, target}); });
    int next = -1;  // each branch is a group of its own
    ForEachBranch(code_, fork, [&](const Applicator&, uint32_t b) {
      out.push_back({next--, code_.branches[b]});
    });
    std::sort(out.begin(), out.end());
    std::fill(ways_.begin(), ways_.end(), 0);
    for (size_t i = 0; i < out.size(); ++i) {
      if (i == 0 || out[i].first != out[i - 1].first) ++current_;
      Walk(out[i].second, shared);
    }
  }

  // Each node is walked through for two ways at most: what follows it is then marked too.
  void Walk(uint32_t start, std::vector<bool>& shared) {
    std::vector<uint32_t> open = {start};
    while (!open.empty()) {
      const uint32_t node = open.back();
      open.pop_back();
      if (stamp_[node] == current_ || ways_[node] == 2) continue;
      stamp_[node] = current_;
      if (++ways_[node] == 2) shared[node] = true;
      ForEachBranch(code_, node,
                    [&](const Applicator&, uint32_t b) { open.push_back(code_.branches[b]); });
      ForEachPart(code_, node, [&](int, uint32_t target) { open.push_back(target); });
    }
  }

  Code& code_;
  std::vector<uint32_t> edges_in_;
  std::vector<uint8_t> ways_;    // of the fork that is looked at
  std::vector<uint64_t> stamp_;  // the last way that came by
  uint64_t current_ = 0;
};

}  // namespace

void FindShared(Code& code) { Sharing(code).Run(); }

}  // namespace tipstaff::schema::internal
