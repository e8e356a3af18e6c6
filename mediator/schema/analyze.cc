#include "mediator/schema/analyze.h"

#include <algorithm>

namespace tipstaff::schema::internal {
namespace {

// The nodes of a way back to where it began, in place; empty when there is none.
std::vector<uint32_t> FindCircle(const Code& code) {
  enum class Colour : uint8_t { kNew, kOpen, kDone };
  struct Step {
    uint32_t node;
    std::vector<uint32_t> targets;  // still to be followed
  };
  std::vector<Colour> colours(code.nodes.size(), Colour::kNew);
  std::vector<Step> way;
  const auto open = [&](uint32_t node) {
    colours[node] = Colour::kOpen;
    Step& step = way.emplace_back(Step{node, {}});
    ForEachBranch(code, node,
                  [&](const Applicator&, uint32_t b) { step.targets.push_back(code.branches[b]); });
  };
  for (uint32_t start = 0; start < code.nodes.size(); ++start) {
    if (colours[start] == Colour::kNew) open(start);
    while (!way.empty()) {
      Step& step = way.back();
      if (step.targets.empty()) {
        colours[step.node] = Colour::kDone;
        way.pop_back();
        continue;
      }
      const uint32_t target = step.targets.back();
      step.targets.pop_back();
      if (colours[target] == Colour::kNew) {
        open(target);
      } else if (colours[target] == Colour::kOpen) {
        std::vector<uint32_t> circle;
        for (size_t i = way.size(); i-- > 0;) {
          circle.push_back(way[i].node);
          if (way[i].node == target) return circle;
        }
      }
    }
  }
  return {};
}

// `nodes` and all that lead to them; in place only, or by parts too.
std::vector<bool> LeadTo(const Code& code, const absl::flat_hash_set<uint32_t>& nodes,
                         bool by_parts) {
  std::vector<std::vector<uint32_t>> from(code.nodes.size());
  for (uint32_t node = 0; node < code.nodes.size(); ++node) {
    ForEachBranch(code, node,
                  [&](const Applicator&, uint32_t b) { from[code.branches[b]].push_back(node); });
    if (!by_parts) continue;
    ForEachPart(code, node, [&](int, uint32_t target) { from[target].push_back(node); });
  }
  std::vector<bool> reached(code.nodes.size());
  std::vector<uint32_t> open(nodes.begin(), nodes.end());
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    if (reached[node]) continue;
    reached[node] = true;
    open.insert(open.end(), from[node].begin(), from[node].end());
  }
  return reached;
}

class Dropping {
 public:
  Dropping(Code& code, const absl::flat_hash_set<uint32_t>& unchecked)
      : code_(code),
        unclear_(LeadTo(code, unchecked, true)),
        unclear_here_(LeadTo(code, unchecked, false)) {}

  std::vector<Dropped> Run() && {
    for (uint32_t node = 0; node < code_.nodes.size(); ++node) {
      if (code_.nodes[node].extra != kNone && unclear_[node]) DropOf(node);
    }
    return std::move(dropped_);
  }

 private:
  void DropOf(uint32_t node) {
    Extra& extra = code_.extras[code_.nodes[node].extra];
    for (uint32_t i = extra.first; i < extra.last; ++i) DropApplicator(node, code_.applicators[i]);
    if (extra.most_constraint != kNone && unclear_[extra.contains]) {
      extra.most = ~uint64_t{0};
      extra.most_constraint = kNone;
      dropped_.push_back({node, Keyword::kMaxContains});
    }
    if (!unclear_here_[node]) return;
    Drop(node, Keyword::kUnevaluatedItems, extra.unevaluated_items, extra.no_unevaluated_items);
    Drop(node, Keyword::kUnevaluatedProperties, extra.unevaluated_members,
         extra.no_unevaluated_members);
  }

  void Drop(uint32_t node, Keyword keyword, uint32_t& part, uint32_t& constraint) {
    if (part == kNone && constraint == kNone) return;
    part = constraint = kNone;
    dropped_.push_back({node, keyword});
  }

