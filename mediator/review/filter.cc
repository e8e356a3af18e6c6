#include "mediator/review/filter.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "mediator/policy/glob.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::review {
namespace {

const std::vector<std::string>& Keys() {
  static const auto* const keys = new std::vector<std::string>{
      "run", "tool", "verdict", "reason", "effect", "skill", "permission", "outcome"};
  return *keys;
}

std::string ValueOf(const std::string& key, const Row& row) {
  const call::Decision& decision = row.decided.decision;
  if (key == "run") return row.run;
  if (key == "tool") return row.decided.tool;
  if (key == "verdict") return std::string(call::VerdictName(decision.verdict));
  if (key == "reason") return std::string(call::ReasonName(decision.reason));
  if (key == "effect") return std::string(call::EffectName(decision.effect));
  if (key == "skill") return decision.skill;
  if (key == "permission") return decision.permission;
  return row.settled ? std::string(call::OutcomeKindName(row.settled->outcome.kind)) : "none";
}

// A closed list of words is checked, so that a misspelt one does not silently match nothing.
absl::Status CheckWord(const std::string& term, absl::string_view key, const std::string& pattern) {
  if (pattern.find('*') != std::string::npos) return absl::OkStatus();
  const bool known = key == "verdict"  ? call::ParseVerdict(pattern).has_value()
                     : key == "reason" ? call::ParseReason(pattern).has_value()
                     : key == "effect" ? call::ParseEffect(pattern).has_value()
                     : key == "outcome"
                         ? pattern == "none" || call::ParseOutcomeKind(pattern).has_value()
                         : true;
  if (known) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("filter `", term, "`: there is no ", key, " `", pattern, "`"));
}

}  // namespace

absl::StatusOr<Filter> Filter::Parse(absl::Span<const std::string> terms) {
  Filter filter;
  for (const std::string& text : terms) {
    absl::string_view rest = text;
    Term term;
    term.negated = absl::ConsumePrefix(&rest, "-");
    const size_t colon = rest.find(':');
    if (colon == absl::string_view::npos || colon + 1 == rest.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("filter `", text, "` is not of the form key:pattern, as in verdict:deny"));
    }
    term.key = std::string(rest.substr(0, colon));
    term.pattern = std::string(rest.substr(colon + 1));
    if (std::find(Keys().begin(), Keys().end(), term.key) == Keys().end()) {
      const std::string near = source::NearestName(term.key, Keys());
      return absl::InvalidArgumentError(
          absl::StrCat("filter `", text, "`: unknown key `", term.key, "`; ",
                       near.empty() ? absl::StrCat("keys are ", absl::StrJoin(Keys(), ", "))
                                    : absl::StrCat("did you mean `", near, "`?")));
    }
    if (const absl::Status known = CheckWord(text, term.key, term.pattern); !known.ok()) {
      return known;
    }
    filter.terms_.push_back(std::move(term));
  }
  return filter;
}

bool Filter::Matches(const Row& row) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    return policy::GlobMatches(term.pattern, ValueOf(term.key, row)) != term.negated;
  });
}

}  // namespace tipstaff::review
