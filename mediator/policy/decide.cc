// Which permission decides, when several name the tool:
//   - one that passes allows; of several the first by skill and id, and one whose calls a person
//     approves only where no other passes;
//   - else the nearest is reported: fewest failing constraints, then first by skill and id. One
//     whose arguments all pass and whose `after`, limit or `refused_after` does not hold is nearer
//     than any whose arguments fail. Of those three the first is the nearest, as it can still be
//     met, and the last the farthest, as it never can.
// The reason is the nearest one's: `out_of_scope` when nothing but constraints of scope failed,
// `argument_refused` when any other did.
#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/policy/explain.h"
#include "mediator/policy/grant_impl.h"

namespace tipstaff::policy {
namespace {

using internal::CompiledSkill;
using internal::GrantedPermission;
using internal::GrantedRule;
using internal::GrantedTool;
using internal::GrantImpl;

constexpr size_t kShownColumns = 48;

call::Nearest NearestAt(const CompiledSkill& skill, absl::string_view permission,
                        json::Value node) {
  const source::Span span = skill.SpanAt(node.index());
  return {.skill = skill.name(),
          .permission = std::string(permission),
          .file = skill.file().path,
          .line = span.line,
          .column = span.column,
          .length = span.length};
}

class Decider {
 public:
  Decider(const GrantImpl& grant, const RunFacts& facts, const call::Call& call,
          const CanaryResult* searched = nullptr)
      : grant_(grant), facts_(facts), call_(call), searched_(searched) {}

  call::Decision Run() {
    decision_.policy_digest = grant_.digest();
    const auto tool = grant_.tools_.find(call_.tool);
    if (tool == grant_.tools_.end()) return Deny(call::Reason::kUnknownTool);
    decision_.effect = tool->second.effect;
    const CanaryResult result =
        searched_ != nullptr ? *searched_ : grant_.canaries_.Search(call_.arguments.root());
    if (result.sighting().has_value()) return DenyCanary(*result.sighting());
    if (const GrantedRule* rule = RuleAgainst(tool->second)) return DenyByRule(*rule);
    if (tool->second.permissions.empty()) return Deny(call::Reason::kNoPermission);
    if (!FactsAreComplete()) return Deny(call::Reason::kUndecided);
    for (const int index : tool->second.dispatch.CandidatesFor(call_.arguments.root())) {
      if (!Passes(index)) continue;
      if (MarkAgainst(index)) {
        if (marked_ < 0) marked_ = index;
      } else if (!HasPrecondition(index)) {
        if (waiting_ < 0) waiting_ = index;
      } else if (LimitReached(index)) {
        if (used_up_ < 0) used_up_ = index;
      } else if (grant_.permissions_[index].permission->approval.has_value()) {
        if (to_approve_ < 0) to_approve_ = index;
      } else {
        return Permit(index, call::Verdict::kAllow, call::Reason::kPermitted);
      }
    }
    if (to_approve_ >= 0) {
      return Permit(to_approve_, call::Verdict::kHold, call::Reason::kApprovalPending);
    }
    if (waiting_ >= 0) return DenyUnmet(waiting_);
    if (used_up_ >= 0) return DenyUsedUp(used_up_);
    if (marked_ >= 0) return DenyMarked(marked_);
    return DenyArguments(tool->second);
  }

  // Every permission for the tool, whether or not it mattered.
  Trace RunTraced() {
    Trace trace;
    const auto tool = grant_.tools_.find(call_.tool);
    if (tool != grant_.tools_.end()) {
      if (const GrantedRule* rule = RuleAgainst(tool->second)) trace.denied = RuleThatDenies(*rule);
      for (const int index : tool->second.permissions) trace.considered.push_back(Consider(index));
    }
    trace.decision = Run();
    return trace;
  }

 private:
  Considered Consider(int index) const {
    const GrantedPermission& granted = grant_.permissions_[index];
    Considered considered{granted.granted->skill->name(), granted.permission->id};
    schema::Tally tally =
        granted.permission->program->CheckAll(call_.arguments.root(), granted.granted->values);
    considered.constraints = tally.constraints;
    if (tally.first.has_value()) {
      considered.failed = ConstraintOf(granted, *std::move(tally.first));
    } else if (const auto mark = MarkAgainst(index)) {
      considered.came = Considered::Came::kMarked;
      considered.failed = MarkedBy(index, *mark);
    } else if (!HasPrecondition(index)) {
      considered.came = Considered::Came::kPrecondition;
      considered.failed = UnmetBy(index);
    } else if (const auto reached = LimitReached(index)) {
      considered.came = Considered::Came::kLimit;
      considered.failed = UsedUpBy(index, *reached);
    } else {
      considered.came = granted.permission->approval.has_value() ? Considered::Came::kAsks
                                                                 : Considered::Came::kPermits;
    }
    return considered;
  }

