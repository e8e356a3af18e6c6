// States that nothing leads to.
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

using Place = std::pair<std::string, std::string>;  // a table and its column

// How rows come to their states.
struct Ways {
  std::set<std::string> reached;
  bool told = true;  // false: a call's arguments may put any state there
};

void Write(json::Value cell, Ways& ways) {
  if (!cell.exists()) return;
  if (!cell.is_string()) return;  // no state
  if (absl::StartsWith(cell.string(), "$")) {
    ways.told = false;
  } else {
    ways.reached.emplace(cell.string());
  }
}

Ways WaysTo(const Place& place, json::Value tools, const Definition& definition) {
  Ways ways;
  const size_t table = *definition.FindTable(place.first);
  for (const auto& [key, row] : definition.tables[table].rows) {
    Write(row.root().Find(place.second), ways);
  }
  for (json::Value tool : tools.items()) {
    // A script may do anything.
    if (tool.Find("lua").exists() && tool.StringOr("effect", "") != "read") ways.told = false;
    const json::Value insert = tool.Find("insert");
    if (insert.StringOr("into", "") == place.first)
      Write(insert.Find("row").Find(place.second), ways);
    for (const char* key : {"update", "transition"}) {
      const json::Value change = tool.Find(key);
      if (change.StringOr("table", "") != place.first) continue;
      Write(change.Find("set").Find(place.second), ways);
      if (change.StringOr("column", "") != place.second) continue;
      const json::Value to = change.Find("to");
      const bool literal = to.is_string() && !absl::StartsWith(to.string(), "$");
      if (literal) ways.reached.emplace(to.string());
      for (const json::Member& from : change.Find("allowed").members()) {
        for (json::Value next : from.value.items()) {
          if (!literal) ways.reached.emplace(next.string());
        }
      }
    }
  }
  return ways;
}

}  // namespace

void WarnOfStates(json::Value tools, Fields& fields, const Definition& definition) {
  std::map<Place, Ways> known;
  std::set<std::pair<Place, std::string>> warned;
  for (json::Value tool : tools.items()) {
    const json::Value transition = tool.Find("transition");
    if (!transition.exists()) continue;
    const Place place{transition.StringOr("table", ""), transition.StringOr("column", "")};
    const auto [ways, is_new] = known.try_emplace(place);
    if (is_new) ways->second = WaysTo(place, tools, definition);
    if (!ways->second.told) continue;
    const Fields::Within note(fields, absl::StrCat("in tool `", tool.StringOr("name", ""), "`"));
    const auto is_unreached = [&, &found = ways->second](absl::string_view state) {
      const std::string text(state);
      return !found.reached.contains(text) && warned.emplace(place, text).second;
    };
    const auto message = [](absl::string_view state) {
      return absl::StrCat("nothing leads to the state `", base::Escape(state), "`");
    };
    const json::Value allowed = transition.Find("allowed");
    for (const json::Member& from : allowed.members()) {
      if (is_unreached(from.key)) {
        fields.WarningAtKey(from.value, kStateCode, message(from.key),
                            "no row of the fixture has it, and no tool puts it there");
      }
    }
    const std::optional<Columns>& columns =
        definition.tables[*definition.FindTable(place.first)].columns;
    const Column* column = columns ? columns->Find(place.second) : nullptr;
    if (column == nullptr || !column->states) continue;
    for (const std::string& state : *column->states) {
      if (is_unreached(state)) {
        fields.Warning(transition.Find("column"), kStateCode, message(state),
                       "its `enum` has it, but no row of the fixture, and no tool puts it there");
      }
    }
  }
}

}  // namespace tipstaff::engine