  void DropApplicator(uint32_t node, Applicator& applicator) {
    const auto unclear = [&](uint32_t branch) { return unclear_[code_.branches[branch]]; };
    switch (applicator.kind) {
      case Applicator::Kind::kNot:
      case Applicator::Kind::kIf:
        if (!unclear(applicator.first)) return;
        dropped_.push_back(
            {node, applicator.kind == Applicator::Kind::kNot ? Keyword::kNot : Keyword::kIf});
        applicator.kind = Applicator::Kind::kAll;
        applicator.last = applicator.first;
        return;
      case Applicator::Kind::kOne:
        for (uint32_t b = applicator.first; b < applicator.last; ++b) {
          if (!unclear(b)) continue;
          dropped_.push_back({node, Keyword::kOneOf});
          applicator.kind = Applicator::Kind::kAny;
          return;
        }
        return;
      default:
        return;
    }
  }

  Code& code_;
  // Of nodes that pass more than they should: themselves or through a part; and in place only.
  const std::vector<bool> unclear_, unclear_here_;
  std::vector<Dropped> dropped_;
};

void FindTracking(Code& code, bool skill) {
  std::vector<uint32_t> open;
  for (uint32_t node = 0; node < code.nodes.size(); ++node) {
    const Node& at = code.nodes[node];
    if (at.extra == kNone) continue;
    const Extra& extra = code.extras[at.extra];
    if (extra.unevaluated_items != kNone || extra.unevaluated_members != kNone ||
        extra.no_unevaluated_items != kNone || extra.no_unevaluated_members != kNone ||
        (skill && at.text != kNone)) {
      open.push_back(node);
    }
  }
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    Extra& extra = ExtraOf(code, node);
    if (extra.tracks) continue;
    extra.tracks = true;
    ForEachBranch(code, node, [&](const Applicator& applicator, uint32_t b) {
      if (applicator.kind != Applicator::Kind::kNot) open.push_back(code.branches[b]);
    });
  }
}

}  // namespace

Analysis Analyze(Code& code, const absl::flat_hash_set<uint32_t>& unchecked, bool skill) {
  Analysis analysis;
  analysis.circle = FindCircle(code);
  if (!analysis.circle.empty()) return analysis;
  if (!unchecked.empty()) analysis.dropped = Dropping(code, unchecked).Run();
  FindShared(code);
  FindTracking(code, skill);
  return analysis;
}

void MarkPlain(Code& code) {
  absl::flat_hash_set<uint32_t> with_extra;
  for (uint32_t node = 0; node < code.nodes.size(); ++node) {
    if (code.nodes[node].extra != kNone) with_extra.insert(node);
  }
  const std::vector<bool> leads = LeadTo(code, with_extra, /*by_parts=*/true);
  for (uint32_t node = 0; node < code.nodes.size(); ++node) {
    Node& at = code.nodes[node];
    at.plain = !leads[node] && !with_extra.contains(node);
    at.first_untyped = at.first;
    if (at.first == at.last || code.constraints[at.first].keyword != Keyword::kType) continue;
    at.types = code.constraints[at.first].types;
    at.first_untyped = at.first + 1;
  }
}

void MarkRequired(Code& code) {
  for (Node& node : code.nodes) {
    if (!node.plain || node.members == kNone) continue;
    uint64_t required = 0;
    uint32_t first = node.last, last = node.last;
    bool listed = true;
    for (uint32_t i = node.first; i < node.last; ++i) {
      if (code.constraints[i].keyword != Keyword::kRequired) continue;
      first = std::min(first, i);
      last = i + 1;
      const uint32_t place =
          code.members[node.members].FindPlace(code.names[code.constraints[i].index]);
      listed = listed && place < kMarkedMembers;
      if (listed) required |= uint64_t{1} << place;
    }
    if (!listed || required == 0) continue;
    node.required = required;
    node.first_required = first;
    node.last_required = last;
  }
}

}  // namespace tipstaff::schema::internal
