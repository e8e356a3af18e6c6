#include "mediator/schema/evaluate.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/schema/describe.h"
#include "mediator/schema/operands.h"

namespace tipstaff::schema::internal {
namespace {

// A value on the way down, and how far its children are done.
struct Frame {
  const Node* node;
  json::Value value;
  absl::string_view key;  // of the value in its parent, an object
  size_t index = 0;       // of the value in its parent, an array
  bool in_array = false;

  json::Children<json::Value>::Iterator item, items_end;
  json::Children<json::Member>::Iterator member, members_end;
  size_t next = 0;
  std::vector<json::Member> sorted;  // in a tally: the members by name
};

// Depth first, with a stack of its own. Each part of the value is visited once at most, as one
// schema at most applies to it.
class Walk {
 public:
  Walk(const Code& code, absl::Span<const json::Value> bindings, bool tally)
      : code_(code), bindings_(bindings), tallies_(tally) {
    if (tally) failed_.resize(code.constraints.size());
  }

  bool Run(json::Value value) {
    Enter(0, value, {}, 0, false);
    while (!stack_.empty() && (passed_ || tallies_)) {
      if (!Step()) stack_.pop_back();
    }
    return passed_;
  }

  Tally TakeTally() && { return std::move(tally_); }

 private:
  void Enter(uint32_t node, json::Value value, absl::string_view key, size_t index, bool in_array) {
    const Node& entered = code_.nodes[node];
    stack_.push_back({.node = &entered,
                      .value = value,
                      .key = key,
                      .index = index,
                      .in_array = in_array,
                      .item = value.items().begin(),
                      .items_end = value.items().end(),
                      .member = value.members().begin(),
                      .members_end = value.members().end()});
    if (tallies_ && value.is_object()) Sort(stack_.back());
    for (uint32_t i = entered.first; i < entered.last; ++i) {
      const Constraint& constraint = code_.constraints[i];
      if (Holds(code_, entered, constraint, value, bindings_)) continue;
      Fail(i, value,
           constraint.keyword == Keyword::kRequired
               ? absl::string_view(code_.names[constraint.index])
               : absl::string_view(),
           constraint.keyword == Keyword::kRequired);
      if (!tallies_) return;
    }
  }

  static void Sort(Frame& frame) {
    frame.sorted.reserve(frame.value.size());
    for (const json::Member& member : frame.value.members()) frame.sorted.push_back(member);
    std::sort(frame.sorted.begin(), frame.sorted.end(),
              [](const json::Member& a, const json::Member& b) { return a.key < b.key; });
  }

  // Goes on to the next child of the value on top; false when there is none.
  bool Step() {
    Frame& frame = stack_.back();
    const Node& node = *frame.node;
    if (frame.value.is_array()) {
      if (node.items == kNone || frame.item == frame.items_end) return false;
      const json::Value item = *frame.item;
      ++frame.item;
      Enter(node.items, item, {}, frame.next++, true);
      return true;
    }
    if (node.members == kNone && node.others == kNone && node.closed == kNone) return false;
    json::Member member;
    if (!NextMember(frame, member)) return false;
    EnterMember(node, member);
    return true;
  }

  bool NextMember(Frame& frame, json::Member& member) {
    if (tallies_) {
      if (frame.next == frame.sorted.size()) return false;
      member = frame.sorted[frame.next++];
      return true;
    }
    if (frame.member == frame.members_end) return false;
    member = *frame.member;
    ++frame.member;
    return true;
  }

  void EnterMember(const Node& node, const json::Member& member) {
    if (node.members != kNone) {
      const auto& members = code_.members[node.members];
      if (const auto found = members.find(member.key); found != members.end()) {
        return Enter(found->second, member.value, member.key, 0, false);
      }
    }
    if (node.others != kNone) return Enter(node.others, member.value, member.key, 0, false);
    if (node.closed != kNone) Fail(node.closed, member.value, member.key, true);
  }

  // `member` is a further step from the value on top of the stack.
  void Fail(uint32_t index, json::Value value, absl::string_view member, bool has_member) {
    passed_ = false;
    if (!tallies_ || failed_[index]) return;
    failed_[index] = true;
    const Constraint& constraint = code_.constraints[index];
    ++tally_.constraints;
    if (constraint.scope) ++tally_.scope_constraints;
    // The first, unless it is of scope and this one is not.
    if (tally_.first.has_value() && (!tally_.first->scope || constraint.scope)) return;
    Failure& failure = tally_.first.emplace();
    failure.pointer = Pointer();
    if (has_member) absl::StrAppend(&failure.pointer, "/", PointerToken(member));
    failure.keyword = KeywordOf(code_, constraint);
    failure.expected = Expected(code_, constraint, bindings_);
    failure.found = Found(code_, *stack_.back().node, constraint, value);
    failure.origin = constraint.origin;
    failure.scope = constraint.scope;
  }

  std::string Pointer() const {
    std::string pointer;
    for (size_t i = 1; i < stack_.size(); ++i) {
      if (stack_[i].in_array) {
        absl::StrAppend(&pointer, "/", stack_[i].index);
      } else {
        absl::StrAppend(&pointer, "/", PointerToken(stack_[i].key));
      }
    }
    return pointer;
  }

  const Code& code_;
  const absl::Span<const json::Value> bindings_;
  const bool tallies_;
  bool passed_ = true;
  absl::InlinedVector<Frame, 6> stack_;
  std::vector<bool> failed_;  // by constraint
  Tally tally_;
};

}  // namespace

bool Passes(const Code& code, json::Value value, absl::Span<const json::Value> bindings) {
  return Walk(code, bindings, /*tally=*/false).Run(value);
}

Tally TallyOf(const Code& code, json::Value value, absl::Span<const json::Value> bindings) {
  Walk walk(code, bindings, /*tally=*/true);
  walk.Run(value);
  return std::move(walk).TakeTally();
}

}  // namespace tipstaff::schema::internal
