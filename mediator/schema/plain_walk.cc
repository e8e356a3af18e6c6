#include "mediator/schema/plain_walk.h"

#include "mediator/schema/evaluate.h"

namespace tipstaff::schema::internal {

bool PlainWalk::Passes(const Node& node, json::Value value) {
  steps_ += 1 + (node.last - node.first) * WeightOf(value);
  if (!IsOfType(value, node.types)) return false;
  // Which members are there is seen on the way through them.
  const bool marked = node.required != 0;
  if (!HoldAll(node, value, node.first_untyped, marked ? node.first_required : node.last) ||
      (marked && !HoldAll(node, value, node.last_required, node.last))) {
    return false;
  }
  if (value.is_array()) return node.items == kNone || ItemsPass(node, value);
  if (!value.is_object()) return true;
  if (node.members == kNone && node.others == kNone && node.closed == kNone) return true;
  return MembersPass(node, value);
}

bool PlainWalk::HoldAll(const Node& node, json::Value value, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; ++i) {
    const Constraint& constraint = code_.constraints[i];
    if (!(ListsValues(constraint.keyword) ? lists_.Contain(constraint, value, steps_)
                                          : Holds(code_, node, constraint, value))) {
      return false;
    }
  }
  return true;
}

bool PlainWalk::ItemsPass(const Node& node, json::Value array) {
  if (steps_ > kMaxSteps) return false;
  const Node& items = code_.nodes[node.items];
  for (const json::Value item : array.items()) {
    if (!Passes(items, item)) return false;
  }
  return true;
}

bool PlainWalk::MembersPass(const Node& node, json::Value object) {
  if (steps_ > kMaxSteps) return false;
  uint64_t seen = 0;
  uint32_t next = 0;  // members often come in the schema's order
  const Members* members = node.members == kNone ? nullptr : &code_.members[node.members];
  for (const json::Member& member : object.members()) {
    uint32_t part = node.others;
    if (members != nullptr) {
      if (const uint32_t place = members->FindPlace(member.key, next); place != kNone) {
        part = members->list()[place].second;
        if (place < kMarkedMembers) seen |= uint64_t{1} << place;
        next = place + 1;
      }
    }
    if (part == kNone) {
      if (node.closed != kNone) return false;
    } else if (!Passes(code_.nodes[part], member.value)) {
      return false;
    }
  }
  return (seen & node.required) == node.required;
}

}  // namespace tipstaff::schema::internal
