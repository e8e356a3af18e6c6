// What can be known of Code before any value is there.
#pragma once

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "mediator/schema/code.h"

namespace tipstaff::schema::internal {

// A keyword of a node that a keyword which is not checked makes meaningless: `not` of a schema of
// which a part was left out would refuse too much.
struct Dropped {
  uint32_t node;
  Keyword keyword;
};

struct Analysis {
  std::vector<Dropped> dropped;
  // Nodes of which each applies the one before it, and the first the last, to the same value.
  std::vector<uint32_t> circle;
};

// Sets Extra::tracks and Extra::shared, and takes out what is dropped. `unchecked`: the nodes that
// have a keyword which is not checked.
Analysis Analyze(Code& code, const absl::flat_hash_set<uint32_t>& unchecked, bool skill);

// Sets Extra::shared: of nodes that two ways through a schema may lead to for one value. Each
// answer is then found once, so that the work is bounded by nodes times values.
void FindShared(Code& code);

// Sets Node::plain; then, of plain nodes, Node::required and what belongs to it.
void MarkPlain(Code& code);
void MarkRequired(Code& code);

// Calls `visit(branch)` for each branch of `node` that is there.
template <typename Visit>
void ForEachBranch(const Code& code, uint32_t node, Visit visit) {
  if (code.nodes[node].extra == kNone) return;
  const Extra& extra = code.extras[code.nodes[node].extra];
  for (uint32_t i = extra.first; i < extra.last; ++i) {
    const Applicator& applicator = code.applicators[i];
    for (uint32_t b = applicator.first; b < applicator.last; ++b) {
      if (code.branches[b] != kNone) visit(applicator, b);
    }
  }
}

// Calls `visit(group, target)` for each node that `node` leads to for parts of its value. Those of
// a group apply to different parts.
template <typename Visit>
void ForEachPart(const Code& code, uint32_t node, Visit visit) {
  constexpr int kMembers = 0, kItems = 1, kNames = 2, kContains = 3, kUnevaluated = 4, kPattern = 5;
  const Node& from = code.nodes[node];
  const auto part = [&](int group, uint32_t target) {
    if (target != kNone) visit(group, target);
  };
  if (from.members != kNone) {
    for (const auto& [name, target] : code.members[from.members].list()) part(kMembers, target);
  }
  part(kMembers, from.others);
  part(kItems, from.items);
  if (from.extra == kNone) return;
  const Extra& extra = code.extras[from.extra];
  for (const uint32_t target : extra.prefix) part(kItems, target);
  part(kNames, extra.names);
  part(kContains, extra.contains);
  part(kUnevaluated, extra.unevaluated_items);
  part(kUnevaluated, extra.unevaluated_members);
  int group = kPattern;
  for (const PatternMembers& pattern : extra.patterns) part(group++, pattern.node);
}

}  // namespace tipstaff::schema::internal
