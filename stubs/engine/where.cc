#include "stubs/engine/where.h"

#include <string.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/write.h"
#include "stubs/engine/call_scope.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/fields.h"

namespace tipstaff::engine {
namespace {

struct Name {
  const char* name;
  Comparison comparison;
};
constexpr Name kNames[] = {{"equals", Comparison::kEquals},
                           {"contains", Comparison::kContains},
                           {"in", Comparison::kIn},
                           {"at_least", Comparison::kAtLeast},
                           {"at_most", Comparison::kAtMost}};

std::vector<std::string> ComparisonNames() {
  std::vector<std::string> names;
  for (const Name& name : kNames) names.push_back(name.name);
  return names;
}

std::optional<Comparison> ParseComparison(absl::string_view text) {
  for (const Name& name : kNames) {
    if (text == name.name) return name.comparison;
  }
  return std::nullopt;
}

bool Contains(json::Value cell, json::Value operand) {
  if (cell.is_string() && operand.is_string()) return HoldsText(cell.string(), operand.string());
  for (json::Value item : cell.items()) {
    if (json::Equal(item, operand)) return true;
    if (item.is_string() && operand.is_string() && HoldsText(item.string(), operand.string())) {
      return true;
    }
  }
  return false;
}

bool Holds(const RowFilter::Condition& condition, json::Value row) {
  const json::Value cell = row.Find(condition.column);
  if (!cell.exists()) return false;
  switch (condition.comparison) {
    case Comparison::kEquals:
      return json::Equal(cell, condition.operand);
    case Comparison::kContains:
      return Contains(cell, condition.operand);
    case Comparison::kIn:
      for (json::Value item : condition.operand.items()) {
        if (json::Equal(cell, item)) return true;
      }
      return false;
    case Comparison::kAtLeast:
      return CompareValues(cell, condition.operand).value_or(-1) >= 0;
    case Comparison::kAtMost:
      return CompareValues(cell, condition.operand).value_or(1) <= 0;
  }
  return false;
}

}  // namespace

absl::Status RowFilter::Add(std::vector<Condition>& group, std::string column,
                            Comparison comparison, json::Value operand) {
  if (comparison == Comparison::kIn && !operand.is_array()) {
    return absl::InvalidArgumentError(absl::StrCat("`in` for column `", base::Escape(column),
                                                   "` needs a list, not ",
                                                   json::KindName(operand.kind())));
  }
  group.push_back({std::move(column), comparison, operand});
  return absl::OkStatus();
}

absl::StatusOr<RowFilter> RowFilter::Parse(json::Document where) {
  RowFilter filter;
  const json::Value root = where.root();
  filter.documents_.push_back(std::move(where));
  if (!root.is_object()) return absl::InvalidArgumentError("conditions must be a table of columns");
  std::vector<Condition>& group = filter.groups_.emplace_back();
  for (const json::Member& member : root.members()) {
    if (!member.value.is_object()) {
      TIPSTAFF_RETURN_IF_ERROR(
          filter.Add(group, std::string(member.key), Comparison::kEquals, member.value));
      continue;
    }
    for (const json::Member& operation : member.value.members()) {
      const std::optional<Comparison> comparison = ParseComparison(operation.key);
      if (!comparison) {
        return absl::InvalidArgumentError(absl::StrCat("unknown comparison `",
                                                       base::Escape(operation.key), "`: there is ",
                                                       ListNames(ComparisonNames())));
      }
      TIPSTAFF_RETURN_IF_ERROR(
          filter.Add(group, std::string(member.key), *comparison, operation.value));
    }
  }
  return filter;
}

bool RowFilter::Matches(json::Value row) const {
  if (groups_.empty()) return !passes_nothing_;
  return std::any_of(groups_.begin(), groups_.end(), [row](const std::vector<Condition>& group) {
    return std::all_of(group.begin(), group.end(),
                       [row](const Condition& condition) { return Holds(condition, row); });
  });
}

std::optional<absl::string_view> RowFilter::OnlyKey(absl::string_view key_column) const {
  if (groups_.size() != 1) return std::nullopt;
  for (const Condition& condition : groups_.front()) {
    if (condition.comparison == Comparison::kEquals && condition.column == key_column &&
        condition.operand.is_string()) {
      return condition.operand.string();
    }
  }
  return std::nullopt;
}

std::vector<RowFilter::Condition> RowFilter::Failing(json::Value row) const {
  std::optional<std::vector<Condition>> fewest;
  for (const std::vector<Condition>& group : groups_) {
    std::vector<Condition> failing;
    for (const Condition& condition : group) {
      if (!Holds(condition, row)) failing.push_back(condition);
    }
    if (!fewest || failing.size() < fewest->size()) fewest = std::move(failing);
  }
  return fewest.value_or(std::vector<Condition>());
}

std::optional<Where> Where::Load(json::Value value, const TemplateNames& names, Fields& fields) {
  Where where;
  if (!value.is_array()) {
    if (!LoadGroup(value, names, fields, where)) return std::nullopt;
    return where;
  }
  if (value.size() == 0) {
    fields.Error(value, kValueCode, "`where` without an alternative matches nothing");
    return std::nullopt;
  }
  bool good = true;
  for (json::Value group : value.items()) good &= LoadGroup(group, names, fields, where);
  if (!good) return std::nullopt;
  return where;
}

bool Where::LoadGroup(json::Value value, const TemplateNames& names, Fields& fields, Where& where) {
  if (!fields.IsObject(value, "`where`")) return false;
  bool good = true;
  std::vector<Condition> group;
  const auto add = [&](absl::string_view column, Comparison comparison, json::Value operand) {
    std::optional<Template> loaded = Template::Load(operand, names, fields);
    if (!loaded) {
      good = false;
    } else if (comparison == Comparison::kIn && !operand.is_array() && !operand.is_string()) {
      fields.Error(operand, kTypeCode, "`in` needs a sequence or a reference to one");
      good = false;
    } else {
      group.push_back({std::string(column), comparison, *std::move(loaded)});
    }
  };
  for (const json::Member& member : value.members()) {
    where.columns_.emplace_back(member.key, member.value);
    if (!member.value.is_object()) {
      add(member.key, Comparison::kEquals, member.value);
      continue;
    }
    if (member.value.size() == 0) {
      fields.Error(member.value, kValueCode, "a condition without a comparison holds for every row",
                   absl::StrCat("there is ", ListNames(ComparisonNames())));
      good = false;
    }
    for (const json::Member& operation : member.value.members()) {
      const std::optional<Comparison> comparison = ParseComparison(operation.key);
      if (comparison) {
        add(member.key, *comparison, operation.value);
      } else {
        fields.Unknown(operation.value, "comparison", operation.key, ComparisonNames());
        good = false;
      }
    }
  }
  where.groups_.push_back(std::move(group));
  return good;
}

absl::StatusOr<RowFilter> Where::Bind(CallScope& scope) const {
  RowFilter filter;
  for (const std::vector<Condition>& group : groups_) {
    std::vector<RowFilter::Condition>& bound = filter.groups_.emplace_back();
    bool can_hold = true;
    for (const Condition& condition : group) {
      can_hold = can_hold && condition.operand.HasBindings(scope);
      TIPSTAFF_ASSIGN_OR_RETURN(const json::Value operand,
                                condition.operand.Resolve(scope, filter.documents_));
      if (!operand.exists()) continue;
      TIPSTAFF_RETURN_IF_ERROR(filter.Add(bound, condition.column, condition.comparison, operand));
    }
    if (!can_hold) filter.groups_.pop_back();
  }
  filter.passes_nothing_ = !groups_.empty() && filter.groups_.empty();
  return filter;
}

size_t FindText(absl::string_view text, absl::string_view part) {
  // memmem is linear, unlike std::search and find(): a guest chooses both texts.
  const void* found = ::memmem(text.data(), text.size(), part.data(), part.size());
  if (found == nullptr) return absl::string_view::npos;
  return static_cast<const char*>(found) - text.data();
}

bool HoldsText(absl::string_view text, absl::string_view part) {
  if (part.size() > text.size()) return false;
  return FindText(absl::AsciiStrToLower(text), absl::AsciiStrToLower(part)) !=
         absl::string_view::npos;
}

std::optional<int> CompareValues(json::Value a, json::Value b) {
  const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (a.is_string() && b.is_string()) return order(a.string(), b.string());
  if (a.kind() == json::Kind::kInteger && b.kind() == json::Kind::kInteger) {
    return order(a.integer(), b.integer());
  }
  if (a.is_number() && b.is_number()) return order(a.number(), b.number());
  return std::nullopt;
}

std::string ShowCondition(const RowFilter::Condition& condition) {
  const auto name = std::find_if(std::begin(kNames), std::end(kNames), [&](const Name& candidate) {
    return candidate.comparison == condition.comparison;
  });
  return absl::StrCat("`", base::Escape(condition.column), "` ", name->name, " ",
                      base::EscapeAndCut(json::Canonical(condition.operand), 80));
}

}  // namespace tipstaff::engine
