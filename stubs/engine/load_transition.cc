// Loading a transition, and saying which states it can never be in.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/action_loader.h"
#include "stubs/engine/codes.h"

namespace tipstaff::engine {
namespace {

// A state that the column's enum does not have is never there.
bool IsState(json::Value at, bool at_key, absl::string_view state, const Column* column,
             Fields& fields) {
  if (column == nullptr || !column->states) return true;
  for (const std::string& known : *column->states) {
    if (known == state) return true;
  }
  const std::string suggestion = Suggest(state, *column->states);
  const std::string label =
      suggestion.empty() ? absl::StrCat("there is ", ListNames(*column->states)) : suggestion;
  const std::string message = absl::StrCat("unknown state `", base::Escape(state), "`");
  if (at_key) {
    fields.ErrorAtKey(at, kUnknownNameCode, message, label);
  } else {
    fields.Error(at, kUnknownNameCode, message, label);
  }
  return false;
}

bool LoadAllowed(json::Value allowed, const Column* column, Fields& fields,
                 Transition& transition) {
  if (!fields.IsObject(allowed, "`allowed`")) return false;
  if (allowed.size() == 0) {
    fields.Error(allowed, kStateCode, "`allowed` allows nothing", "expected {open: [closed]}");
    return false;
  }
  bool good = true;
  for (const json::Member& member : allowed.members()) {
    good &= IsState(member.value, /*at_key=*/true, member.key, column, fields);
    std::vector<std::string>& next = transition.allowed[std::string(member.key)];
    if (!fields.IsSequence(member.value, "the states that follow")) return false;
    for (json::Value state : member.value.items()) {
      if (!fields.IsText(state, "a state")) return false;
      good &= IsState(state, /*at_key=*/false, state.string(), column, fields);
      next.emplace_back(state.string());
    }
  }
  return good;
}

// Where `to` is the same in every call, some state leads there.
bool CanBeReached(json::Value to, const Transition& transition, Fields& fields) {
  if (!to.is_string() || absl::StartsWith(to.string(), "$")) return true;
  for (const auto& [from, next] : transition.allowed) {
    if (std::find(next.begin(), next.end(), to.string()) != next.end()) return true;
  }
  fields.Error(to, kStateCode,
               absl::StrCat("no state of `allowed` leads to `", base::Escape(to.string()), "`"));
  return false;
}

bool LoadSet(json::Value set, size_t table, ActionLoader& loader, Transition& transition) {
  if (!set.exists()) return true;
  if (!loader.fields().IsObject(set, "`set`")) return false;
  if (const json::Value state = set.Find(transition.column); state.exists()) {
    loader.fields().ErrorAtKey(
        state, kActionCode,
        absl::StrCat("`set` cannot have the column `", base::Escape(transition.column),
                     "`, which goes to `to`"));
    return false;
  }
  static const std::vector<std::string>* const kParts = new std::vector<std::string>{"from", "to"};
  TemplateNames names = loader.names();
  names.parts = *kParts;
  transition.set = Template::Load(set, names, loader.fields());
  return transition.set.has_value() && loader.CheckCells(table, set);
}

}  // namespace

std::optional<Action> LoadTransition(json::Value value, ActionLoader& loader) {
  Fields& fields = loader.fields();
  if (!fields.IsMapping(value, "`transition`",
                        {"table", "key", "column", "to", "allowed", "set", "not_found"},
                        {"table", "key", "column", "to", "allowed"})) {
    return std::nullopt;
  }
  const std::optional<size_t> table = loader.ChangeableTable(value.Find("table"));
  const json::Value column = value.Find("column");
  if (!table || !fields.IsText(column, "`column`")) return std::nullopt;
  const TableDefinition& definition = loader.definition_of(*table);
  if (column.string() == definition.key) {
    fields.Error(column, kActionCode, "the key of a row is no state: it cannot be changed");
    return std::nullopt;
  }
  if (!loader.CheckColumn(*table, column.string(), column)) return std::nullopt;
  const Column* states = definition.columns ? definition.columns->Find(column.string()) : nullptr;
  Transition transition;
  transition.table = *table;
  transition.column = std::string(column.string());
  std::optional<Template> key = Template::Load(value.Find("key"), loader.names(), fields);
  std::optional<Template> to = Template::Load(value.Find("to"), loader.names(), fields);
  std::optional<std::string> not_found = loader.NotFound(value, *table);
  if (!key || !to || !not_found ||
      !LoadAllowed(value.Find("allowed"), states, fields, transition) ||
      !CanBeReached(value.Find("to"), transition, fields) ||
      !LoadSet(value.Find("set"), *table, loader, transition)) {
    return std::nullopt;
  }
  transition.key = *std::move(key);
  transition.to = *std::move(to);
  transition.not_found = *std::move(not_found);
  return transition;
}

}  // namespace tipstaff::engine
