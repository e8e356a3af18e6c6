// The Checker's keywords with schemas for the same value.
#include "tests/reference/check.h"

namespace tipstaff::reference {

// A branch that failed has looked at nothing.
void Checker::Join(const Finding& branch, Finding& finding) const {
  if (!branch.tally.passed()) return;
  finding.seen.insert(branch.seen.begin(), branch.seen.end());
  finding.named.insert(branch.named.begin(), branch.named.end());
  finding.speaks_of_text = finding.speaks_of_text || branch.speaks_of_text;
}

void Checker::CheckInPlace(json::Value schema, json::Value value, const Context& around,
                           Finding& finding) const {
  Context context = around;
  context.in_place = true;
  for (json::Value part : schema.Find("allOf").items()) {
    const Finding branch = Apply(part, value, context);
    Count("allOf", branch.tally.passed());
    finding.tally.Add(branch.tally);
    Join(branch, finding);
  }
  CheckChoice("anyOf", schema, value, context, finding);
  Context conditional = context;
  conditional.conditional = true;
  for (const json::Member& member : Sorted(schema.Find("dependentSchemas"))) {
    if (!value.Find(member.key).exists()) continue;
    const Finding branch = Apply(member.value, value, conditional);
    Count("dependentSchemas", branch.tally.passed());
    finding.tally.Add(branch.tally);
    Join(branch, finding);
  }
  CheckIf(schema, value, conditional, finding);
  if (const json::Value no = schema.Find("not"); no.exists()) {
    const bool passed = Apply(no, value, conditional).tally.passed();
    if (!Count("not", !passed)) Refuse(no, context, finding, 1);
  }
  CheckChoice("oneOf", schema, value, context, finding);
  CheckReference("$dynamicRef", schema, value, context, finding);
  CheckReference("$ref", schema, value, context, finding);
}

void Checker::CheckChoice(const char* word, json::Value schema, json::Value value,
                          const Context& context, Finding& finding) const {
  const json::Value branches = schema.Find(word);
  if (!branches.exists()) return;
  Context inner = context;
  inner.conditional = true;
  size_t passes = 0;
  std::optional<Tally> nearest;
  for (json::Value part : branches.items()) {
    const Finding branch = Apply(part, value, inner);
    Join(branch, finding);
    if (branch.tally.passed()) {
      ++passes;
    } else if (!nearest.has_value()) {
      nearest = branch.tally;
    } else {
      const std::optional<bool> nearer = branch.tally.IsNearerThan(*nearest);
      if (!nearer.has_value()) {
        nearest->Blur(branch.tally);
      } else if (*nearer) {
        nearest = branch.tally;
      }
    }
  }
  const bool one = word[0] == 'o';
  if (Count(word, one ? passes == 1 : passes > 0)) return;
  if (passes == 0) {
    finding.tally.Add(*nearest);
  } else {
    Refuse(branches, context, finding);
  }
}

void Checker::CheckIf(json::Value schema, json::Value value, const Context& context,
                      Finding& finding) const {
  const json::Value condition = schema.Find("if");
  if (!condition.exists()) return;
  const Finding asked = Apply(condition, value, context);
  Join(asked, finding);
  const char* word = Count("if", asked.tally.passed()) ? "then" : "else";
  const json::Value chosen = schema.Find(word);
  if (!chosen.exists()) return;
  const Finding branch = Apply(chosen, value, context);
  Count(word, branch.tally.passed());
  finding.tally.Add(branch.tally);
  Join(branch, finding);
}

void Checker::CheckReference(const char* word, json::Value schema, json::Value value,
                             const Context& context, Finding& finding) const {
  const json::Value reference = schema.Find(word);
  if (!reference.exists()) return;
  const Resource& from = names_.Around(schema);
  std::optional<json::Value> target = names_.Find(from, reference.string());
  if (!target.has_value()) return Refuse(reference, context, finding);
  if (word[1] == 'd') {
    // Only one that leads to a `$dynamicAnchor` looks for the outermost of that name.
    const std::string name(reference.string().substr(reference.string().find('#') + 1));
    const Resource& there = names_.Around(*target);
    const auto own = there.dynamic_anchors.find(name);
    if (own != there.dynamic_anchors.end() && own->second.index() == target->index()) {
      for (auto entered = context.entered.rbegin(); entered != context.entered.rend(); ++entered) {
        const auto found = (*entered)->dynamic_anchors.find(name);
        if (found != (*entered)->dynamic_anchors.end()) target = found->second;
      }
    }
  }
  Context inner = context;
  inner.way = context.way * 1000003 + reference.index() + 1;
  const Finding branch = Apply(*target, value, inner);
  Count(word, branch.tally.passed());
  finding.tally.Add(branch.tally);
  Join(branch, finding);
}

}  // namespace tipstaff::reference