  call::Decision Deny(call::Reason reason) {
    decision_.verdict = call::Verdict::kDeny;
    decision_.reason = reason;
    return std::move(decision_);
  }

  // Counters that are missing must not read as zero when limits hang on them. A run that has done
  // nothing may leave them out.
  bool FactsAreComplete() const {
    const bool fresh = facts_.run == Use() && facts_.by_permission.empty();
    return fresh || facts_.by_permission.size() == grant_.permission_count();
  }

  const Use& UseOf(int index) const {
    static const Use kNothing;
    return static_cast<size_t>(index) < facts_.by_permission.size() ? facts_.by_permission[index]
                                                                    : kNothing;
  }

  bool Passes(int index) const {
    const GrantedPermission& granted = grant_.permissions_[index];
    return granted.permission->program->Accepts(call_.arguments.root(), granted.granted->values);
  }

  bool HasPrecondition(int index) const { return MissingBefore(index) < 0; }

  // A permission that `after` asks for and that has not succeeded; -1: none.
  int MissingBefore(int index) const {
    for (const int before : grant_.permissions_[index].after) {
      if (UseOf(before).succeeded == 0) return before;
    }
    return -1;
  }

  // A limit that the call would go over, the run's before the permission's.
  struct Reached {
    LimitKind kind;
    bool of_run;
    uint64_t limit;
    const Use* use;
  };
  std::optional<Reached> LimitReached(int index) const {
    const Limits& own = grant_.permissions_[index].permission->limits;
    for (const bool of_run : {true, false}) {
      const Use& use = of_run ? facts_.run : UseOf(index);
      for (const LimitKind kind : kLimitKinds) {
        const std::optional<uint64_t>& limit = of_run ? grant_.limits_.use[kind] : own[kind];
        if (limit.has_value() && IsOver(kind, *limit, use, call_.canonical.size())) {
          return Reached{kind, of_run, *limit, &use};
        }
      }
    }
    return std::nullopt;
  }

  // A label of `refused_after` that the run carries, and the first permission that put it.
  struct Mark {
    size_t label;
    int put_by;
  };
  std::optional<Mark> MarkAgainst(int index) const {
    const std::vector<std::string>& labels = grant_.permissions_[index].permission->refused_after;
    for (size_t i = 0; i < labels.size(); ++i) {
      const auto marking = grant_.marking_.find(labels[i]);
      if (marking == grant_.marking_.end()) continue;
      for (const int other : marking->second) {
        if (UseOf(other).allowed > 0) return Mark{i, other};
      }
    }
    return std::nullopt;
  }

  call::Decision Permit(int index, call::Verdict verdict, call::Reason reason) {
    const GrantedPermission& granted = grant_.permissions_[index];
    decision_.verdict = verdict;
    decision_.reason = reason;
    decision_.skill = granted.granted->skill->name();
    decision_.permission = granted.permission->id;
    decision_.permission_index = index;
    decision_.policy_digest = granted.granted->skill->digest();
    return std::move(decision_);
  }

  call::Decision DenyCanary(const Sighting& sighting) {
    decision_.nearest = call::Nearest{.pointer = Shown(sighting.pointer), .constraint = "canary"};
    decision_.nearest->expected = "no text that was planted for the run";
    decision_.nearest->found =
        sighting.certain ? absl::StrCat("planted text ", sighting.canary + 1, ", ", sighting.form)
                         : "more than can be looked through";
    return Deny(sighting.certain ? call::Reason::kCanary : call::Reason::kArgumentRefused);
  }

  // The first by skill and id. One of arguments denies what may match it, as the arguments are
  // given or as the tool takes them.
  const GrantedRule* RuleAgainst(const GrantedTool& tool) const {
    const bool looks = std::any_of(tool.deny.begin(), tool.deny.end(),
                                   [](const GrantedRule& one) { return !one.rule->denies_all(); });
    absl::StatusOr<std::vector<json::Document>> taken = std::vector<json::Document>();
    if (looks && tool.defaults.has_value()) taken = TakenBy(*tool.defaults);
    for (const GrantedRule& one : tool.deny) {
      if (one.rule->denies_all() || !taken.ok() || MayMeet(one, call_.arguments) ||
          std::any_of(taken->begin(), taken->end(),
                      [&](const json::Document& arguments) { return MayMeet(one, arguments); })) {
        return &one;
      }
    }
    return nullptr;
  }

