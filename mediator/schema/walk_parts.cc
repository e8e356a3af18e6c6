// The Walk's members and items of a value whose node has an Extra.
#include "mediator/json/builder.h"
#include "mediator/schema/evaluate.h"
#include "mediator/schema/walk.h"

namespace tipstaff::schema::internal {

bool Walk::StepParts(Rest& rest, const Extra& extra) {
  const Frame& frame = stack_.back();
  if (frame.value.is_array()) return StepItem(rest, extra);
  if (!HasParts(*frame.node, frame.value) && extra.patterns.empty()) return false;
  return StepMember(rest, extra);
}

bool Walk::StepMember(Rest& rest, const Extra& extra) {
  Frame& frame = stack_.back();
  if (!rest.targets.empty()) {
    const uint32_t node = rest.targets.back();
    rest.targets.pop_back();
    Visit(node, rest.member.value, ToMember(rest.member.key), Role::kPart, frame.conditional);
    return true;
  }
  if (!NextMember(frame, rest.member)) return false;
  FindTargets(rest, extra);
  return true;
}

void Walk::FindTargets(Rest& rest, const Extra& extra) {
  const Node& node = *stack_.back().node;
  const absl::string_view key = rest.member.key;
  for (const PatternMembers& pattern : extra.patterns) {
    if (IsMatch(code_, pattern.pattern, key)) rest.targets.push_back(pattern.node);
  }
  Spend(extra.patterns.size() * (1 + (key.size() >> 8)));
  if (node.members != kNone) {
    const uint32_t found = code_.members[node.members].Find(key);
    if (found != kNone) {
      rest.targets.push_back(found);
      if (extra.tracks && FirstRefused(key, TextMode::kLine)) {
        rest.evaluated.AddListed(rest.member.value);
      }
    }
  }
  if (rest.targets.empty()) {
    if (node.others != kNone) {
      rest.targets.push_back(node.others);
    } else if (node.closed != kNone) {
      FailTop(node.closed, rest.member.value, ToMember(key));
    }
  }
  if (extra.tracks && !rest.targets.empty()) rest.evaluated.Add(rest.member.value);
}

bool Walk::StepItem(Rest& rest, const Extra& extra) {
  Frame& frame = stack_.back();
  if (frame.item == frame.items_end) return false;
  const uint32_t index = frame.next;
  const uint32_t node = index < extra.prefix.size() ? extra.prefix[index] : frame.node->items;
  if (node == kNone) return false;
  const json::Value item = *frame.item;
  ++frame.item;
  ++frame.next;
  if (extra.tracks) rest.evaluated.Add(item);
  Visit(node, item, ToItem(index), Role::kPart, frame.conditional);
  return true;
}

bool Walk::StepContains(Rest& rest, const Extra& extra) {
  Frame& frame = stack_.back();
  if (extra.contains == kNone || !frame.value.is_array()) return false;
  const bool enough = !extra.tracks && rest.passes >= extra.least &&
                      (extra.most_constraint == kNone || rest.passes > extra.most);
  if (frame.item != frame.items_end && !enough) {
    rest.member.value = *frame.item;
    ++frame.item;
    Branch(extra.contains, rest.member.value, ToItem(frame.next++), Role::kPartBranch);
    return true;
  }
  if (rest.passes < extra.least) {
    FailTop(extra.least_constraint, frame.value, {}, rest.passes);
  } else if (extra.most_constraint != kNone && rest.passes > extra.most) {
    FailTop(extra.most_constraint, frame.value, {}, rest.passes);
  }
  return false;
}

bool Walk::StepNames(Rest& rest, const Extra& extra) {
  Frame& frame = stack_.back();
  if (extra.names == kNone || !frame.value.is_object()) return false;
  if (rest.names_document == 0) {
    rest.names_document = ++names_documents_;
    json::Builder names;
    names.StartArray();
    for (json::Member member; NextMember(frame, member);) names.String(member.key);
    names.EndArray();
    absl::StatusOr<json::Document> document = std::move(names).Build();
    if (!document.ok()) {
      frame.failed = true;  // cannot be: keys of a document are strings of one
      return false;
    }
    rest.names = *std::move(document);
    if (tallies_) kept_names_.push_back(rest.names);
    frame.item = rest.names.root().items().begin();
    Spend(frame.value.size());
  }
  if (frame.item == frame.items_end) return false;
  const json::Value name = *frame.item;
  ++frame.item;
  Step step = ToMember(name.string());
  step.document = rest.names_document;
  Visit(extra.names, name, step, Role::kPart, frame.conditional);
  return true;
}

bool Walk::StepUnevaluated(Rest& rest, const Extra& extra) {
  Frame& frame = stack_.back();
  if (frame.value.is_object()) {
    if (extra.unevaluated_members == kNone && extra.no_unevaluated_members == kNone) return false;
    json::Member member;
    if (!NextMember(frame, member)) return false;
    if (rest.evaluated.Has(member.value)) return true;
    rest.late.Add(member.value);
    JudgeUnevaluated(extra.unevaluated_members, extra.no_unevaluated_members, member.value,
                     ToMember(member.key));
    return true;
  }
  if (extra.unevaluated_items == kNone && extra.no_unevaluated_items == kNone) return false;
  if (!frame.value.is_array() || frame.item == frame.items_end) return false;
  const json::Value item = *frame.item;
  ++frame.item;
  const uint32_t index = frame.next++;
  if (rest.evaluated.Has(item)) return true;
  rest.late.Add(item);
  JudgeUnevaluated(extra.unevaluated_items, extra.no_unevaluated_items, item, ToItem(index));
  return true;
}

void Walk::JudgeUnevaluated(uint32_t part, uint32_t constraint, json::Value value, Step step) {
  if (constraint != kNone) return FailTop(constraint, value, step);
  Visit(part, value, step, Role::kPart, stack_.back().conditional);
}

// In skills. What no schema was applied to is this one's to judge; of a string, what none that
// passed speaks about.
void Walk::CheckText(Rest& rest) {
  rest.evaluated.Add(rest.late);
  rest.evaluated.Sort();
  const Frame& frame = stack_.back();
  if (frame.node->text == kNone) return;
  const Constraint& constraint = code_.constraints[frame.node->text];
  if (constraint.implied && rest.evaluated.text()) return;
  if (!constraint.implied) rest.evaluated.set_text();
  const json::Value value = frame.value;
  std::optional<char32_t> refused;
  if (value.is_string()) refused = FirstRefused(value.string(), constraint.text);
  const auto look = [&](json::Value child) {
    if (!refused.has_value() && !rest.evaluated.Has(child)) {
      refused = RefusedWithin(child, constraint.text);
    }
  };
  for (json::Value item : value.items()) look(item);
  const uint32_t listed = frame.node->members;
  for (const json::Member& member : value.members()) {
    if (refused.has_value()) break;
    if ((listed == kNone || code_.members[listed].Find(member.key) == kNone) &&
        !rest.evaluated.IsListed(member.value)) {
      refused = FirstRefused(member.key, constraint.text);
    }
    look(member.value);
  }
  Spend(value.size());
  if (refused.has_value()) FailTop(frame.node->text, value, {}, static_cast<uint64_t>(*refused));
}

}  // namespace tipstaff::schema::internal
