#include "mediator/policy/coverage.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/policy/compiled.h"
#include "mediator/policy/reader.h"
#include "mediator/policy/schema_places.h"

namespace tipstaff::policy {
namespace {

using internal::CompiledSkill;
using internal::SchemaPlace;
using Place = std::pair<int, int>;  // line and column, which name a value of the file

// Keywords that no value fails at: they describe, name a schema, or lead to one.
bool Describes(absl::string_view keyword) {
  for (const char* word : {"$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$ref"}) {
    if (keyword == word) return true;
  }
  return internal::IsAnnotation(keyword);
}

// Whether a value can fail at the keyword itself, and not only at schemas below it.
bool Constrains(const json::Member& member) {
  const json::Value value = member.value;
  if (Describes(member.key)) return false;
  if (member.key == "not" || member.key == "contains") return true;
  if (schema::WhatItHolds(internal::KeywordOf(member.key)) != schema::Holds::kNothing) {
    return value.is_bool() && !value.boolean();
  }
  if (member.key == "text") return value.is_string() && value.string() != "any";
  return !value.is_bool() || value.boolean();  // `uniqueItems: false` asks for nothing
}

class Counter {
 public:
  Counter(const CompiledSkill& skill, absl::Span<const TestResult> results) : skill_(skill) {
    for (const TestResult& result : results) {
      if (result.passed && result.grant != nullptr) Count(result.trace);
    }
  }

  std::vector<Covered> Run() {
    for (const internal::Permission& permission : skill_.permissions_) {
      Add({.kind = Covered::Kind::kPermission, .id = permission.id}, permission.node,
          permitted_.contains(permission.id));
      AddConstraints(permission);
    }
    for (const internal::DenyRule& rule : skill_.deny_) {
      Add({.kind = Covered::Kind::kDenyRule, .id = rule.id}, rule.node, denied_.contains(rule.id));
    }
    return std::move(all_);
  }

 private:
  void Count(const Trace& trace) {
    const call::Decision& decision = trace.decision;
    if (decision.verdict != call::Verdict::kDeny) {
      permitted_.insert(decision.permission);
    } else if (decision.reason == call::Reason::kDenyRule) {
      denied_.insert(decision.permission);
    } else if (decision.reason == call::Reason::kOutOfScope ||
               decision.reason == call::Reason::kArgumentRefused) {
      for (const Considered& one : trace.considered) {
        if (one.failed) failed_.insert({one.failed->line, one.failed->column});
      }
    }
  }

  void Add(Covered covered, json::Value node, bool exercised) {
    covered.line = skill_.SpanAt(node.index()).line;
    covered.exercised = exercised;
    all_.push_back(std::move(covered));
  }

  void AddConstraints(const internal::Permission& permission) {
    for (const SchemaPlace& place : internal::SchemasOf(permission.node)) {
      if (!place.judged) continue;
      size_t keywords = 0;
      for (const json::Member& member : place.schema.members()) keywords += !Describes(member.key);
      for (const json::Member& member : place.schema.members()) {
        if (!Constrains(member) || (member.key == "type" && keywords > 1)) continue;
        Add({.kind = Covered::Kind::kConstraint,
             .id = permission.id,
             .argument = place.argument,
             .keyword = std::string(member.key)},
            member.value, FailedAt(member.value));
      }
    }
  }

  // A part of the keyword's value may be what failed: a name of `required`.
  bool FailedAt(json::Value value) const {
    const source::Span span = skill_.SpanAt(value.index());
    if (failed_.contains({span.line, span.column})) return true;
    for (json::Value item : value.items()) {
      if (FailedAt(item)) return true;
    }
    return false;
  }

  const CompiledSkill& skill_;
  std::set<std::string> permitted_, denied_;
  std::set<Place> failed_;
  std::vector<Covered> all_;
};

}  // namespace

std::string Covered::ToString() const {
  switch (kind) {
    case Kind::kPermission:
      return absl::StrCat("permission ", internal::Shown(id));
    case Kind::kDenyRule:
      return absl::StrCat("deny rule ", internal::Shown(id));
    case Kind::kConstraint:
      break;
  }
  return absl::StrCat(internal::Shown(keyword), " of ",
                      argument.empty() ? "the arguments" : internal::Shown(argument),
                      " in permission ", internal::Shown(id));
}

std::vector<Covered> CoverageOf(const Skill& skill, absl::Span<const TestResult> results) {
  const auto* compiled = dynamic_cast<const CompiledSkill*>(&skill);
  if (compiled == nullptr) return {};
  return Counter(*compiled, results).Run();
}

}  // namespace tipstaff::policy
