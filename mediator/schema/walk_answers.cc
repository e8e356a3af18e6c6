// The Walk's memory: what was found out about a node and a value is not asked twice.
#include "mediator/schema/walk.h"

namespace tipstaff::schema::internal {

void Walk::VisitShared(uint32_t node, json::Value value, const Step& step, Role role,
                       bool conditional) {
  const Node& entered = code_.nodes[node];
  const uint32_t below = stack_.empty() ? 0 : stack_.back().document;
  const uint32_t document = step.document != 0 ? step.document : below;
  if (UseAnswer(node, value, document, role, conditional)) return;
  if (tallies_) collectors_.emplace_back();
  const bool passed = CheckConstraints(entered, value, step, conditional);
  if (!passed && !tallies_) {
    answers_[{node, document, value.index(), conditional}].passed = false;
    return Deliver(role, false);
  }
  Push(entered, value, step, role, conditional);
  stack_.back().failed = !passed;
}

bool Walk::UseAnswer(uint32_t node, json::Value value, uint32_t document, Role role,
                     bool conditional) {
  const auto found = answers_.find(AnswerKey{node, document, value.index(), conditional});
  ++steps_;
  if (found == answers_.end()) return false;
  const Answer& answer = found->second;
  if (answer.evaluated != nullptr) HandUp(*answer.evaluated, role);
  if (answer.collector != nullptr) {
    Spend(answer.collector->failed.size());
    Merge(code_, *answer.collector, collectors_.back());
  }
  Deliver(role, answer.passed);
  return true;
}

void Walk::KeepAnswer(const Frame& frame, const Rest& rest) {
  Answer answer{.passed = !frame.failed};
  if (answer.passed && ExtraOf(*frame.node).tracks) {
    answer.evaluated = std::make_unique<Evaluated>(rest.evaluated);
  }
  if (tallies_) {
    auto collector = std::make_unique<Collector>(std::move(collectors_.back()));
    collectors_.pop_back();
    Spend(collector->failed.size());
    Merge(code_, *collector, collectors_.back());
    if (!answer.passed) answer.collector = std::move(collector);
  }
  const AnswerKey key{NumberOf(*frame.node), frame.document, frame.value.index(),
                      frame.conditional};
  answers_.insert_or_assign(key, std::move(answer));
}

void Walk::HandUp(const Evaluated& evaluated, Role role) {
  if (stack_.empty() || (role != Role::kHere && role != Role::kBranch)) return;
  const Frame& below = stack_.back();
  if (!ExtraOf(*below.node).tracks) return;
  Spend(evaluated.size() >> 4);
  rests_[below.rest]->evaluated.Add(evaluated);
}

}  // namespace tipstaff::schema::internal
