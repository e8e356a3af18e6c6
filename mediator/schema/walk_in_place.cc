// The Walk's applicators: schemas that apply to the value of the frame on top.
#include "mediator/schema/walk.h"

namespace tipstaff::schema::internal {

void Walk::StartRest(Frame& frame) {
  if (open_rests_ == rests_.size()) rests_.push_back(std::make_unique<Rest>());
  frame.rest = open_rests_++;
  Rest& rest = *rests_[frame.rest];
  rest.stage = Stage::kInPlace;
  rest.applicator = ExtraOf(*frame.node).first;
  rest.passes = 0;
  rest.targets.clear();
  rest.closest.reset();
  rest.evaluated.Clear();
  rest.unclear = false;
  rest.late.Clear();
  rest.names_document = 0;
  if (ExtraOf(*frame.node).first != ExtraOf(*frame.node).last) {
    rest.branch = code_.applicators[rest.applicator].first;
  }
}

bool Walk::StepExtra() {
  Rest& rest = *rests_[stack_.back().rest];
  const Extra& extra = ExtraOf(*stack_.back().node);
  while (tallies_ || !stack_.back().failed) {
    switch (rest.stage) {
      case Stage::kInPlace:
        if (StepInPlace(rest, extra)) return true;
        NextStage(rest, Stage::kParts);
        break;
      case Stage::kParts:
        if (StepParts(rest, extra)) return true;
        NextStage(rest, Stage::kContains);
        break;
      case Stage::kContains:
        if (StepContains(rest, extra)) return true;
        NextStage(rest, Stage::kNames);
        break;
      case Stage::kNames:
        if (StepNames(rest, extra)) return true;
        NextStage(rest, rest.unclear ? Stage::kDone : Stage::kUnevaluated);
        break;
      case Stage::kUnevaluated:
        if (StepUnevaluated(rest, extra)) return true;
        CheckText(rest);
        NextStage(rest, Stage::kDone);
        break;
      case Stage::kDone:
        return false;
    }
  }
  return false;
}

void Walk::NextStage(Rest& rest, Stage stage) {
  rest.stage = stage;
  rest.passes = 0;
  Frame& frame = stack_.back();
  frame.next = 0;
  frame.item = frame.value.items().begin();
  frame.member = frame.value.members().begin();
  if (stage == Stage::kUnevaluated) rest.evaluated.Sort();
}

bool Walk::StepInPlace(Rest& rest, const Extra& extra) {
  while (rest.applicator < extra.last) {
    if (StepApplicator(rest, extra, code_.applicators[rest.applicator])) return true;
    if (++rest.applicator < extra.last) rest.branch = code_.applicators[rest.applicator].first;
    rest.passes = 0;
    rest.closest.reset();
    if (stack_.back().failed && !tallies_) return true;
  }
  return false;
}

bool Walk::StepApplicator(Rest& rest, const Extra& extra, const Applicator& applicator) {
  const Frame& frame = stack_.back();
  const json::Value value = frame.value;
  const bool left = rest.branch < applicator.last;
  switch (applicator.kind) {
    case Applicator::Kind::kAll:
      if (!left) return false;
      Visit(code_.branches[rest.branch++], value, {}, Role::kHere, frame.conditional);
      return true;
    case Applicator::Kind::kWhen:
      if (!left || !value.Find(code_.names[applicator.name]).exists()) return false;
      Visit(code_.branches[rest.branch++], value, {}, Role::kHere, /*conditional=*/true);
      return true;
    case Applicator::Kind::kIf:
      return StepIf(rest, extra, applicator);
    case Applicator::Kind::kAny:
    case Applicator::Kind::kOne:
    case Applicator::Kind::kNot:
      break;
  }
  // All that pass are asked when it matters what they looked at.
  const bool enough = applicator.kind == Applicator::Kind::kAny ? rest.passes > 0 && !extra.tracks
                                                                : rest.passes > 1;
  if (left && !enough) {
    Branch(code_.branches[rest.branch++], value, {}, Role::kBranch);
    return true;
  }
  Judge(rest, applicator);
  return false;
}

bool Walk::StepIf(Rest& rest, const Extra& extra, const Applicator& applicator) {
  const json::Value value = stack_.back().value;
  const uint32_t then = applicator.first + 1, otherwise = applicator.first + 2;
  if (rest.branch == applicator.first) {
    const bool matters = code_.branches[then] != kNone || code_.branches[otherwise] != kNone;
    if (!matters && !extra.tracks) return false;
    Branch(code_.branches[rest.branch++], value, {}, Role::kBranch);
    return true;
  }
  if (rest.branch == applicator.last) return false;
  const uint32_t chosen = code_.branches[rest.passes > 0 ? then : otherwise];
  rest.branch = applicator.last;
  if (chosen == kNone) return false;
  Visit(chosen, value, {}, Role::kHere, /*conditional=*/true);
  return true;
}

void Walk::Branch(uint32_t node, json::Value value, Step step, Role role) {
  if (tallies_) collectors_.emplace_back();
  Visit(node, value, step, role, /*conditional=*/true);
}

void Walk::OnBranch(bool passed) {
  Rest& rest = *rests_[stack_.back().rest];
  if (passed) ++rest.passes;
  if (passed && rest.stage == Stage::kContains) rest.evaluated.Add(rest.member.value);
  if (!tallies_) return;
  Collector collector = std::move(collectors_.back());
  collectors_.pop_back();
  if (passed || rest.stage == Stage::kContains) return;
  if (!rest.closest.has_value() || IsCloser(collector, *rest.closest)) {
    rest.closest = std::move(collector);
  }
}

void Walk::Judge(Rest& rest, const Applicator& applicator) {
  Frame& frame = stack_.back();
  const bool one = applicator.kind == Applicator::Kind::kOne;
  if (applicator.kind == Applicator::Kind::kNot ? rest.passes > 0 : one && rest.passes > 1) {
    rest.unclear = rest.unclear || one;  // not all were asked
    return FailTop(applicator.constraint, frame.value, {}, rest.passes);
  }
  if (applicator.kind == Applicator::Kind::kNot || rest.passes > 0) return;
  frame.failed = rest.unclear = true;
  if (!tallies_ || !rest.closest.has_value()) return;
  const bool others = applicator.last - applicator.first > 1;
  if (others && rest.closest->first.has_value() && rest.closest->first->choice == kNone) {
    rest.closest->first->choice = applicator.constraint;
  }
  Spend(rest.closest->failed.size());
  Merge(code_, *rest.closest, collectors_.back());
}

}  // namespace tipstaff::schema::internal
