// The values that `const`, `enum` and the scope keywords list, and whether one is among them: of
// `url` whether it has a URL's parts in its lists.
#pragma once

#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "mediator/json/document.h"
#include "mediator/schema/code.h"

namespace tipstaff::schema::internal {

// Whether the keyword compares a value with Constraint::candidates, or with a UrlOperand.
bool ListsValues(Keyword keyword);

// A short list of JSON values is compared one by one; a longer one, and addresses and domains of
// any number, by a form that equal ones share, so that a value is looked at once.
bool IsHashed(Keyword keyword, size_t values);

// What stands for `entry` of the keyword's list: canonical JSON, `local@domain`, a domain as
// NormalDomainEntry() has it. Nothing for what is no address or domain: no value matches it.
std::optional<std::string> ListedForm(Keyword keyword, json::Value entry);

// The port that a number is; nothing for what is none.
std::optional<uint16_t> PortOf(json::Value value);

// The lists of one check. What bindings give is put in order when it is first asked for. Neither
// `code` nor the bindings are copied.
class Lists {
 public:
  Lists(const Code& code, absl::Span<const json::Value> bindings)
      : code_(code), bindings_(bindings) {}

  // ListsValues() must hold. Adds what it takes to `steps`.
  bool Contain(const Constraint& constraint, json::Value value, uint64_t& steps);

 private:
  using Forms = absl::flat_hash_set<std::string>;

  template <typename Take>
  bool AnyBound(const Constraint& constraint, Take take) const;
  size_t CountBound(const Constraint& constraint) const;
  const Forms& BoundForms(const Constraint& constraint, uint64_t& steps);
  bool AllowsUrl(const Constraint& constraint, absl::string_view text, uint64_t& steps);
  const UrlRule& BoundRule(const Constraint& constraint, uint64_t& steps);

  const Code& code_;
  const absl::Span<const json::Value> bindings_;
  absl::flat_hash_map<const Constraint*, Forms> bound_;
  absl::flat_hash_map<const Constraint*, UrlRule> bound_urls_;
};

}  // namespace tipstaff::schema::internal
