// The constraints that a value fails, gathered where one of several schemas has to pass.
#pragma once

#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "mediator/schema/code.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema::internal {

// Where a constraint failed.
struct Site {
  uint32_t constraint = 0;
  const Node* node = nullptr;
  json::Value value;
  std::string pointer;
  size_t depth = 0;         // of the pointer
  bool scope = false;       // of scope, and asked for unconditionally
  uint64_t detail = 0;      // what Found() needs beyond the value
  uint32_t choice = kNone;  // the constraint of an anyOf or oneOf with other schemas
};

struct Collector {
  // Different constraints; one that failed within a choice and outside counts for both.
  absl::flat_hash_set<uint64_t> failed;
  size_t scope_constraints = 0;
  // The first that is not of scope, else the first.
  std::optional<Site> first;

  bool Add(uint32_t constraint, bool scope, bool conditional) {
    if (!failed.insert((uint64_t{constraint} << 1) | (conditional ? 1 : 0)).second) return false;
    if (scope) ++scope_constraints;
    return true;
  }
  bool WantsSite(bool scope) const { return !first.has_value() || (first->scope && !scope); }
};

// Adds what `from` gathered. The constraints of `code` say which are of scope.
void Merge(const Code& code, const Collector& from, Collector& into);

// Whether `a` says better than `b` what is wrong: fewer constraints, then one deeper in the value.
bool IsCloser(const Collector& a, const Collector& b);

Failure Describe(const Code& code, const Site& site, absl::Span<const json::Value> bindings);

}  // namespace tipstaff::schema::internal
