#include "mediator/schema/evaluate.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/pointer.h"
#include "mediator/schema/operands.h"
#include "mediator/schema/walk.h"

namespace tipstaff::schema::internal {

bool Walk::Run(json::Value value) {
  Visit(0, value, {}, Role::kPart, /*conditional=*/false);
  while (!stack_.empty() && steps_ <= kMaxSteps && !has_enough()) {
    Frame& top = stack_.back();
    ++steps_;
    if (top.failed && !tallies_) {
      FinishTop();
    } else if (!(top.rest == kNone ? StepPlain() : StepExtra())) {
      FinishTop();
    }
  }
  return passed_ && steps_ <= kMaxSteps;
}

Tally Walk::TakeTally() && {
  Tally tally;
  const Collector& all = collectors_.front();
  tally.constraints = all.failed.size();
  tally.scope_constraints = all.scope_constraints;
  if (has_enough() && !ran_out()) return tally;
  if (all.first.has_value()) tally.first = Describe(code_, *all.first, bindings_);
  if (steps_ <= kMaxSteps) return tally;
  // Whatever else failed, this is not of scope.
  tally.constraints = std::max(tally.constraints, tally.scope_constraints + 1);
  tally.first =
      Failure{.keyword = "",
              .expected = absl::StrCat("a value that takes at most ", kMaxSteps, " steps to check"),
              .found = "one that takes too many steps",
              .origin = code_.origin};
  return tally;
}

void Walk::Visit(uint32_t node, json::Value value, const Step& step, Role role, bool conditional) {
  const Node& entered = code_.nodes[node];
  if (entered.extra != kNone && ExtraOf(entered).shared) {
    return VisitShared(node, value, step, role, conditional);
  }
  if (entered.plain && !tallies_) {
    return Deliver(role, PlainWalk(code_, lists_, steps_).Passes(entered, value));
  }
  const bool passed = CheckConstraints(entered, value, step, conditional);
  // What of too many parts does not pass is not worth the time.
  if ((!passed && (!tallies_ || too_many_)) ||
      (entered.extra == kNone && !HasParts(entered, value))) {
    return Deliver(role, passed);
  }
  Push(entered, value, step, role, conditional);
  stack_.back().failed = !passed;
}

bool Walk::CheckConstraints(const Node& node, json::Value value, const Step& step,
                            bool conditional) {
  steps_ += 1 + (node.last - node.first) * WeightOf(value);
  bool passed = true;
  too_many_ = false;
  for (uint32_t i = node.first; i < node.last; ++i) {
    const Constraint& constraint = code_.constraints[i];
    if (constraint.keyword == Keyword::kType) {  // which most are
      if (IsOfType(value, constraint.types)) continue;
    } else {
      // Not before it is known what else speaks of the text.
      if (i == node.text && node.extra != kNone) continue;
      if (ListsValues(constraint.keyword) ? lists_.Contain(constraint, value, steps_)
                                          : Holds(code_, node, constraint, value)) {
        continue;
      }
    }
    passed = false;
    if (!tallies_) return false;
    if (constraint.keyword == Keyword::kMaxItems || constraint.keyword == Keyword::kMaxProperties) {
      too_many_ = true;
    }
    const bool names = constraint.keyword == Keyword::kRequired ||
                       constraint.keyword == Keyword::kDependentRequired ||
                       constraint.keyword == Keyword::kDependencies;
    Fail(i, node, value, step, conditional, 0, names ? &code_.names[constraint.index] : nullptr);
  }
  return passed;
}

bool Walk::HasParts(const Node& node, json::Value value) {
  if (value.is_array()) return node.items != kNone;
  if (!value.is_object()) return false;
  return node.members != kNone || node.others != kNone || node.closed != kNone;
}

void Walk::Push(const Node& node, json::Value value, const Step& step, Role role,
                bool conditional) {
  const uint32_t below = stack_.empty() ? 0 : stack_.back().document;
  Frame& frame = stack_.emplace_back(node, value, step, role, conditional,
                                     step.document != 0 ? step.document : below);
  if (node.extra != kNone) StartRest(frame);
  if (tallies_ && value.is_object()) SortMembers(frame);
}

void Walk::SortMembers(Frame& frame) {
  frame.sorted = open_sorted_++;
  if (frame.sorted == sorted_.size()) sorted_.emplace_back();
  std::vector<json::Member>& sorted = sorted_[frame.sorted];
  sorted.clear();
  for (const json::Member& member : frame.value.members()) sorted.push_back(member);
  std::sort(sorted.begin(), sorted.end(),
            [](const json::Member& a, const json::Member& b) { return a.key < b.key; });
}

// Goes through children until one has parts of its own; false when there are none left.
bool Walk::StepPlain() {
  const size_t depth = stack_.size();
  while (stack_.size() == depth && (tallies_ || !stack_.back().failed)) {
    if (stack_.back().value.is_array() ? !StepPlainItem() : !StepPlainMember()) return false;
  }
  return true;
}

bool Walk::StepPlainItem() {
  Frame& frame = stack_.back();
  if (frame.item == frame.items_end) return false;
  const json::Value item = *frame.item;
  ++frame.item;
  Visit(frame.node->items, item, ToItem(frame.next++), Role::kPart, frame.conditional);
  return true;
}

bool Walk::StepPlainMember() {
  Frame& frame = stack_.back();
  const Node& node = *frame.node;
  json::Member member;
  if (!NextMember(frame, member)) return false;
  uint32_t part = node.members == kNone ? kNone : code_.members[node.members].Find(member.key);
  if (part == kNone) part = node.others;
  if (part != kNone) {
    Visit(part, member.value, ToMember(member.key), Role::kPart, frame.conditional);
  } else if (node.closed != kNone) {
    FailTop(node.closed, member.value, ToMember(member.key));
  }
  return true;
}

bool Walk::NextMember(Frame& frame, json::Member& member) {
  if (tallies_) {
    if (frame.sorted == kNone) return false;  // no object
    const std::vector<json::Member>& sorted = sorted_[frame.sorted];
    if (frame.next == sorted.size()) return false;
    member = sorted[frame.next++];
    return true;
  }
  if (frame.member == frame.members_end) return false;
  member = *frame.member;
  ++frame.member;
  return true;
}

void Walk::FinishTop() {
  Frame& top = stack_.back();
  const Role role = top.role;
  const bool passed = !top.failed;
  if (top.sorted != kNone) --open_sorted_;
  if (top.rest == kNone) {
    stack_.pop_back();
    return Deliver(role, passed);
  }
  Rest& rest = *rests_[top.rest];
  const Extra& extra = ExtraOf(*top.node);
  if (extra.shared) KeepAnswer(top, rest);
  --open_rests_;
  stack_.pop_back();
  if (passed && extra.tracks) HandUp(rest.evaluated, role);
  Deliver(role, passed);
}

void Walk::Deliver(Role role, bool passed) {
  if (stack_.empty()) {
    passed_ = passed;
  } else if (role == Role::kBranch || role == Role::kPartBranch) {
    OnBranch(passed);
  } else if (!passed) {
    stack_.back().failed = true;
    if (role == Role::kHere) rests_[stack_.back().rest]->unclear = true;
  }
}

void Walk::FailTop(uint32_t constraint, json::Value value, Step last, uint64_t detail) {
  Frame& top = stack_.back();
  top.failed = true;
  if (tallies_) Fail(constraint, *top.node, value, last, top.conditional, detail);
}

void Walk::Fail(uint32_t index, const Node& node, json::Value value, Step last, bool conditional,
                uint64_t detail, const std::string* missing) {
  Collector& collector = collectors_.back();
  const bool scope = code_.constraints[index].scope && !conditional;
  if (!collector.Add(index, scope, conditional) || !collector.WantsSite(scope)) return;
  Site& site = collector.first.emplace();
  site.constraint = index;
  site.node = &node;
  site.value = value;
  site.pointer = PointerTo(last, missing, site.depth);
  site.scope = scope;
  site.detail = detail;
}

std::string Walk::PointerTo(Step last, const std::string* missing, size_t& depth) const {
  std::string pointer;
  const auto append = [&](const Step& step) {
    if (step.kind == Step::Kind::kNone) return;
    ++depth;
    if (step.kind == Step::Kind::kItem) {
      absl::StrAppend(&pointer, "/", step.index);
    } else {
      absl::StrAppend(&pointer, "/", json::PointerToken(step.key));
    }
  };
  for (const Frame& frame : stack_) append(frame.step);
  append(last);
  if (missing != nullptr) append(ToMember(*missing));
  return pointer;
}

namespace {

struct Verdict {
  bool passed = false;
  bool ran_out = false;
};

Verdict VerdictOn(const Code& code, json::Value value, absl::Span<const json::Value> bindings) {
  const Node& whole = code.nodes[0];
  if (!whole.plain) {
    Walk walk(code, bindings, /*tally=*/false);
    const bool passed = walk.Run(value);
    return {passed, walk.ran_out()};
  }
  Lists lists(code, bindings);
  uint64_t steps = 0;
  const bool passed = PlainWalk(code, lists, steps).Passes(whole, value);
  return {passed && steps <= kMaxSteps, steps > kMaxSteps};
}

}  // namespace

bool Passes(const Code& code, json::Value value, absl::Span<const json::Value> bindings) {
  return VerdictOn(code, value, bindings).passed;
}

bool MayPass(const Code& code, json::Value value, absl::Span<const json::Value> bindings) {
  const Verdict verdict = VerdictOn(code, value, bindings);
  return verdict.passed || verdict.ran_out;
}

Tally TallyOf(const Code& code, json::Value value, absl::Span<const json::Value> bindings,
              size_t enough) {
  Walk walk(code, bindings, /*tally=*/true, enough);
  walk.Run(value);
  return std::move(walk).TakeTally();
}

}  // namespace tipstaff::schema::internal