  // What the tool may make of the arguments: which alternative of its schema holds is its matter.
  absl::StatusOr<std::vector<json::Document>> TakenBy(const schema::Defaults& defaults) const {
    std::vector<json::Document> taken;
    for (size_t i = 0; i <= defaults.alternatives(); ++i) {
      const auto alternative = i == 0 ? std::nullopt : std::make_optional(i - 1);
      TIPSTAFF_ASSIGN_OR_RETURN(auto filled, defaults.Fill(call_.arguments.root(), alternative));
      if (filled.has_value()) taken.push_back(*std::move(filled));
    }
    return taken;
  }

  static bool MayMeet(const GrantedRule& one, const json::Document& arguments) {
    return one.rule->program->MayAccept(arguments.root(), one.granted->values);
  }

  call::Decision DenyByRule(const GrantedRule& rule) {
    const CompiledSkill& skill = *rule.granted->skill;
    decision_.skill = skill.name();
    decision_.permission = rule.rule->id;
    decision_.policy_digest = skill.digest();
    decision_.nearest = RuleThatDenies(rule);
    return Deny(call::Reason::kDenyRule);
  }

  call::Nearest RuleThatDenies(const GrantedRule& rule) const {
    const json::Value node = rule.rule->node;
    json::Value at = rule.rule->target;
    for (const char* key : {"args", "schema", "uri"}) {
      if (node.Find(key).exists()) at = node.Find(key);
    }
    call::Nearest nearest = NearestAt(*rule.granted->skill, rule.rule->id, at);
    nearest.constraint = "deny";
    nearest.expected = absl::StrCat("no call that matches `", call::WithoutKind(rule.rule->tool),
                                    "`", rule.rule->denies_all() ? "" : " with such arguments",
                                    ": ", base::EscapeAndCut(rule.rule->reason, 200));
    nearest.found = absl::StrCat("`", base::EscapeAndCut(call_.tool, kShownColumns), "`");
    return nearest;
  }

  call::Decision DenyUnmet(int index) {
    decision_.nearest = UnmetBy(index);
    return Deny(call::Reason::kPrecondition);
  }

  call::Nearest UnmetBy(int index) const {
    const GrantedPermission& granted = grant_.permissions_[index];
    const int before = MissingBefore(index);
    call::Nearest nearest = NearestAt(*granted.granted->skill, granted.permission->id,
                                      granted.permission->node.Find("after"));
    nearest.constraint = "after";
    nearest.expected = absl::StrCat("an earlier call by `",
                                    grant_.permissions_[before].permission->id, "` that succeeded");
    nearest.found = "none";
    return nearest;
  }

  call::Decision DenyUsedUp(int index) {
    const std::optional<Reached> reached = LimitReached(index);
    if (!reached.has_value()) return Deny(call::Reason::kUndecided);
    decision_.nearest = UsedUpBy(index, *reached);
    decision_.may_pass_later = Recovers(reached->kind);
    return Deny(call::Reason::kLimitExceeded);
  }

  call::Nearest UsedUpBy(int index, const Reached& reached) const {
    const GrantedPermission& granted = grant_.permissions_[index];
    const CompiledSkill& skill =
        reached.of_run ? *grant_.limit_skill_.at(reached.kind) : *granted.granted->skill;
    const json::Value limits =
        reached.of_run ? skill.limits_node_ : granted.permission->node.Find("limits");
    call::Nearest nearest =
        NearestAt(skill, granted.permission->id, limits.Find(LimitKey(reached.kind)));
    nearest.skill = granted.granted->skill->name();
    nearest.constraint = "limits";
    nearest.expected = absl::StrCat(LimitInWords(reached.kind, reached.limit),
                                    reached.of_run ? " in the run" : " by it");
    nearest.found = UseInWords(reached.kind, *reached.use, call_.canonical.size());
    return nearest;
  }

  call::Decision DenyMarked(int index) {
    const std::optional<Mark> mark = MarkAgainst(index);
    if (!mark.has_value()) return Deny(call::Reason::kUndecided);
    decision_.nearest = MarkedBy(index, *mark);
    return Deny(call::Reason::kMarked);
  }

  call::Nearest MarkedBy(int index, const Mark& mark) const {
    const GrantedPermission& granted = grant_.permissions_[index];
    call::Nearest nearest =
        NearestAt(*granted.granted->skill, granted.permission->id,
                  granted.permission->node.Find("refused_after").At(mark.label));
    nearest.constraint = "refused_after";
    nearest.expected = absl::StrCat("a run that is not marked `",
                                    granted.permission->refused_after[mark.label], "`");
    nearest.found =
        absl::StrCat("a call by `", grant_.permissions_[mark.put_by].permission->id, "` before");
    return nearest;
  }

