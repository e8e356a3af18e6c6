#include "mediator/policy/dispatch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "mediator/json/write.h"
#include "mediator/policy/grant_impl.h"

namespace tipstaff::policy::internal {
namespace {

// With fewer, asking each is as fast.
constexpr size_t kWorthwhile = 4;
constexpr size_t kMostValues = 64;  // of one permission

using Forms = std::vector<std::string>;

// The values that the permission's required argument may have, as far as a keyword lists them.
std::optional<Forms> FormsOf(const GrantedPermission& granted, absl::string_view argument) {
  const json::Value schema = granted.permission->args.Find(argument);
  if (!schema.is_object() || schema.BoolOr("optional", false)) return std::nullopt;
  const BoundValues bound = granted.granted->bound();
  for (const char* keyword : {"const", "equals", "enum", "in"}) {
    const json::Value operand = schema.Find(keyword);
    if (!operand.exists()) continue;
    const absl::string_view word = keyword;
    const bool lists = word == "enum" || word == "in";
    // `equals` takes a binding or, within a list or object too, what stands there.
    const bool literal = word == "const" || word == "enum" || (!lists && !operand.is_string());
    json::Document resolved;
    if (!literal) resolved = ResolveList(operand, bound);
    const json::Value values = literal ? operand : resolved.root();
    Forms forms;
    if (!lists) {
      forms.push_back(json::Canonical(values));
    } else {
      if (!values.is_array() || values.size() > kMostValues) return std::nullopt;
      for (json::Value value : values.items()) forms.push_back(json::Canonical(value));
    }
    return forms;
  }
  return std::nullopt;
}

}  // namespace

Dispatch::Dispatch(absl::Span<const int> permissions, absl::Span<const GrantedPermission> all) {
  // How many permissions list values of an argument, and how many different ones.
  struct Use {
    size_t permissions = 0;
    absl::flat_hash_map<std::string, int> values;
  };
  std::map<std::string, Use> uses;
  for (const int index : permissions) {
    if (permissions.size() < kWorthwhile) break;
    for (const json::Member& member : all[index].permission->args.members()) {
      const std::optional<Forms> forms = FormsOf(all[index], member.key);
      if (!forms.has_value()) continue;
      Use& use = uses[std::string(member.key)];
      ++use.permissions;
      for (const std::string& form : *forms) ++use.values[form];
    }
  }
  const auto best = std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) {
    return std::min(a.second.permissions, a.second.values.size()) <
           std::min(b.second.permissions, b.second.values.size());
  });
  if (best != uses.end() && best->second.values.size() > 1) argument_ = best->first;
  for (const int index : permissions) {
    const std::optional<Forms> forms =
        argument_.empty() ? std::nullopt : FormsOf(all[index], argument_);
    if (!forms.has_value()) {
      others_.push_back(index);
      continue;
    }
    for (const std::string& form : *forms) {
      std::vector<int>& listed = by_value_[form];
      if (listed.empty() || listed.back() != index) listed.push_back(index);
    }
  }
}

Dispatch::Indices Dispatch::CandidatesFor(json::Value arguments) const {
  Indices candidates(others_.begin(), others_.end());
  if (argument_.empty()) return candidates;
  const json::Value value = arguments.Find(argument_);
  if (!value.exists()) return candidates;
  const auto found = by_value_.find(json::Canonical(value));
  if (found == by_value_.end()) return candidates;
  Indices merged;
  std::merge(candidates.begin(), candidates.end(), found->second.begin(), found->second.end(),
             std::back_inserter(merged));
  return merged;
}

}  // namespace tipstaff::policy::internal
