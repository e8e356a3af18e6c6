// What each keyword means for one value.
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "mediator/base/utf8.h"
#include "mediator/json/write.h"
#include "mediator/schema/evaluate.h"
#include "mediator/schema/format.h"
#include "mediator/schema/numbers.h"
#include "mediator/schema/plain.h"

namespace tipstaff::schema::internal {
namespace {

// Equal values have equal canonical forms, so this is linear but for the sorting of keys.
bool AreUnique(json::Value array) {
  absl::flat_hash_set<std::string> seen;
  for (json::Value item : array.items()) {
    if (!seen.insert(json::Canonical(item)).second) return false;
  }
  return true;
}

// Lets NaN not arise: JSON has none.
bool InRange(const Code& code, const Constraint& constraint, json::Value value) {
  const json::Value bound = code.constants[constraint.index];
  if (constraint.keyword == Keyword::kMultipleOf) return IsMultipleOf(value, bound);
  const int order = Compare(value, bound);
  switch (constraint.keyword) {
    case Keyword::kMinimum:
      return order >= 0;
    case Keyword::kExclusiveMinimum:
      return order > 0;
    case Keyword::kMaximum:
      return order <= 0;
    case Keyword::kExclusiveMaximum:
      return order < 0;
    default:
      return false;
  }
}

bool HasLength(const Code& code, const Constraint& constraint, json::Value value) {
  const absl::string_view text = value.string();
  switch (constraint.keyword) {
    case Keyword::kMinBytes:
      return text.size() >= constraint.count;
    case Keyword::kMaxBytes:
      return text.size() <= constraint.count;
    case Keyword::kMinLength:
      return base::CountCodePoints(text) >= constraint.count;
    case Keyword::kMaxLength:
      return base::CountCodePoints(text) <= constraint.count;
    case Keyword::kPattern:
      return IsMatch(code, constraint.index, text);
    case Keyword::kFormat:
      return HasFormat(static_cast<Format>(constraint.index), text);
    case Keyword::kPath:
      return !PathProblem(code.paths[constraint.index], text).has_value();
    case Keyword::kPlain:
      return !PlainProblem(text).has_value();
    default:
      return false;
  }
}

}  // namespace

bool IsMatch(const Code& code, uint32_t pattern, absl::string_view text) {
  return code.patterns[pattern]->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                                       re2::RE2::UNANCHORED, nullptr, 0);
}

std::optional<char32_t> RefusedWithin(json::Value value, TextMode mode) {
  std::vector<json::Value> open = {value};
  while (!open.empty()) {
    const json::Value next = open.back();
    open.pop_back();
    if (next.is_string()) {
      if (const auto refused = FirstRefused(next.string(), mode)) return refused;
    }
    for (json::Value item : next.items()) open.push_back(item);
    for (const json::Member& member : next.members()) {
      if (const auto refused = FirstRefused(member.key, mode)) return refused;
      open.push_back(member.value);
    }
  }
  return std::nullopt;
}

std::optional<char32_t> RefusedText(const Code& code, const Node& node, TextMode mode,
                                    json::Value value) {
  if (value.is_string()) return FirstRefused(value.string(), mode);
  if (value.is_array()) {
    return node.items == kNone ? RefusedWithin(value, mode) : std::nullopt;
  }
  const auto* members = node.members == kNone ? nullptr : &code.members[node.members];
  for (const json::Member& member : value.members()) {
    if (members != nullptr && members->Find(member.key) != kNone) continue;
    if (const auto refused = FirstRefused(member.key, mode)) return refused;
    if (node.others != kNone) continue;  // it has a schema of its own
    if (const auto refused = RefusedWithin(member.value, mode)) return refused;
  }
  return std::nullopt;
}

bool Holds(const Code& code, const Node& node, const Constraint& constraint, json::Value value) {
  switch (constraint.keyword) {
    case Keyword::kType:
      return IsOfType(value, constraint.types);
    case Keyword::kMinimum:
    case Keyword::kMaximum:
    case Keyword::kExclusiveMinimum:
    case Keyword::kExclusiveMaximum:
    case Keyword::kMultipleOf:
      return !value.is_number() || InRange(code, constraint, value);
    case Keyword::kMinBytes:
    case Keyword::kMaxBytes:
    case Keyword::kMinLength:
    case Keyword::kMaxLength:
    case Keyword::kPattern:
    case Keyword::kPath:
    case Keyword::kPlain:
    case Keyword::kFormat:
      return !value.is_string() || HasLength(code, constraint, value);
    case Keyword::kMinItems:
      return !value.is_array() || value.size() >= constraint.count;
    case Keyword::kMaxItems:
      return !value.is_array() || value.size() <= constraint.count;
    case Keyword::kMinProperties:
      return !value.is_object() || value.size() >= constraint.count;
    case Keyword::kMaxProperties:
      return !value.is_object() || value.size() <= constraint.count;
    case Keyword::kUniqueItems:
      return !value.is_array() || AreUnique(value);
    case Keyword::kRequired:
      return !value.is_object() || value.Find(code.names[constraint.index]).exists();
    case Keyword::kDependentRequired:
    case Keyword::kDependencies:
      return !value.is_object() || !value.Find(code.names[constraint.count]).exists() ||
             value.Find(code.names[constraint.index]).exists();
    case Keyword::kText:
      return !RefusedText(code, node, constraint.text, value).has_value();
    case Keyword::kAdditionalProperties:
      return true;
    default:
      return false;  // no constraint of a node is made of these
  }
}

}  // namespace tipstaff::schema::internal