  call::Decision DenyArguments(const GrantedTool& tool) {
    const GrantedPermission* closest = nullptr;
    schema::Tally fewest;
    for (const int index : tool.permissions) {
      const GrantedPermission& granted = grant_.permissions_[index];
      const size_t enough = closest == nullptr ? ~size_t{0} : fewest.constraints;
      schema::Tally tally = granted.permission->program->CheckAll(call_.arguments.root(),
                                                                  granted.granted->values, enough);
      if (tally.constraints >= enough) continue;
      // One that passes now after it did not before cannot be trusted to say anything.
      if (!tally.first.has_value()) return Deny(call::Reason::kUndecided);
      closest = &granted;
      fewest = std::move(tally);
      if (fewest.constraints == 1) break;  // each fails by one at least
    }
    if (closest == nullptr) return Deny(call::Reason::kUndecided);
    const bool scope = fewest.constraints == fewest.scope_constraints;
    decision_.nearest = ConstraintOf(*closest, *std::move(fewest.first));
    decision_.detail = DetailFor(*decision_.nearest, tool.permissions.size() == 1);
    return Deny(scope ? call::Reason::kOutOfScope : call::Reason::kArgumentRefused);
  }

  // Names of members within what is sensitive are not shown either.
  std::string Shown(absl::string_view pointer) const {
    return grant_.SensitiveArguments(call_.tool).Outermost(pointer);
  }

  call::Nearest ConstraintOf(const GrantedPermission& granted, schema::Failure failure) const {
    failure.pointer = Shown(failure.pointer);
    // Of what is missing nothing was found.
    if (failure.keyword != "required" &&
        grant_.SensitiveArguments(call_.tool).Touch(failure.pointer)) {
      failure.found = "what is not shown, as it is sensitive";
    }
    const CompiledSkill& skill = *granted.granted->skill;
    const source::Span span = skill.SpanAt(failure.origin);
    return call::Nearest{.skill = skill.name(),
                         .permission = granted.permission->id,
                         .pointer = std::move(failure.pointer),
                         .constraint = std::move(failure.keyword),
                         .expected = std::move(failure.expected),
                         .found = std::move(failure.found),
                         .file = skill.file().path,
                         .line = span.line,
                         .column = span.column,
                         .length = span.length};
  }

  // Only what the published schema shows too: which arguments there are, and, where it is made of
  // one permission, which of them it constrains.
  static std::string DetailFor(const call::Nearest& failed, bool only_permission) {
    const std::string at =
        absl::StrCat("`", base::EscapeAndCut(failed.pointer, kShownColumns), "`");
    if (!only_permission) return "";
    if (failed.constraint == "args" || failed.constraint == "additionalProperties" ||
        failed.constraint == "unevaluatedProperties") {
      return absl::StrCat("there is no argument at ", at);
    }
    if (failed.constraint == "required") return absl::StrCat("nothing is given at ", at);
    return absl::StrCat("the value at ", at, " is not accepted");
  }

  const GrantImpl& grant_;
  const RunFacts& facts_;
  const call::Call& call_;
  const CanaryResult* const searched_;
  call::Decision decision_;
  int to_approve_ = -1, waiting_ = -1, used_up_ = -1, marked_ = -1;
};

}  // namespace

call::Decision Decide(const Grant& grant, const RunFacts& facts, const call::Call& call,
                      const CanaryResult* searched) {
  const auto* made = dynamic_cast<const GrantImpl*>(&grant);
  if (made == nullptr) return call::Decision{};  // deny, undecided
  return Decider(*made, facts, call, searched).Run();
}

absl::string_view CameName(Considered::Came came) {
  switch (came) {
    case Considered::Came::kPermits:
      return "permits";
    case Considered::Came::kAsks:
      return "asks";
    case Considered::Came::kPrecondition:
      return "precondition";
    case Considered::Came::kLimit:
      return "limit";
    case Considered::Came::kMarked:
      return "marked";
    case Considered::Came::kArguments:
      return "arguments";
  }
  return "";
}

Trace Explain(const Grant& grant, const RunFacts& facts, const call::Call& call) {
  const auto* made = dynamic_cast<const GrantImpl*>(&grant);
  if (made == nullptr) return {};
  return Decider(*made, facts, call).RunTraced();
}

}  // namespace tipstaff::policy
