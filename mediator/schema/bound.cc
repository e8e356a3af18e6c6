// Program::BindsToScope(): what a program asks of every value, read off what is evaluated.
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "mediator/schema/code.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace internal {
namespace {

// How deep parts may go. What needs more is not bound.
constexpr int kMaxDepth = 64;

class Binder {
 public:
  explicit Binder(const Code& code) : code_(code) {}

  bool IsBound(uint32_t node, int depth) {
    const auto [known, fresh] = known_.try_emplace(node, false);
    // A node that leads to itself binds nothing by that.
    if (!fresh || depth == 0) return known->second;
    const std::vector<const Node*> all = Together(node);
    const bool bound = HasScope(all) || HasBoundItems(all, depth) || HasBoundMember(all, depth);
    known_[node] = bound;
    return bound;
  }

 private:
  // The node, and what applies to the same value whatever it is: `allOf` and `$ref`.
  std::vector<const Node*> Together(uint32_t node) const {
    std::vector<uint32_t> numbers = {node};
    std::vector<bool> seen(code_.nodes.size());
    seen[node] = true;
    std::vector<const Node*> all;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const Node& next = code_.nodes[numbers[i]];
      all.push_back(&next);
      if (next.extra == kNone) continue;
      const Extra& extra = code_.extras[next.extra];
      for (uint32_t a = extra.first; a < extra.last; ++a) {
        const Applicator& applicator = code_.applicators[a];
        if (applicator.kind != Applicator::Kind::kAll) continue;
        for (uint32_t b = applicator.first; b < applicator.last; ++b) {
          const uint32_t branch = code_.branches[b];
          if (branch == kNone || seen[branch]) continue;
          seen[branch] = true;
          numbers.push_back(branch);
        }
      }
    }
    return all;
  }

  template <typename Holds>
  bool AnyConstraint(const std::vector<const Node*>& all, Holds holds) const {
    for (const Node* node : all) {
      for (uint32_t i = node->first; i < node->last; ++i) {
        if (holds(code_.constraints[i])) return true;
      }
    }
    return false;
  }

  bool HasScope(const std::vector<const Node*>& all) const {
    return AnyConstraint(all, [](const Constraint& c) {
      return c.scope && (c.keyword == Keyword::kEquals || c.keyword == Keyword::kIn);
    });
  }

  bool IsOnly(const std::vector<const Node*>& all, Types type) const {
    return AnyConstraint(
        all, [&](const Constraint& c) { return c.keyword == Keyword::kType && c.types == type; });
  }

  // No value passes it.
  bool IsFalse(uint32_t node) const { return IsOnly({&code_.nodes[node]}, 0); }

  bool HasBoundItems(const std::vector<const Node*>& all, int depth) {
    const bool some = AnyConstraint(
        all, [](const Constraint& c) { return c.keyword == Keyword::kMinItems && c.count > 0; });
    if (!some || !IsOnly(all, kArrayType)) return false;
    for (const Node* node : all) {
      if (node->items == kNone) continue;
      bool bound = IsFalse(node->items) || IsBound(node->items, depth - 1);
      if (node->extra != kNone) {
        for (const uint32_t item : code_.extras[node->extra].prefix) {
          bound = bound && IsBound(item, depth - 1);
        }
      }
      if (bound) return true;
    }
    return false;
  }

  bool HasBoundMember(const std::vector<const Node*>& all, int depth) {
    if (!IsOnly(all, kObjectType)) return false;
    return AnyConstraint(all, [&](const Constraint& c) {
      if (c.keyword != Keyword::kRequired) return false;
      for (const Node* node : all) {
        if (node->members == kNone) continue;
        const uint32_t member = code_.members[node->members].Find(code_.names[c.index]);
        if (member != kNone && IsBound(member, depth - 1)) return true;
      }
      return false;
    });
  }

  const Code& code_;
  absl::flat_hash_map<uint32_t, bool> known_;
};

}  // namespace
}  // namespace internal

bool Program::BindsToScope() const {
  return internal::Binder(*code_).IsBound(0, internal::kMaxDepth);
}

}  // namespace tipstaff::schema
